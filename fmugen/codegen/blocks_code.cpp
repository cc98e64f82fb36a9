// Loops of equations: what the run time needs to solve them.
//
// A linear block A*x = b gives functions for the entries of A, column by column, and for b. Its tangents solve
// A*dx = db - dA*x: db is the tangent of b, and every entry that changes with the states contributes its tangent times
// the unknown of its column.
//
//   (r1 + x)*i1 - r2*i2 = u, i1 + i2 = 3          A = (r1 + x, 1; -r2, 1) by columns, b = (u, 3)
//                                                 db - dA*x = (du - dx*i1, 0)
//
// Up to three unknowns are solved by formulas. Of these the run time knows the matrix, to be able to say that its
// determinant is zero when a value is no number.
//
// A nonlinear block gives one function: from the tearing variables to all others, and on to the residuals; the same for
// tangents. With the tangents of one tearing variable after the other set to 1, the run time gets the Jacobian.
#include "fmugen/codegen/blocks_code.h"

#include <algorithm>
#include <cmath>

#include "fmugen/codegen/c_text.h"
#include "fmugen/equations/evaluate.h"

namespace fmugen::codegen {

using structure::Block;
using structure::BlockKind;
using structure::kNone;

namespace {

constexpr std::size_t kQuoted = 8;  // equations that messages quote
constexpr std::size_t kNamed = 50;  // unknowns that messages name
constexpr std::uint32_t kFormulaRoom = 9;  // numbers of a matrix that formulas solve: up to 3 times 3

}  // namespace

BlocksCode::BlocksCode(Vocabulary& words, Program& program, const EquationTexts& texts, Files& files)
    : words_(words), program_(program), texts_(texts), files_(files) {}

bool BlocksCode::add(const Block& block, const BlockContext& context, std::vector<Item>& items) {
  if (block.kind == BlockKind::Nonlinear) return add_nonlinear(block, context, items);
  const bool formulas = block.assignments.size() == block.unknowns.size();
  if (formulas && block.kind == BlockKind::Linear) add_formula(block, context);
  const bool good = formulas || add_linear(block, context, items);
  add_assignments(block, context, items);
  return good;
}

void BlocksCode::add_assignments(const Block& block, const BlockContext& context, std::vector<Item>& items) {
  for (const structure::Assignment& a : block.assignments) {
    const Place place = words_.layout.place[index(a.unknown)];
    Expr value = (*context.translate)(a.value);
    if (place.sign < 0) value = words_.pool.neg(value);
    const structure::SystemEquation* equation = a.equation == kNone ? nullptr : &(*context.equations)[a.equation];
    items.push_back({Item::Statement, Target::Value, place.slot, value, {equation, kNone}, {}, {}});
  }
}

std::vector<Slot> BlocksCode::slots(const std::vector<VarId>& variables) const {
  std::vector<Slot> found;
  for (const VarId v : variables) found.push_back(words_.layout.slot_of(v));
  return found;
}

// Slots that items read and the block does not compute itself.
std::vector<Slot> BlocksCode::reads(const std::vector<Item>& items, const std::vector<Slot>& writes) {
  std::vector<Slot> found;
  for (const Item& item : items) {
    found_.clear();
    occurrences_.variables(item.value, found_);
    for (const VarId v : found_) {
      const Leaf leaf = leaf_of(v);
      if (leaf.kind == LeafKind::Value || leaf.kind == LeafKind::Passive) found.push_back(leaf.number);
    }
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  std::vector<Slot> own = writes, result;
  std::sort(own.begin(), own.end());
  std::set_difference(found.begin(), found.end(), own.begin(), own.end(), std::back_inserter(result));
  return result;
}

bool BlocksCode::is_active(Expr translated) {
  found_.clear();
  occurrences_.variables(translated, found_);
  return std::any_of(found_.begin(), found_.end(), [](VarId v) { return leaf_of(v).kind == LeafKind::Value; });
}

// The equations and unknowns for messages: appends their tables, returns the initialiser of FmrText.
std::string BlocksCode::texts(const Block& block, const std::vector<VarId>& solved_for, const BlockContext& context,
                              const std::string& name, std::string& tables) {
  std::vector<std::string> equations, unknowns;
  for (const std::uint32_t k : block.equations) {
    if (equations.size() == kQuoted) break;
    equations.push_back(c_string(texts_.text((*context.equations)[k])));
  }
  for (const VarId v : solved_for) unknowns.push_back(c_string(words_.plan.system.name(v)));
  const bool named = unknowns.size() <= kNamed && !unknowns.empty();
  tables += c_table("char *const", name + "_equation", equations);
  if (named) tables += c_table("char *const", name + "_name", unknowns);
  return "{" + std::to_string(equations.size()) + ", " + name + "_equation, " + (named ? name + "_name" : "0") + "}";
}

// ---- linear ---------------------------------------------------------------------------------------------------------

// Translated entries, sorted by column, then row; each place once.
std::vector<structure::Entry> BlocksCode::by_columns(const Block& block, const BlockContext& context) {
  std::vector<structure::Entry> entries = block.matrix, result;
  std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
    return a.column != b.column ? a.column < b.column : a.row < b.row;
  });
  for (structure::Entry& e : entries) {
    e.value = (*context.translate)(e.value);
    if (!result.empty() && result.back().row == e.row && result.back().column == e.column)
      result.back().value = words_.pool.add(result.back().value, e.value);
    else
      result.push_back(e);
  }
  return result;
}

