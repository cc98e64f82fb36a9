// Functions of the model are differentiated by forward differentiation of their text: before each assignment stands that of
// its tangent, computed with the values from before. Branches and loops stay as they are; a condition and the number of
// rounds of a loop do not change by a small change of the arguments.
//
//   function f(a, b)               function f'(a, b, der(a), der(b))          result der(f)
//     c := a*b                       der(c) := der(a)*b + a*der(b);   c := a*b
//     if c > 0 then                  if c > 0 then
//       f := sqrt(c)                   der(f) := 1/(2*sqrt(c))*der(c);   f := sqrt(c)
//
// One tangent serves all arguments: with 1 for one change and 0 for the others it gives a partial derivative. The tangent
// is a function like any other, so that second derivatives are tangents of tangents. The derivative of an external function
// is C code of the user with the same arguments.
//
// A table has a slope of its own; at a point where the interpolant has a kink it is that to the right. Events are not made
// of it.
//
// Reference: A. Griewank, A. Walther: Evaluating Derivatives, 2nd ed., SIAM 2008, chapter 3.
#include "fmugen/equations/call_derivatives.h"

#include <numeric>

#include "fmugen/equations/substitute.h"

namespace fmugen::equations {

namespace {

constexpr std::uint32_t kHighestTableOrder = 2;  // what the run time knows
constexpr std::size_t kLongestName = 200;        // of a derivative of a derivative: further ones are no use

// Numbers in the tangent: arguments, their changes, changes of the results; then results, locals and changes of these.
class Tangent {
 public:
  Tangent(FlatModel& model, const FunctionDefinition& f)
      : model_(model),
        pool_(model.pool),
        differentiate_(
            model.pool, [this](Expr leaf) { return change_of(leaf); }, call_derivatives(model)) {
    const auto n = static_cast<std::uint32_t>(f.variables.size());
    result_.name = f.name + "'";
    result_.arguments = 2 * f.arguments;
    result_.results = f.results;
    result_.where = f.where;
    value_.resize(n);
    change_.resize(n);
    const auto add = [&](std::uint32_t k, std::vector<std::uint32_t>& place, bool change) {
      place[k] = static_cast<std::uint32_t>(result_.variables.size());
      result_.variables.push_back(change ? "der(" + f.variables[k] + ")" : f.variables[k]);
    };
    for (std::uint32_t k = 0; k < f.arguments; ++k) add(k, value_, false);
    for (std::uint32_t k = 0; k < f.arguments + f.results; ++k) add(k, change_, true);
    for (std::uint32_t k = f.arguments; k < n; ++k) add(k, value_, false);
    for (std::uint32_t k = f.arguments + f.results; k < n; ++k) add(k, change_, true);
    for (std::uint32_t k = 0; k < n; ++k) {
      moved_.push_back(pool_.variable(VarId{value_[k]}));
      if (rate_.size() <= value_[k]) rate_.resize(value_[k] + 1, 0);
      rate_[value_[k]] = change_[k];
    }
  }

  // False if something in the function has no derivative.
  bool build(const FunctionDefinition& f, FunctionDefinition& out) {
    result_.body = body(f.body);
    out = std::move(result_);
    return good_;
  }

 private:
  Expr change_of(Expr leaf) {
    if (leaf->op() != Op::Variable) return nullptr;
    return pool_.variable(VarId{rate_[index(leaf->variable())]});
  }

  Expr moved(Expr e) { return e ? Substitution(pool_, moved_)(e) : nullptr; }

  // The recursion goes as deep as statements are nested in the text.
  std::vector<FunctionStep> body(const std::vector<FunctionStep>& steps) {
    std::vector<FunctionStep> out;
    for (const FunctionStep& step : steps) {
      FunctionStep copy;
      copy.kind = step.kind;
      copy.where = step.where;
      switch (step.kind) {
        case FunctionStepKind::Assign: assign(step, out); continue;
        case FunctionStepKind::If:
          for (const FunctionChoice& choice : step.choices)
            copy.choices.push_back({moved(choice.condition), body(choice.body)});
          break;
        case FunctionStepKind::For:
          copy.target = value_[step.target];
          copy.from = moved(step.from);
          copy.to = moved(step.to);
          copy.body = body(step.body);
          copy.body.insert(copy.body.begin(), assignment(change_[step.target], pool_.number(0), step.where));
          break;
      }
      out.push_back(std::move(copy));
    }
    return out;
  }

