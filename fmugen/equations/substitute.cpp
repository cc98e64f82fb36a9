// Substitution: one walk over the shared graph, whatever the number of variables. Parts without variables and time are
// returned as they are, so that the cost follows the parts that can change.
//
//   {x -> 2*y, z -> 3}   in   der(x) + sin(x*z)   gives   der(2*y) + sin(6*y)
#include "fmugen/equations/substitute.h"

#include "fmugen/equations/walk.h"

namespace fmugen::equations {

namespace {

struct Enter {
  Replacement replacement;
  Expr operator()(Expr e) const {
    if (!e->has_variable() && !e->has_time()) return e;
    switch (e->op()) {
      case Op::Variable:
      case Op::Time: {
        const Expr value = replacement(e);
        return value ? value : e;
      }
      case Op::Der:
      case Op::Pre:
      case Op::New:
      case Op::Delay: return replacement(e);
      default: return nullptr;
    }
  }
};

struct Leave {
  Expr operator()(Expr e) const { return e; }
};

}  // namespace

struct Substitution::Work {
  Rewriter<Enter, Leave> rewrite;
};

Substitution::Substitution(ExprPool& pool, Replacement replacement)
    : work_(new Work{{pool, Enter{std::move(replacement)}, Leave{}}}) {}

Substitution::Substitution(ExprPool& pool, std::span<const Expr> by_variable)
    : Substitution(pool, [by_variable](Expr e) -> Expr {
        if (e->op() != Op::Variable || index(e->variable()) >= by_variable.size()) return nullptr;
        return by_variable[index(e->variable())];
      }) {}

Substitution::~Substitution() = default;

Expr Substitution::operator()(Expr e) { return work_->rewrite(e); }

Expr substitute(ExprPool& pool, Expr e, const Replacement& replacement) { return Substitution(pool, replacement)(e); }

Expr substitute(ExprPool& pool, Expr e, VarId variable, Expr value) {
  return substitute(pool, e, [variable, value](Expr leaf) -> Expr {
    return leaf->op() == Op::Variable && leaf->variable() == variable ? value : nullptr;
  });
}

}  // namespace fmugen::equations