bool BlocksCode::add_linear(const Block& block, const BlockContext& context, std::vector<Item>& items) {
  const auto n = static_cast<std::uint32_t>(block.tearing.size());
  const std::uint32_t number = linear_++;
  const std::string name = "linear_" + std::to_string(number + 1);
  largest_ = std::max<std::size_t>(largest_, n);
  const std::vector<structure::Entry> entries = by_columns(block, context);
  std::vector<Item> matrix, right;
  std::vector<std::uint32_t> columns(n + 1, 0), rows;
  for (const structure::Entry& e : entries) {
    matrix.push_back({Item::Statement, Target::Out, static_cast<std::uint32_t>(rows.size()), e.value, {}, {}, {}});
    ++columns[e.column + 1];
    rows.push_back(e.row);
  }
  for (std::size_t c = 0; c < n; ++c) columns[c + 1] += columns[c];
  for (std::uint32_t k = 0; k < n; ++k)
    right.push_back({Item::Statement, Target::Out, k, (*context.translate)(block.right[k]), {}, {}, {}});

  const std::vector<Slot> unknown = slots(block.tearing);
  Item item{Item::Linear, Target::Value, number, nullptr, {}, reads(matrix, unknown), unknown};
  const std::vector<Slot> more = reads(right, unknown);
  item.reads.insert(item.reads.end(), more.begin(), more.end());
  items.push_back(std::move(item));

  const Routine matrix_routine = program_.arrange(std::move(matrix)),
                right_routine = program_.arrange(std::move(right));
  program_.write({"model_" + name + "_matrix", false, true, 0, context.group, ""}, matrix_routine);
  program_.write({"model_" + name + "_right", false, true, 0, context.group, ""}, right_routine);
  const bool tangents = context.tangents && write_tangent_right(block, context, name, entries, right_routine);

  std::string text =
      c_table(name + "_column", columns) + c_table(name + "_row", rows) + c_table(name + "_unknown", unknown);
  const std::string quoted = texts(block, block.tearing, context, name, text);
  text += "const FmrLinearBlock model_" + name + " = {\n  " + std::to_string(number) + ", " + std::to_string(n) + ", " +
          std::to_string(rows.size()) + ", " + name + "_column, " + name + "_row, " + name + "_unknown, " +
          (block.constant ? "1" : "0") + ",\n  model_" + name + "_matrix, model_" + name + "_right, " +
          (tangents ? "model_" + name + "_tangent_right" : "0") + ",\n  " + quoted + "};\n";
  files_.add(context.group, text, 2);
  files_.declare("extern const FmrLinearBlock model_" + name + ";\n");
  return tangents || !context.tangents;
}

void BlocksCode::add_formula(const Block& block, const BlockContext& context) {
  const auto number = static_cast<std::uint32_t>(formulas_.size());
  const auto n = static_cast<std::uint32_t>(block.unknowns.size());
  const std::string name = "formula_" + std::to_string(number + 1);
  for (const structure::Entry& e : by_columns(block, context))
    formula_matrices_.push_back(
        {Item::Statement, Target::Out, number * kFormulaRoom + e.row * n + e.column, e.value, {}, {}, {}});
  formula_tables_ += c_table(name + "_unknown", slots(block.unknowns));
  const std::string quoted = texts(block, block.unknowns, context, name, formula_tables_);
  formulas_.push_back("{" + std::to_string(n) + ", " + name + "_unknown, " + quoted + "}");
}

std::string BlocksCode::formulas(std::string& tables) {
  if (formulas_.empty()) return "0, 0, 0";
  tables += formula_tables_ + c_table("FmrFormula", "formulas", formulas_);
  const auto room = static_cast<std::uint32_t>(formulas_.size()) * kFormulaRoom;
  program_.write({"model_formula_matrices", false, true, room, Group::Seldom, ""},
                 program_.arrange(std::move(formula_matrices_)));
  return std::to_string(formulas_.size()) + ", formulas, model_formula_matrices";
}

