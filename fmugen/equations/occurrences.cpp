// Occurrences of variables: a depth-first walk over shared nodes. A node is marked with the number of the walk, so that
// the marks of earlier walks need not be cleared.
#include "fmugen/equations/occurrences.h"

#include <algorithm>

namespace fmugen::equations {

namespace {

bool is_leaf(Expr e) {
  switch (e->op()) {
    case Op::Variable:
    case Op::Der:
    case Op::Pre:
    case Op::New:
    case Op::Delay: return true;
    default: return false;
  }
}

}  // namespace

void Occurrences::start() {
  if (++walk_ == 0) {  // after four billion walks the numbers begin again
    std::fill(stamps_.begin(), stamps_.end(), 0);
    walk_ = 1;
  }
  stack_.clear();
}

bool Occurrences::first_visit(Expr e) {
  if (e->id() >= stamps_.size()) stamps_.resize(std::max<std::size_t>(e->id() + 1, 2 * stamps_.size()));
  if (stamps_[e->id()] == walk_) return false;
  stamps_[e->id()] = walk_;
  return true;
}

void Occurrences::leaves(Expr e, std::vector<Expr>& out) {
  start();
  stack_.push_back(e);
  while (!stack_.empty()) {
    const Expr top = stack_.back();
    stack_.pop_back();
    if (!top->has_variable() || !first_visit(top)) continue;
    if (is_leaf(top)) {
      out.push_back(top);
    } else {
      for (std::size_t i = top->size(); i-- > 0;) stack_.push_back(top->child(i));
    }
  }
}

void Occurrences::variables(Expr e, std::vector<VarId>& out) {
  start();
  stack_.push_back(e);
  while (!stack_.empty()) {
    const Expr top = stack_.back();
    stack_.pop_back();
    if (!top->has_variable() || !first_visit(top)) continue;
    if (top->op() == Op::Variable) out.push_back(top->variable());
    for (std::size_t i = top->size(); i-- > 0;) stack_.push_back(top->child(i));
  }
}

void Occurrences::present(Expr e, std::vector<VarId>& out) {
  start();
  stack_.push_back(e);
  while (!stack_.empty()) {
    const Expr top = stack_.back();
    stack_.pop_back();
    if (!top->has_variable() || !first_visit(top)) continue;
    if (top->op() == Op::Variable) out.push_back(top->variable());
    if (top->op() == Op::Der || top->op() == Op::Pre) continue;
    const std::size_t first = top->op() == Op::Delay ? 1 : 0;
    for (std::size_t i = top->size(); i-- > first;) stack_.push_back(top->child(i));
  }
}

bool contains(Expr e, Expr leaf) {
  std::vector<Expr> found;
  Occurrences().leaves(e, found);
  return std::find(found.begin(), found.end(), leaf) != found.end();
}

}  // namespace fmugen::equations
