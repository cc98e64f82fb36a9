// Expressions become text from the leaves up, each with the precedence of its outermost operator, so that parentheses
// stand only where C needs them.
//
//   add(mul(-1, a, b), pow(c, 2), mul(2, pow(d, -1)))        -a*b + square_of(c) + 2.0/d
//
// A sum is evaluated from left to right as it is written in the model, and a factor with the exponent -1 divides, which
// rounds once. Booleans are the numbers 0 and 1.
//
// A node that is used several times becomes a constant of its own before the statement, unless all its uses are in
// branches of `if` that may not be taken; a square root there could be one of a negative number. C compilers recurse
// into expressions: sums of many terms and deep nests are cut into several constants, too.
#include "fmugen/codegen/c_expression.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace fmugen::codegen {

using equations::Function;
using equations::Op;

namespace {

enum Precedence { kChoice, kOr, kAnd, kEqual, kCompare, kSum, kProduct, kSign, kPrimary };
constexpr std::size_t kLongSum = 64;    // operands in one C expression
constexpr int kDeep = 40;               // operators inside each other in one C expression
constexpr std::size_t kLongText = 400;  // text that is not repeated, even if its value is needed in branches only

bool is_reciprocal(Expr e) { return e->op() == Op::Pow && e->child(1)->is_number(-1); }
bool is_leaf(Expr e) { return e->size() == 0 && e->op() != Op::UserCall; }
bool is_negated_leaf(Expr e) {
  return e->op() == Op::Mul && e->size() == 2 && e->child(0)->is_number(-1) && is_leaf(e->child(1));
}

const char* c_function(Function f) {
  switch (f) {
    case Function::Sqrt: return "sqrt";
    case Function::Exp: return "exp";
    case Function::Ln: return "log";
    case Function::Log10: return "log10";
    case Function::Sin: return "sin";
    case Function::Cos: return "cos";
    case Function::Tan: return "tan";
    case Function::Asin: return "asin";
    case Function::Acos: return "acos";
    case Function::Atan: return "atan";
    case Function::Atan2: return "atan2";
    case Function::Sinh: return "sinh";
    case Function::Cosh: return "cosh";
    case Function::Tanh: return "tanh";
    case Function::Abs: return "fabs";
    case Function::Sign: return "sign_of";
    case Function::Int: return "trunc";
    case Function::Mod: return "fmod";
    case Function::Min: return "smaller_of";
    case Function::Max: return "larger_of";
    case Function::Floor: return "floor";
    case Function::Ceil: return "ceil";
  }
  return "";
}

}  // namespace

std::string function_name(const equations::FlatModel& model, std::uint32_t function) {
  const equations::FunctionDefinition& f = model.functions[function];
  return f.external ? f.name : "fn_" + std::to_string(function + 1) + "_" + c_identifier(f.name);
}

void reserve_functions(CNames& names, const equations::FlatModel& model) {
  for (const equations::FunctionDefinition& f : model.functions)
    if (f.external) names.reserve(f.name);
}

CWriter::CWriter(const Vocabulary& words, LeafText leaf) : words_(words), leaf_(std::move(leaf)) {}

void CWriter::expect(std::span<const Expr> expressions) {
  for (const Expr e : expressions) count(e);
}

// Every edge into a node is a use; what is below a node is counted once.
void CWriter::count(Expr root) {
  std::vector<Expr> work{root};
  while (!work.empty()) {
    Expr e = work.back();
    work.pop_back();
    while (is_reciprocal(e)) e = e->child(0);  // a/b is not a times 1/b, so it is b that is shared
    if (is_leaf(e) || ++uses_[e] > 1) continue;
    for (const Expr child : e->children()) work.push_back(child);
  }
}

void CWriter::mark_unconditional(Expr root) {
  unconditional_ = {};
  std::vector<Expr> work{root};
  while (!work.empty()) {
    const Expr e = work.back();
    work.pop_back();
    if (is_leaf(e) || unconditional_.contains(e)) continue;
    unconditional_[e] = true;
    const bool first_only = e->op() == Op::If || e->op() == Op::And || e->op() == Op::Or;
    for (std::size_t n = 0; n < (first_only ? 1 : e->size()); ++n) work.push_back(e->child(n));
  }
}

std::string CWriter::write(Expr e, std::string& before, const std::string& indent) {
  if (!uses_.contains(e)) count(e);
  mark_unconditional(e);
  texts_ = {};
  equations::post_order(
      e, [&](Expr node) { return kept_.contains(node) || texts_.contains(node); },
      [&](Expr node) { finish(node, before, indent); });
  const Text* kept = kept_.find(e);
  return kept ? kept->text : texts_.at(e).text;
}