bool BlocksCode::write_tangent_right(const Block& block, const BlockContext& context, const std::string& name,
                                     const std::vector<structure::Entry>& entries, const Routine& right) {
  if (!program_.has_tangent(right)) return false;
  std::vector<Item> items;
  for (const structure::Entry& e : entries) {
    if (!is_active(e.value)) continue;
    const Place place = words_.layout.place[index(block.tearing[e.column])];
    const Expr x = words_.pool.variable(code({LeafKind::Passive, place.slot}));
    items.push_back({Item::Statement, Target::Subtract, e.row, words_.pool.mul(e.value, x), {}, {}, {}});
  }
  const std::string function = "model_" + name + "_tangent_right";
  const auto n = static_cast<std::uint32_t>(block.tearing.size());
  if (items.empty()) {
    program_.write_tangent({function, false, true, n, context.group, ""}, right);
    return true;
  }
  const Routine products = program_.arrange(std::move(items));
  if (!program_.has_tangent(products)) return false;
  program_.write_tangent({function + "_b", false, true, n, context.group, ""}, right);
  program_.write_tangent({function + "_a", false, true, 0, context.group, ""}, products);
  files_.add(context.group,
             "void " + function + "(FmrData *m, double *out) {\n  " + function + "_b(m, out);\n  " + function +
                 "_a(m, out);\n}\n",
             1);
  files_.declare("void " + function + "(FmrData *m, double *out);\n");
  return true;
}

// ---- nonlinear ------------------------------------------------------------------------------------------------------

bool BlocksCode::add_nonlinear(const Block& block, const BlockContext& context, std::vector<Item>& items) {
  const auto n = static_cast<std::uint32_t>(block.tearing.size());
  const std::uint32_t number = nonlinear_++;
  const std::string name = "nonlinear_" + std::to_string(number + 1);
  // Where no tangents of results are wanted, those of the unknowns are: the iteration needs them.
  std::vector<Slot> all = slots(block.unknowns);
  std::sort(all.begin(), all.end());
  Translator own(
      words_,
      {[&](VarId v) { return std::binary_search(all.begin(), all.end(), words_.layout.slot_of(v)); }, false, {}});
  BlockContext inside = context;
  if (!context.tangents) inside.translate = &own;

  std::vector<Item> body;
  add_assignments(block, inside, body);
  for (std::uint32_t k = 0; k < n; ++k)
    body.push_back({Item::Statement, Target::Out, k, (*inside.translate)(block.residuals[k]), {}, {}, {}});
  std::vector<VarId> inner;
  for (const structure::Assignment& a : block.assignments) inner.push_back(a.unknown);
  const std::vector<Slot> unknown = slots(block.tearing), inner_slots = slots(inner);
  std::vector<Slot> writes = unknown;
  writes.insert(writes.end(), inner_slots.begin(), inner_slots.end());
  items.push_back({Item::Nonlinear, Target::Value, number, nullptr, {}, reads(body, writes), writes});

  const Routine routine = program_.arrange(std::move(body));
  program_.write({"model_" + name + "_residual", true, true, 0, context.group, ""}, routine);
  const bool tangents = program_.has_tangent(routine);
  if (tangents) program_.write_tangent({"model_" + name + "_tangent", true, true, n, context.group, ""}, routine);

  std::string text = c_table(name + "_unknown", unknown) + c_table(name + "_inner", inner_slots);
  const std::string quoted = texts(block, block.tearing, context, name, text);
  const std::string bounds = limits(block, name, text);
  text += "const FmrNonlinearBlock model_" + name + " = {\n  " + std::to_string(number) + ", " + std::to_string(n) +
          ", " + name + "_unknown, " + std::to_string(inner_slots.size()) + ", " + name + "_inner,\n  " + bounds +
          ",\n  model_" + name + "_residual, " + (tangents ? "model_" + name + "_tangent" : "0") + ",\n  " + quoted +
          "};\n";
  files_.add(context.group, text, 2);
  files_.declare("extern const FmrNonlinearBlock model_" + name + ";\n");
  return tangents || !context.tangents;
}

// Tables of nominal values, least and greatest values of the tearing variables, as far as something is given.
std::string BlocksCode::limits(const Block& block, const std::string& name, std::string& tables) {
  const equations::FlatModel& model = words_.plan.system.model;
  const auto table = [&](const char* what, Expr equations::Attributes::*attribute, double none) {
    std::vector<double> values;
    bool given = false;
    for (const VarId v : block.tearing) {
      const Expr e = model.attributes_of(v).*attribute;
      equations::Values known;
      known.variable = [&](VarId p) { return model[p].value; };
      double value = e ? equations::evaluate(e, known) : std::nan("");
      if (attribute == &equations::Attributes::nominal) value = value == 0 ? std::nan("") : std::fabs(value);
      given = given || !std::isnan(value);
      values.push_back(std::isnan(value) ? none : value);
    }
    if (!given) return std::string("0");
    tables += c_table(name + what, values);
    return name + what;
  };
  const std::string nominal = table("_nominal", &equations::Attributes::nominal, 1);
  const std::string min = table("_min", &equations::Attributes::min, -HUGE_VAL);
  const std::string max = table("_max", &equations::Attributes::max, HUGE_VAL);
  return nominal + ", " + min + ", " + max;
}

}  // namespace fmugen::codegen
