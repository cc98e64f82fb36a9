// Translated expressions as C text.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "fmugen/codegen/c_text.h"
#include "fmugen/codegen/translate.h"

namespace fmugen::codegen {

// How a leaf is written: "v[R1_V]", "v[i[3]]"; of Table and Delay the number alone: "4", "i[2]".
using LeafText = std::function<std::string(Leaf)>;

// Writes the expressions of one C function, which are evaluated one after the other. What occurs more than once, in one
// or several of them, is computed once and kept in a constant e1, e2, ... Between two expressions no leaf that has been
// read may change its value.
class CWriter {
 public:
  CWriter(const Vocabulary& words, LeafText leaf);

  // Announces what will be written, so that common parts are known. May be left out: then nothing is shared between
  // expressions.
  void expect(std::span<const Expr> expressions);

  // The text of e. Declarations that it needs are appended to `before`, each a line of its own with this indentation.
  std::string write(Expr e, std::string& before, const std::string& indent = "  ");

 private:
  struct Text {
    std::string text;
    int precedence = 0;
    int depth = 0;
  };
  void count(Expr e);
  void mark_unconditional(Expr e);
  void finish(Expr e, std::string& before, const std::string& indent);
  Text make(Expr e, std::string& before, const std::string& indent);
  Text make_sum(Expr e, std::string& before, const std::string& indent);
  Text make_product(Expr e, std::string& before, const std::string& indent);
  Text make_power(Expr e);
  Text make_call(Expr e);
  Text make_extreme(Expr e);
  Text make_user_call(Expr e);
  Text make_logical(Expr e, std::string& before, const std::string& indent);
  std::string keep(const Text& value, std::string& before, const std::string& indent);
  std::string operand(Expr e, int precedence) const;
  std::string condition(Expr e, int precedence) const;
  std::string whole_power(Expr base, double exponent) const;
  std::string power_below(Expr e) const;
  static bool is_condition(Expr e);

  const Vocabulary& words_;
  LeafText leaf_;
  equations::NodeMap<std::uint32_t> uses_;
  equations::NodeMap<Text> kept_;           // constants that are declared
  equations::NodeMap<Text> texts_;          // of the expression being written
  equations::NodeMap<bool> unconditional_;  // of the expression being written: evaluated whatever conditions are
  std::uint32_t constants_ = 0;
};

// Names that external functions have in C must not be given to anything else.
void reserve_functions(CNames& names, const equations::FlatModel& model);

// The name of the C function behind a function of the model.
std::string function_name(const equations::FlatModel& model, std::uint32_t function);

}  // namespace fmugen::codegen
