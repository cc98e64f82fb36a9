// Alias removal.
//
// An equation a = b, a = -b, a + b = 0 or a = number says that a variable is another one. Such variables form classes in
// a union-find structure that carries signs; each class has one representative, or is a number. When two variables
// become one, longer sums in which both occur get shorter and may become such equations themselves, so sums wait in
// lists by the classes they mention, and the shorter list is looked at again when two classes join: O(n log n).
//
//   R1.Vb = C.Va, C.Va = R2.Va          one class {R1.Vb, C.Va, R2.Va}, two equations gone
//   -R1.I + C.I + R2.I = 0, C.I = 0     R1.I and R2.I become one
//
// If x and y are one, so are their derivatives. What is left after substitution may repeat another equation: repeated
// ones are dropped. A class that would be two different numbers, or x = -x + 1, is a contradiction; the chain of
// equations that leads to it is shown.
#include <algorithm>
#include <cmath>
#include <deque>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "fmugen/equations/simplify.h"
#include "fmugen/equations/substitute.h"
#include "fmugen/structure/explain.h"
#include "fmugen/structure/system.h"

namespace fmugen::structure {

using equations::Op;
using equations::VariableKind;

namespace {

constexpr double kRounding = 1e-12;      // of sums of numbers, relative: 0.1 + 0.2 is 0.3
constexpr std::size_t kLongestSum = 16;  // terms; longer sums seldom shrink to an alias

struct Term {
  VarId variable;
  double factor;
};
struct Sum {
  std::vector<Term> terms;
  double constant = 0;
  std::uint32_t equation = 0;
  bool done = false;
};

struct Link {  // variables joined by an equation: the proof of what became equal
  std::uint32_t other;
  std::uint32_t equation;
};

class Classes {
 public:
  Classes(System& system, AliasMode mode, support::Diagnostics& diagnostics)
      : s_(system), mode_(mode), diagnostics_(diagnostics), n_(system.model.variables.size()) {
    parent_.resize(n_);
    for (std::uint32_t v = 0; v < n_; ++v) parent_[v] = v;
    sign_.assign(n_, 1);
    value_.assign(n_, std::nan(""));
    fixed_by_.assign(n_, kNone);
    known_.assign(n_, false);
    best_ = parent_;
    for (std::uint32_t v = 0; v < n_; ++v) known_[v] = !is_unknown(s_, VarId{v});
    waiting_.resize(n_);
    links_.resize(n_);
    gone_.assign(s_.equations.size(), false);
  }

  void run() {
    for (std::uint32_t k = 0; k < s_.equations.size(); ++k) read(k);
    while (!work_.empty() && !diagnostics_.full()) {
      const std::uint32_t k = work_.front();
      work_.pop_front();
      if (!sums_[k].done) look(sums_[k], k);
    }
  }

  void store();

 private:
  std::uint32_t find(std::uint32_t v, int& sign) {
    int total = 1;
    std::uint32_t root = v;
    while (parent_[root] != root) {
      total *= sign_[root];
      root = parent_[root];
    }
    sign = total;
    while (parent_[v] != root) {  // compress: every variable on the way points to the root with its own sign
      const std::uint32_t next = parent_[v];
      const int own = total;
      total *= sign_[v];
      parent_[v] = root;
      sign_[v] = own;
      v = next;
    }
    return root;
  }

  bool removable(VarId v) const {
    const equations::Variable& variable = s_.model[v];
    return variable.kind != VariableKind::Parameter && variable.kind != VariableKind::Constant &&
           variable.kind != VariableKind::Discrete && variable.type == equations::VariableType::Real &&
           variable.sample < 0;
  }

  // A side of an equation as +-x, a number, or a sum of these.
  bool add_side(Expr e, double factor, Sum& sum) const {
    const auto term = [&](Expr t) {
      if (t->is_number()) {
        sum.constant += factor * t->number();
        return true;
      }
      double f = factor;
      if (t->op() == Op::Mul && t->size() == 2 && t->child(0)->is_number()) {
        f *= t->child(0)->number();
        t = t->child(1);
      }
      if (t->op() != Op::Variable || !removable(t->variable())) return false;
      sum.terms.push_back({t->variable(), f});
      return true;
    };
    if (e->op() != Op::Add) return term(e);
    if (e->size() > kLongestSum) return false;
    return std::all_of(e->children().begin(), e->children().end(), term);
  }