  void assign(const FunctionStep& step, std::vector<FunctionStep>& out) {
    const Expr value = moved(step.value);
    const Derivative change = differentiate_(value);
    good_ = good_ && change;
    if (change) out.push_back(assignment(change_[step.target], change.value, step.where));
    out.push_back(assignment(value_[step.target], value, step.where));
  }

  static FunctionStep assignment(std::uint32_t target, Expr value, support::SourceRange where) {
    FunctionStep step;
    step.target = target;
    step.value = value;
    step.where = where;
    return step;
  }

  FlatModel& model_;
  ExprPool& pool_;
  Differentiator differentiate_;
  FunctionDefinition result_;
  std::vector<std::uint32_t> value_, change_;  // by variable of the function: its numbers in the tangent
  std::vector<std::uint32_t> rate_;            // by variable of the tangent: the one that is its change
  std::vector<Expr> moved_;
  bool good_ = true;
};

std::uint32_t table_derivative(FlatModel& model, std::uint32_t number, bool by_y) {
  const TableData& t = model.tables[number];
  const std::uint32_t base = t.derivative_of == kNoTangent ? number : t.derivative_of;
  const std::uint32_t order_x = t.order_x + (by_y ? 0 : 1), order_y = t.order_y + (by_y ? 1 : 0);
  if (order_x + order_y > kHighestTableOrder) return kNoTangent;
  for (std::uint32_t k = base; k < model.tables.size(); ++k)
    if (const TableData& other = model.tables[k];
        other.derivative_of == base && other.order_x == order_x && other.order_y == order_y)
      return k;
  TableData derived;
  const TableData& original = model.tables[base];
  derived.name = original.name + std::string(order_x + order_y, '\'');
  if (!original.y.empty()) derived.name += std::string(order_x, 'x') + std::string(order_y, 'y');
  derived.derivative_of = base;
  derived.order_x = order_x;
  derived.order_y = order_y;
  derived.where = original.where;
  model.tables.push_back(std::move(derived));
  return static_cast<std::uint32_t>(model.tables.size() - 1);
}

}  // namespace

// The recursion goes as deep as functions call each other.
std::uint32_t tangent_of(FlatModel& model, std::uint32_t function) {
  if (model.functions[function].tangent || model.functions[function].name.size() > kLongestName)
    return model.functions[function].tangent.value_or(kNoTangent);
  const FunctionDefinition f = model.functions[function];  // the list grows
  FunctionDefinition tangent;
  bool good = true;
  if (f.external) {
    good = !f.derivative.empty();
    tangent.external = true;
    tangent.name = f.derivative;
    tangent.file = f.file;
    tangent.where = f.where;
    tangent.arguments = 2 * f.arguments;
    tangent.results = f.results;
    tangent.variables.assign(f.variables.begin(), f.variables.begin() + f.arguments);
    for (std::uint32_t k = 0; k < f.arguments + f.results; ++k)
      tangent.variables.push_back("der(" + f.variables[k] + ")");
  } else {
    good = Tangent(model, f).build(f, tangent);
  }
  if (good) {
    model.functions[function].tangent = static_cast<std::uint32_t>(model.functions.size());
    model.functions.push_back(std::move(tangent));
  } else {
    model.functions[function].tangent = kNoTangent;
  }
  return *model.functions[function].tangent;
}

Expr call_derivative(FlatModel& model, Expr call, std::size_t argument) {
  ExprPool& pool = model.pool;
  if (call->op() == Op::TableCall) {
    const std::uint32_t derived = table_derivative(model, call->callee(), argument == 1);
    return derived == kNoTangent ? nullptr : pool.table_call(derived, call->children());
  }
  const std::uint32_t tangent = tangent_of(model, call->callee());
  if (tangent == kNoTangent) return nullptr;
  std::vector<Expr> arguments(call->children().begin(), call->children().end());
  for (std::size_t k = 0; k < call->size(); ++k) arguments.push_back(pool.number(k == argument ? 1 : 0));
  return pool.user_call(tangent, call->result(), arguments);
}

}  // namespace fmugen::equations
