// Directional derivatives at the start: tangents of what parameters(), initial() and sampled systems compute, for tangents
// of parameters, exact start values, inputs and time.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "fmugen/codegen/program.h"

namespace fmugen::codegen {

class StartTangents {
 public:
  StartTangents(Vocabulary& words, Program& program);

  std::vector<Item> parameters, initial;      // statements and loops, in terms of `translate`
  std::vector<std::vector<Item>> samples;     // by sampled system

  // Appends slot := value.
  void add(Slot slot, Expr value, std::vector<Item>& to);
  // Appends a block; `made` is what BlocksCode made of it, with the number of its loop.
  void add(const structure::Block& block, std::span<const Item> made, std::vector<Item>& to);

  // There is something that these tangents know nothing of: states that sampled systems overwrite.
  void give_up() { complete_ = false; }

  // After everything else has been translated, when the loops are counted: writes the functions, appends their table and
  // returns the initialiser in FmrModel; "0" if something has no derivative.
  std::string finish(std::uint32_t linear, std::uint32_t nonlinear, std::string& tables);

 private:
  void add_assignments(const structure::Block& block, std::span<const Item> made, std::vector<Item>& to);
  void write_linear(const structure::Block& block, std::uint32_t number);
  void write_nonlinear(const structure::Block& block, std::uint32_t number);
  std::string write(const std::string& name, std::vector<Item> items, bool out, std::uint32_t clear);

  Vocabulary& words_;
  Program& program_;
  Translator translate_;
  std::map<std::uint32_t, std::string> linear_, nonlinear_;  // by number: the function
  bool complete_ = true;                                     // everything has a derivative
};

}  // namespace fmugen::codegen
