// Evaluation with an explicit stack: a node waits until its operands are known; an `if` asks for its condition first
// and then for one branch only.
#include "fmugen/equations/evaluate.h"

#include <limits>

#include "fmugen/equations/functions.h"

namespace fmugen::equations {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

double sum(std::span<const double> x) {
  double total = x[0];
  for (std::size_t i = 1; i < x.size(); ++i) total += x[i];
  return total;
}

// A factor that is a power -1 divides: a/b is rounded once, as in the generated code.
double product(Expr e, std::span<const double> x, const NodeMap<double>& known) {
  double total = x[0];
  for (std::size_t i = 1; i < x.size(); ++i) {
    const Expr factor = e->child(i);
    if (factor->op() == Op::Pow && factor->child(1)->is_number(-1))
      total /= known.at(factor->child(0));
    else
      total *= x[i];
  }
  return total;
}

}  // namespace

double Evaluator::apply(Expr e, std::span<const double> x) const {
  switch (e->op()) {
    case Op::Number: return e->number();
    case Op::Boolean: return e->boolean();
    case Op::Variable: return values_.variable ? values_.variable(e->variable()) : kUnknown;
    case Op::Time: return values_.time;
    case Op::Add: return sum(x);
    case Op::Mul: return product(e, x, known_);
    case Op::Pow: return power(x[0], x[1]);
    case Op::Call: return function_value(e->function(), x);
    case Op::UserCall: return values_.function ? values_.function(e->callee(), e->result(), x) : kUnknown;
    case Op::TableCall: return values_.table ? values_.table(e->callee(), x) : kUnknown;
    case Op::Der:
    case Op::Pre:
    case Op::New:
    case Op::Delay: return values_.other ? values_.other(e) : kUnknown;
    case Op::NoEvent: return x[0];
    case Op::If: return kUnknown;  // handled by the caller
    case Op::Less: return x[0] < x[1];
    case Op::LessEqual: return x[0] <= x[1];
    case Op::Equal: return x[0] == x[1];
    case Op::Unequal: return x[0] != x[1];
    case Op::And:
      for (const double v : x)
        if (v == 0) return 0;
      return 1;
    case Op::Or:
      for (const double v : x)
        if (v != 0) return 1;
      return 0;
    case Op::Not: return x[0] == 0;
  }
  return kUnknown;
}

double Evaluator::operator()(Expr root) {
  struct Frame {
    Expr node;
    std::size_t next;
  };
  std::vector<Frame> stack;
  std::vector<double> operands;
  const auto want = [&](Expr e) {
    const bool missing = !known_.contains(e);
    if (missing) stack.push_back({e, 0});
    return missing;
  };
  want(root);
  while (!stack.empty()) {
    const Expr e = stack.back().node;
    if (e->op() == Op::If) {
      if (want(e->child(0))) continue;
      const Expr branch = e->child(known_.at(e->child(0)) != 0 ? 1 : 2);
      if (want(branch)) continue;
      const double value = known_.at(branch);
      known_[e] = value;
      stack.pop_back();
      continue;
    }
    const bool opaque = e->op() == Op::Der || e->op() == Op::Pre || e->op() == Op::New || e->op() == Op::Delay;
    bool waits = false;
    while (!opaque && !waits && stack.back().next < e->size()) waits = want(e->child(stack.back().next++));
    if (waits) continue;
    operands.clear();
    if (!opaque)
      for (const Expr child : e->children()) operands.push_back(known_.at(child));
    const double value = apply(e, operands);
    known_[e] = value;
    stack.pop_back();
  }
  return known_.at(root);
}

double evaluate(Expr e, const Values& values) { return Evaluator(values)(e); }

}  // namespace fmugen::equations