  void read(std::uint32_t equation) {
    const SystemEquation& e = s_.equations[equation];
    if (mode_ == AliasMode::None) return;
    const bool literal = e.left->op() == Op::Variable && e.right->op() == Op::Variable;
    if (mode_ == AliasMode::Equal && !literal) return;
    Sum sum;
    sum.equation = equation;
    if (!add_side(e.left, 1, sum) || !add_side(e.right, -1, sum)) return;
    for (const Term& t : sum.terms)  // der(x) = v and der(x) = 1 stay equations: they say how x changes
      if (s_.integral[index(t.variable)] != kNone) return;
    const auto k = static_cast<std::uint32_t>(sums_.size());
    for (const Term& t : sum.terms) {
      int ignored;
      waiting_[find(index(t.variable), ignored)].push_back(k);
    }
    sums_.push_back(std::move(sum));
    work_.push_back(k);
  }

  void look(Sum& sum, std::uint32_t number);
  void join(std::uint32_t a, std::uint32_t b, int sign, Sum& sum);
  void set_value(std::uint32_t root, double value, Sum& sum);
  void wake(std::uint32_t root) {
    for (const std::uint32_t k : waiting_[root])
      if (!sums_[k].done) work_.push_back(k);
  }
  void finish(Sum& sum) {
    sum.done = true;
    gone_[sum.equation] = true;
  }
  void contradiction(Sum& sum);
  std::vector<std::uint32_t> reasons(const Sum& sum);
  std::vector<std::uint32_t> proof(std::uint32_t from, std::uint32_t to) const;
  int rank(std::uint32_t v) const;

