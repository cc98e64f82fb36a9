// The arena and the hash table of expression nodes; see the header for the layout.
#include "fmugen/equations/expr_store.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <stdexcept>

namespace fmugen::equations {

namespace {

constexpr std::size_t kFirstSlots = 1024;
constexpr std::size_t kNodeWords = sizeof(Node) / sizeof(std::uint64_t);
static_assert(sizeof(Node) == 24 || sizeof(Node) == 32);
static_assert(sizeof(Expr) <= sizeof(std::uint64_t));

}  // namespace

ExprPool::Store::Store() : slots_(kFirstSlots) {
  next_ = kPageWords;  // no page yet: the first node asks for one, and place 0 is never used
  pages_.push_back(nullptr);
  time = intern(Op::Time, 0, {});
  no = intern(Op::Boolean, 0, {});
  yes = intern(Op::Boolean, 1, {});
  for (int i = 0; i < kSmall; ++i) small_[i] = intern_number(kSmallest + i);
}

Node* ExprPool::Store::at(std::uint32_t place) const {
  return std::launder(reinterpret_cast<Node*>(pages_[place >> kPageBits] + (place & (kPageWords - 1))));
}

std::uint32_t ExprPool::Store::allocate(std::size_t words) {
  const std::uint64_t end_of_page = std::uint64_t{pages_.size()} << kPageBits;
  if (next_ + words > end_of_page) {
    const std::size_t count = (words + kPageWords - 1) >> kPageBits;
    blocks_.emplace_back(new std::uint64_t[count << kPageBits]);
    next_ = end_of_page;
    for (std::size_t i = 0; i < count; ++i) pages_.push_back(blocks_.back().get() + (i << kPageBits));
  }
  if (next_ + words > std::numeric_limits<std::uint32_t>::max())
    throw std::length_error("the model needs more than 32 GiB of expressions");
  const auto place = static_cast<std::uint32_t>(next_);
  next_ += words;
  return place;
}

Expr ExprPool::Store::create(Op op, std::uint32_t extra, std::span<const Expr> children, std::uint32_t& place) {
  place = allocate(kNodeWords + children.size());
  Node* node = new (at(place)) Node;
  Expr* copies = reinterpret_cast<Expr*>(node + 1);
  node->op_ = op;
  node->extra_ = extra;
  node->count_ = static_cast<std::uint32_t>(children.size());
  node->id_ = nodes++;
  std::uint8_t flags = op == Op::Der ? Node::kHasDer : op == Op::Time ? Node::kHasTime : 0;
  std::uint64_t below = 0;
  for (std::size_t i = 0; i < children.size(); ++i) {
    new (copies + i) Expr(children[i]);
    flags |= children[i]->flags_;
    if (children[i]->op_ != Op::Number) below |= children[i]->variables_;
  }
  node->flags_ = flags;
  node->variables_ = below;
  return node;
}

template <class Same, class Create>
Expr ExprPool::Store::find(std::uint32_t hash, Same same, Create create_node) {
  const std::size_t mask = slots_.size() - 1;
  std::size_t i = hash & mask;
  for (; slots_[i].place != 0; i = (i + 1) & mask)
    if (slots_[i].hash == hash && same(at(slots_[i].place))) return at(slots_[i].place);
  std::uint32_t place = 0;
  const Expr made = create_node(place);
  slots_[i] = {hash, place};
  if (++used_ * 10 > slots_.size() * 7) grow();
  return made;
}

void ExprPool::Store::grow() {
  std::vector<Slot> larger(slots_.size() * 2);
  const std::size_t mask = larger.size() - 1;
  for (const Slot& slot : slots_) {
    if (slot.place == 0) continue;
    std::size_t i = slot.hash & mask;
    while (larger[i].place != 0) i = (i + 1) & mask;
    larger[i] = slot;
  }
  slots_.swap(larger);
}

Expr ExprPool::Store::intern(Op op, std::uint32_t extra, std::span<const Expr> children) {
  const std::uint32_t hash = hash_operands(mix(static_cast<std::uint64_t>(op) + 1, extra), children);
  return find(
      hash,
      [&](const Node* n) { return n->op_ == op && n->extra_ == extra && std::ranges::equal(n->children(), children); },
      [&](std::uint32_t& place) { return create(op, extra, children, place); });
}

Expr ExprPool::Store::intern_number(double value) {
  if (value == 0) value = 0;                                                // no negative zero
  if (std::isnan(value)) value = std::numeric_limits<double>::quiet_NaN();  // one NaN
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const auto hash = static_cast<std::uint32_t>(mix(mix(0, bits), bits >> 32));
  return find(
      hash, [&](const Node* n) { return n->op_ == Op::Number && std::bit_cast<std::uint64_t>(n->number_) == bits; },
      [&](std::uint32_t& place) {
        const Expr made = create(Op::Number, 0, {}, place);
        at(place)->number_ = value;
        return made;
      });
}

Expr ExprPool::Store::intern_variable(VarId id) {
  if (index(id) >= variables_.size()) variables_.resize(std::max<std::size_t>(index(id) + 1, variables_.size() * 2));
  Expr& known = variables_[index(id)];
  if (!known) {
    std::uint32_t place = 0;
    known = create(Op::Variable, index(id), {}, place);
    at(place)->flags_ = Node::kHasVariable;
    at(place)->variables_ = Node::signature(id);
  }
  return known;
}

std::size_t ExprPool::Store::bytes() const {
  return (pages_.size() - 1) * kPageWords * sizeof(std::uint64_t) + slots_.size() * sizeof(Slot) +
         variables_.size() * sizeof(Expr);
}

}  // namespace fmugen::equations
