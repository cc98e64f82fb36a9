// A shape is written down as a string: the nodes of the expression, children first, each with its operation and the
// numbers of its children; a leaf gives its kind only. Shared nodes are written once, so that x*y and x*x differ.
//
//   v[3]*v[7] + held[1]      value, value, product 0 1, held, sum 2 3         leaves v[3], v[7], held[1]
//   v[5]*v[9] + held[4]      the same                                         leaves v[5], v[9], held[4]
//
// The cost is the number of different nodes.
#include "fmugen/codegen/shapes.h"

#include <algorithm>
#include <cstring>

namespace fmugen::codegen {

using equations::Op;

void Shapes::put(std::uint32_t value) {
  for (; value >= 0x80; value >>= 7) key_ += static_cast<char>(value | 0x80);
  key_ += static_cast<char>(value);
}

std::uint32_t Shapes::shape(Expr e, std::vector<Leaf>& leaves) {
  walk_.resize(words_.pool.nodes(), 0);
  number_.resize(words_.pool.nodes(), 0);
  ++walks_;
  count_ = 0;
  key_.clear();
  const std::size_t first = leaves.size();
  equations::post_order(
      e, [&](Expr node) { return walk_[node->id()] == walks_; }, [&](Expr node) { describe(node, leaves, first); });
  return numbers_.emplace(key_, static_cast<std::uint32_t>(numbers_.size())).first->second;
}

void Shapes::describe(Expr e, std::vector<Leaf>& leaves, std::size_t first) {
  walk_[e->id()] = walks_;
  number_[e->id()] = count_++;
  key_ += static_cast<char>(e->op());
  switch (e->op()) {
    case Op::Number: {
      char bytes[sizeof(double)];
      const double value = e->number();
      std::memcpy(bytes, &value, sizeof value);
      key_.append(bytes, sizeof bytes);
      return;
    }
    case Op::Boolean: put(e->boolean()); return;
    case Op::Variable: {
      const Leaf leaf = leaf_of(e->variable());
      key_ += static_cast<char>(leaf.kind);
      leaves.push_back(leaf);
      return;
    }
    case Op::Call: put(static_cast<std::uint32_t>(e->function())); break;
    case Op::UserCall:
      if (const auto delay = words_.delay_of_callee(e->callee())) {
        put(0xffffff);
        describe_number({LeafKind::Delay, *delay}, leaves, first);
      } else {
        put(e->callee());
        put(e->result());
      }
      break;
    case Op::TableCall: {
      const TableUse& use = words_.table_uses[e->callee()];
      put(use.order_x);
      put(use.order_y);
      describe_number({LeafKind::Table, use.table}, leaves, first);
      break;
    }
    default: break;
  }
  put(static_cast<std::uint32_t>(e->size()));
  for (const Expr child : e->children()) put(number_[child->id()]);
}

// Tables and delays are few in one expression.
void Shapes::describe_number(Leaf leaf, std::vector<Leaf>& leaves, std::size_t first) {
  const auto begin = leaves.begin() + static_cast<std::ptrdiff_t>(first);
  const auto known = std::find_if(
      begin, leaves.end(), [&](const Leaf& other) { return other.kind == leaf.kind && other.number == leaf.number; });
  put(static_cast<std::uint32_t>(known - begin));
  if (known == leaves.end()) leaves.push_back(leaf);
}

}  // namespace fmugen::codegen
