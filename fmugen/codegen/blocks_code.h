// Blocks of the plan as items of a routine, with the functions and tables of the loops among them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fmugen/codegen/program.h"
#include "fmugen/equations/occurrences.h"

namespace fmugen::codegen {

// Where blocks stand: their equations, and whether tangents of their results are wanted.
struct BlockContext {
  const std::vector<structure::SystemEquation>* equations = nullptr;
  Translator* translate = nullptr;
  bool tangents = false;
  Group group = Group::Equations;
};

class BlocksCode {
 public:
  BlocksCode(Vocabulary& words, Program& program, const EquationTexts& texts, Files& files);

  // Appends the statements and loops of a block. False: tangents are wanted, but something in it has none.
  bool add(const structure::Block& block, const BlockContext& context, std::vector<Item>& items);

  // The loops that formulas solve, for messages: appends their tables, returns the initialisers in FmrModel.
  std::string formulas(std::string& tables);

  std::uint32_t linear() const { return linear_; }
  std::uint32_t nonlinear() const { return nonlinear_; }
  std::size_t largest_linear() const { return largest_; }

 private:
  bool add_linear(const structure::Block& block, const BlockContext& context, std::vector<Item>& items);
  bool add_nonlinear(const structure::Block& block, const BlockContext& context, std::vector<Item>& items);
  bool write_tangent_right(const structure::Block& block, const BlockContext& context, const std::string& name,
                           const std::vector<structure::Entry>& entries, const Routine& right);
  std::vector<structure::Entry> by_columns(const structure::Block& block, const BlockContext& context);
  void add_assignments(const structure::Block& block, const BlockContext& context, std::vector<Item>& items);
  void add_formula(const structure::Block& block, const BlockContext& context);
  std::string texts(const structure::Block& block, const std::vector<VarId>& unknowns, const BlockContext& context,
                    const std::string& name, std::string& tables);
  std::string limits(const structure::Block& block, const std::string& name, std::string& tables);
  std::vector<Slot> slots(const std::vector<VarId>& variables) const;
  std::vector<Slot> reads(const std::vector<Item>& items, const std::vector<Slot>& writes);
  bool is_active(Expr translated);

  Vocabulary& words_;
  Program& program_;
  const EquationTexts& texts_;
  Files& files_;
  equations::Occurrences occurrences_;
  std::vector<VarId> found_;
  std::string formula_tables_;
  std::vector<std::string> formulas_;    // rows of the table of FmrFormula
  std::vector<Item> formula_matrices_;  // 9 numbers for each
  std::uint32_t linear_ = 0, nonlinear_ = 0;
  std::size_t largest_ = 0;
};

}  // namespace fmugen::codegen