void CWriter::finish(Expr e, std::string& before, const std::string& indent) {
  Text text = make(e, before, indent);
  if (!is_leaf(e)) {
    ++text.depth;
    const std::uint32_t* uses = uses_.find(e);
    const bool shared = uses && *uses > 1 && !is_negated_leaf(e);
    if ((shared && (unconditional_.contains(e) || text.text.size() > kLongText)) || text.depth > kDeep) {
      const Text name{keep(text, before, indent), kPrimary, 0};
      kept_[e] = name;
      return;
    }
  }
  texts_[e] = std::move(text);
}

std::string CWriter::keep(const Text& value, std::string& before, const std::string& indent) {
  const std::string name = "e" + std::to_string(++constants_);
  before += indent + "const double " + name + " = " + value.text + ";\n";
  return name;
}

std::string CWriter::operand(Expr e, int precedence) const {
  const Text* kept = kept_.find(e);
  const Text& t = kept ? *kept : texts_.at(e);
  return t.precedence < precedence ? "(" + t.text + ")" : t.text;
}

bool CWriter::is_condition(Expr e) {
  while (e->op() == Op::NoEvent) e = e->child(0);
  switch (e->op()) {
    case Op::Less:
    case Op::LessEqual:
    case Op::Equal:
    case Op::Unequal:
    case Op::And:
    case Op::Or:
    case Op::Not: return true;
    default: return false;
  }
}

// As an operand of && || ! and ?: which numbers are compared with zero to be.
std::string CWriter::condition(Expr e, int precedence) const {
  if (is_condition(e) && !kept_.contains(e)) return operand(e, precedence);
  const std::string text = operand(e, kCompare) + " != 0";
  return precedence > kEqual ? "(" + text + ")" : text;
}

CWriter::Text CWriter::make(Expr e, std::string& before, const std::string& indent) {
  Text result;
  switch (e->op()) {
    case Op::Number: result = {c_number(e->number()), e->number() < 0 ? kSign : kPrimary, 0}; break;
    case Op::Boolean: result = {e->boolean() ? "1.0" : "0.0", kPrimary, 0}; break;
    case Op::Variable: result = {leaf_(leaf_of(e->variable())), kPrimary, 0}; break;
    case Op::Add: result = make_sum(e, before, indent); break;
    case Op::Mul: result = make_product(e, before, indent); break;
    case Op::Pow: result = make_power(e); break;
    case Op::Call: result = make_call(e); break;
    case Op::UserCall:
    case Op::TableCall: result = make_user_call(e); break;
    case Op::NoEvent: {
      const Text* kept = kept_.find(e->child(0));
      result = kept ? *kept : texts_.at(e->child(0));
      break;
    }
    case Op::If:
      result = {condition(e->child(0), kOr) + " ? " + operand(e->child(1), kOr) + " : " + operand(e->child(2), kChoice),
                kChoice, 0};
      break;
    case Op::Less: result = {operand(e->child(0), kSum) + " < " + operand(e->child(1), kSum), kCompare, 0}; break;
    case Op::LessEqual: result = {operand(e->child(0), kSum) + " <= " + operand(e->child(1), kSum), kCompare, 0}; break;
    case Op::Equal: result = {operand(e->child(0), kSum) + " == " + operand(e->child(1), kSum), kEqual, 0}; break;
    case Op::Unequal: result = {operand(e->child(0), kSum) + " != " + operand(e->child(1), kSum), kEqual, 0}; break;
    case Op::And:
    case Op::Or: result = make_logical(e, before, indent); break;
    case Op::Not: result = {"!" + condition(e->child(0), kPrimary), kSign, 0}; break;
    case Op::Time:
    case Op::Der:
    case Op::Pre:
    case Op::New:
    case Op::Delay: throw std::logic_error("an expression that was not translated");
  }
  for (const Expr child : e->children())
    if (const Text* t = texts_.find(child)) result.depth = std::max(result.depth, t->depth);
  return result;
}

CWriter::Text CWriter::make_sum(Expr e, std::string& before, const std::string& indent) {
  std::string text;
  std::size_t in_text = 0;
  for (const Expr term : e->children()) {
    const std::string t = operand(term, kProduct);
    if (!text.empty() && t[0] == '-' && t.size() > 1)
      text += " - " + t.substr(1);
    else
      text += (text.empty() ? "" : " + ") + t;
    if (++in_text < kLongSum) continue;
    text = keep({text, kSum, 0}, before, indent);
    in_text = 1;
  }
  return {text, kSum, 0};
}

CWriter::Text CWriter::make_product(Expr e, std::string& before, const std::string& indent) {
  std::string text;
  std::size_t in_text = 0;
  bool negative = false;
  for (std::size_t n = 0; n < e->size(); ++n) {
    const Expr factor = e->child(n);
    if (n == 0 && factor->is_number(-1)) {
      negative = true;
      continue;
    }
    if (const std::string divisor = kept_.contains(factor) ? "" : power_below(factor); !divisor.empty())
      text += (text.empty() ? "1.0/" : "/") + divisor;
    else
      text += (text.empty() ? "" : "*") + operand(factor, text.empty() ? kProduct : kSign);
    if (++in_text < kLongSum) continue;
    text = keep({text, kProduct, 0}, before, indent);
    in_text = 1;
  }
  if (!negative) return {text, kProduct, 0};
  if (text[0] == '-') text = "(" + text + ")";
  return {"-" + text, kProduct, 0};
}