  System& s_;
  AliasMode mode_;
  support::Diagnostics& diagnostics_;
  std::size_t n_;
  std::vector<std::uint32_t> parent_;
  std::vector<int> sign_;                            // v = sign*parent
  std::vector<double> value_;                        // of a root, NaN: none
  std::vector<std::uint32_t> fixed_by_;              // of a root with a value: the equation that gave it
  std::vector<bool> known_;                          // of a root: given from outside
  std::vector<std::uint32_t> best_;                  // of a root: the representative
  std::vector<std::vector<std::uint32_t>> waiting_;  // of a root: sums that mention it
  std::vector<std::vector<Link>> links_;
  std::vector<Sum> sums_;
  std::deque<std::uint32_t> work_;
  std::vector<bool> gone_;
};

void Classes::look(Sum& sum, std::uint32_t) {
  // Collect by class.
  std::vector<std::pair<std::uint32_t, double>> left;
  double constant = sum.constant, size = std::abs(sum.constant);
  for (const Term& t : sum.terms) {
    int sign = 1;
    const std::uint32_t root = find(index(t.variable), sign);
    if (!std::isnan(value_[root])) {
      constant += t.factor * sign * value_[root];
      size = std::max(size, std::abs(t.factor * value_[root]));
      continue;
    }
    const auto there = std::find_if(left.begin(), left.end(), [&](const auto& p) { return p.first == root; });
    if (there == left.end())
      left.emplace_back(root, t.factor * sign);
    else
      there->second += t.factor * sign;
  }
  std::erase_if(left, [](const auto& p) { return p.second == 0; });
  if (left.empty()) {
    if (std::abs(constant) > kRounding * size) return contradiction(sum);
    s_.dropped.push_back(s_.equations[sum.equation].flat);
    return finish(sum);
  }
  if (mode_ == AliasMode::Equal) {
    if (left.size() == 2) join(left[0].first, left[1].first, 1, sum);
    return;
  }
  if (left.size() == 1 && !known_[left[0].first])
    return set_value(left[0].first, -constant / left[0].second + 0.0, sum);
  if (left.size() == 2 && constant == 0 && std::abs(left[0].second) == std::abs(left[1].second))
    join(left[0].first, left[1].first, left[0].second == left[1].second ? -1 : 1, sum);
}

// a = sign*b for two roots.
void Classes::join(std::uint32_t a, std::uint32_t b, int sign, Sum& sum) {
  if (known_[a] && known_[b]) return;  // two inputs are equal: a constraint, not an alias
  finish(sum);
  const std::uint32_t va = index(sum.terms.front().variable), vb = index(sum.terms.back().variable);
  links_[va].push_back({vb, sum.equation});
  links_[vb].push_back({va, sum.equation});
  if (waiting_[a].size() < waiting_[b].size()) std::swap(a, b);
  wake(b);
  parent_[b] = a;
  sign_[b] = sign;
  if (rank(best_[b]) > rank(best_[a])) best_[a] = best_[b];
  known_[a] = known_[a] || known_[b];
  if (!std::isnan(value_[b])) {
    value_[a] = sign * value_[b];
    fixed_by_[a] = fixed_by_[b];
  }
  waiting_[a].insert(waiting_[a].end(), waiting_[b].begin(), waiting_[b].end());
  waiting_[b] = {};
}

void Classes::set_value(std::uint32_t root, double value, Sum& sum) {
  finish(sum);
  value_[root] = value;
  fixed_by_[root] = sum.equation;
  wake(root);
}

std::vector<std::uint32_t> Classes::proof(std::uint32_t from, std::uint32_t to) const {
  std::unordered_map<std::uint32_t, Link> came{{from, {from, kNone}}};
  std::deque<std::uint32_t> queue{from};
  while (!queue.empty() && !came.contains(to)) {
    const std::uint32_t v = queue.front();
    queue.pop_front();
    for (const Link& link : links_[v])
      if (came.emplace(link.other, Link{v, link.equation}).second) queue.push_back(link.other);
  }
  std::vector<std::uint32_t> equations;
  for (std::uint32_t v = to; came.contains(v) && v != from; v = came.at(v).other)
    equations.push_back(came.at(v).equation);
  return equations;
}

// Every equation that had a part in the values and equalities of a sum's terms, the sum itself left out.
std::vector<std::uint32_t> Classes::reasons(const Sum& sum) {
  std::unordered_map<std::uint32_t, const Sum*> sum_of;  // by equation
  for (const Sum& other : sums_) sum_of.emplace(other.equation, &other);
  std::vector<std::uint32_t> found, queue{sum.equation};
  std::unordered_set<std::uint32_t> seen{sum.equation};
  const auto add = [&](std::uint32_t equation) {
    if (seen.insert(equation).second) queue.push_back(equation);
  };
  for (std::size_t next = 0; next < queue.size(); ++next) {
    std::unordered_map<std::uint32_t, std::uint32_t> first;  // of the terms of a class
    for (const Term& t : sum_of.at(queue[next])->terms) {
      int ignored;
      const std::uint32_t v = index(t.variable), root = find(v, ignored);
      const auto [there, fresh] = first.emplace(root, v);
      if (!fresh)
        for (const std::uint32_t k : proof(v, there->second)) add(k);
      if (fixed_by_[root] == kNone) continue;
      add(fixed_by_[root]);
      for (const Term& other : sum_of.at(fixed_by_[root])->terms)
        if (find(index(other.variable), ignored) == root)
          for (const std::uint32_t k : proof(v, index(other.variable))) add(k);
    }
    if (next > 0) found.push_back(queue[next]);
  }
  std::sort(found.begin(), found.end());
  return found;
}

void Classes::contradiction(Sum& sum) {
  const equations::FlatEquation& flat = s_.model.equations[s_.equations[sum.equation].flat];
  auto& error = diagnostics_.error(flat.origin.where, "this contradicts other equations: " + describe(s_, flat));
  const std::vector<std::uint32_t> others = reasons(sum);
  constexpr std::size_t kMost = 8;
  for (std::size_t k = 0; k < std::min(others.size(), kMost); ++k) {
    const equations::FlatEquation& other = s_.model.equations[s_.equations[others[k]].flat];
    error.remark(other.origin.where, "with " + describe(s_, other));
  }
  if (others.size() > kMost) error.remark("and " + std::to_string(others.size() - kMost) + " further equations");
  std::set<std::uint32_t> sets;
  for (const std::uint32_t k : others)
    if (const auto& origin = s_.model.equations[s_.equations[k].flat].origin;
        origin.kind == equations::OriginKind::Across)
      sets.insert(origin.set);
  if (flat.origin.kind == equations::OriginKind::Across) sets.insert(flat.origin.set);
  for (const std::uint32_t set : sets) {
    const auto& statements = s_.model.sets[set].statements;
    for (std::size_t k = 1; k < std::min(statements.size(), kMost); ++k)
      error.remark(statements[k], "this belongs to the " + describe_set(s_, set));
  }
  sum.done = true;
}

// What makes a good representative: known from outside, a state, wanted or started as one, an output.
int Classes::rank(std::uint32_t v) const {
  const equations::Variable& variable = s_.model.variables[v];
  const equations::Attributes& attributes = s_.model.attributes_of(VarId{v});
  int rank = 0;
  if (!is_unknown(s_, VarId{v})) rank += 64;
  if (s_.derivative[v] != kNone) rank += 32;
  if (attributes.state_select > equations::StateSelect::Default) rank += 16;
  if (variable.initial || attributes.fixed.value_or(false)) rank += 8;
  if (attributes.start) rank += 4;
  if (variable.kind == VariableKind::Output) rank += 2;
  return rank;
}

void Classes::store() {
  equations::ExprPool& pool = s_.model.pool;
  const auto count = static_cast<std::uint32_t>(s_.model.variables.size());
  // The derivative of a class is the derivative of its representative.
  for (std::uint32_t v = 0; v < n_; ++v) {
    int sign = 1, best_sign = 1;
    const std::uint32_t root = find(v, sign);
    if (!std::isnan(value_[root])) {
      s_.alias[v] = {VarId{v}, 1, true, sign * value_[root]};
      ++s_.aliases;
      continue;
    }
    const std::uint32_t best = best_[root];
    find(best, best_sign);
    s_.alias[v] = {VarId{best}, sign * best_sign, false, 0};
    if (best != v) ++s_.aliases;
  }
  for (std::uint32_t v = 0; v < n_; ++v) {
    const std::uint32_t d = s_.derivative[v];
    if (d == kNone) continue;
    const Alias a = s_.alias[v];
    if (a.constant) {
      s_.alias[d] = {VarId{d}, 1, true, 0};
      ++s_.aliases;
    } else if (index(a.root) != v) {
      const VarId rate = s_.derivative_of(a.root);
      s_.alias[d] = {rate, a.sign, false, 0};
      if (index(rate) != d) ++s_.aliases;
    }
  }
  std::vector<Expr> replacement(s_.model.variables.size(), nullptr);
  for (std::uint32_t v = 0; v < count; ++v) {
    const Alias& a = s_.alias[v];
    if (a.constant)
      replacement[v] = pool.number(a.value);
    else if (index(a.root) != v)
      replacement[v] = a.sign > 0 ? pool.variable(a.root) : pool.neg(pool.variable(a.root));
  }
  equations::Substitution substitute(pool, replacement);
  std::vector<SystemEquation> kept;
  equations::Simplifier simplify(pool);
  std::unordered_map<Expr, std::uint32_t> seen;
  for (std::uint32_t k = 0; k < s_.equations.size(); ++k) {
    if (gone_[k]) continue;
    SystemEquation e = s_.equations[k];
    const Expr left = substitute(e.left), right = substitute(e.right);
    const bool changed = left != e.left || right != e.right;
    e.left = left;
    e.right = right;
    if (mode_ == AliasMode::All) {
      const Expr residual = simplify(pool.sub(left, right));
      if (changed && residual->is_number(0)) {
        s_.dropped.push_back(e.flat);
        continue;
      }
      const Expr negative = simplify(pool.neg(residual));
      if (!seen.emplace(residual, k).second || (negative != residual && seen.contains(negative))) {
        s_.dropped.push_back(e.flat);
        continue;
      }
    }
    kept.push_back(e);
  }
  s_.equations = std::move(kept);
}

}  // namespace

void remove_aliases(System& system, AliasMode mode, support::Diagnostics& diagnostics) {
  Classes classes(system, mode, diagnostics);
  classes.run();
  if (!diagnostics.has_errors()) classes.store();
}

}  // namespace fmugen::structure