// x, x*x, ... for the exponents 1 to 4; empty for others.
std::string CWriter::whole_power(Expr base, double exponent) const {
  if (exponent == 1) return operand(base, kSign);
  if (exponent == 2) return "square_of(" + operand(base, kChoice) + ")";
  if (exponent == 3) return "cube_of(" + operand(base, kChoice) + ")";
  if (exponent == 4) return "square_of(square_of(" + operand(base, kChoice) + "))";
  return "";
}

// What a power with a small negative exponent divides by; empty for everything else.
std::string CWriter::power_below(Expr e) const {
  const bool power = e->op() == Op::Pow && e->child(1)->is_number() && e->child(1)->number() < 0;
  return power ? whole_power(e->child(0), -e->child(1)->number()) : "";
}

CWriter::Text CWriter::make_power(Expr e) {
  const Expr base = e->child(0), exponent = e->child(1);
  if (const std::string below = power_below(e); !below.empty()) return {"1.0/" + below, kProduct, 0};
  if (const std::string whole = exponent->is_number() ? whole_power(base, exponent->number()) : ""; !whole.empty())
    return {whole, kSign, 0};
  return {"pow(" + operand(base, kChoice) + ", " + operand(exponent, kChoice) + ")", kPrimary, 0};
}

CWriter::Text CWriter::make_call(Expr e) {
  if (e->function() == Function::Min || e->function() == Function::Max) return make_extreme(e);
  std::string text = std::string(c_function(e->function())) + "(";
  for (std::size_t n = 0; n < e->size(); ++n) text += (n > 0 ? ", " : "") + operand(e->child(n), kChoice);
  return {text + ")", kPrimary, 0};
}

// Of many by pairs, so that calls are nested log2(n) deep.
CWriter::Text CWriter::make_extreme(Expr e) {
  std::vector<std::string> parts;
  for (const Expr child : e->children()) parts.push_back(operand(child, kChoice));
  const std::string name = c_function(e->function());
  while (parts.size() > 1) {
    std::vector<std::string> pairs;
    for (std::size_t n = 0; n + 1 < parts.size(); n += 2)
      pairs.push_back(name + "(" + parts[n] + ", " + parts[n + 1] + ")");
    if (parts.size() % 2 == 1) pairs.push_back(parts.back());
    parts = std::move(pairs);
  }
  return {parts[0], kPrimary, 0};
}

CWriter::Text CWriter::make_user_call(Expr e) {
  std::string arguments;
  for (const Expr child : e->children()) arguments += (arguments.empty() ? "" : ", ") + operand(child, kChoice);
  if (e->op() == Op::TableCall) {
    const TableUse& use = words_.table_uses[e->callee()];
    const std::string table = "(m, model_tables + " + leaf_({LeafKind::Table, use.table}) + ", " + arguments + ", ";
    const bool flat = words_.plan.system.model.tables[use.table].y.empty();
    if (flat) return {"fmr_table_1d" + table + std::to_string(use.order_x) + ")", kPrimary, 0};
    return {"fmr_table_2d" + table + std::to_string(use.order_x) + ", " + std::to_string(use.order_y) + ")", kPrimary,
            0};
  }
  if (const auto delay = words_.delay_of_callee(e->callee()))
    return {"fmr_delay(m, " + leaf_({LeafKind::Delay, *delay}) + ", " + arguments + ")", kPrimary, 0};
  if (e->callee() == Vocabulary::kRootCallee) return {"fmr_root(m, " + arguments + ")", kPrimary, 0};
  const equations::FlatModel& model = words_.plan.system.model;
  const equations::FunctionDefinition& f = model.functions[e->callee()];
  const std::string name = function_name(model, e->callee());
  if (f.external && f.results <= 1) return {name + "(" + arguments + ")", kPrimary, 0};
  const std::string result = std::to_string(e->result()) + (arguments.empty() ? "" : ", ");
  return {
      (f.external ? "fn_" + std::to_string(e->callee() + 1) + "_" + name : name) + "(m, " + result + arguments + ")",
      kPrimary, 0};
}

CWriter::Text CWriter::make_logical(Expr e, std::string& before, const std::string& indent) {
  const bool both = e->op() == Op::And;
  const int precedence = both ? kAnd : kOr;
  std::string text;
  std::size_t in_text = 0;
  for (const Expr child : e->children()) {
    // && inside || would be right without parentheses, but compilers warn.
    text += (text.empty() ? "" : both ? " && " : " || ") + condition(child, kEqual);
    if (++in_text < kLongSum) continue;
    text = keep({text, precedence, 0}, before, indent) + " != 0";
    in_text = 1;
  }
  return {text, precedence, 0};
}

}  // namespace fmugen::codegen
