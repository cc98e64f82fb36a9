// Walking shared expressions: each node once, children before parents, without recursion. What looks like a tree of
// exponential size is a graph of few nodes, and every pass remembers its result per node in a NodeMap.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "fmugen/equations/expr.h"

namespace fmugen::equations {

// A map from nodes to values: open addressing, linear probing, at most half full.
template <class Value>
class NodeMap {
 public:
  const Value* find(Expr e) const {
    if (entries_.empty()) return nullptr;
    const Entry& entry = entries_[slot(e)];
    return entry.node ? &entry.value : nullptr;
  }
  Value* find(Expr e) { return const_cast<Value*>(std::as_const(*this).find(e)); }
  bool contains(Expr e) const { return find(e) != nullptr; }
  const Value& at(Expr e) const { return entries_[slot(e)].value; }  // must be there

  // The value of a node, made by default if it has none. Valid until the next insertion.
  Value& operator[](Expr e) {
    if (2 * (used_ + 1) > entries_.size()) grow();
    Entry& entry = entries_[slot(e)];
    if (!entry.node) {
      entry.node = e;
      ++used_;
    }
    return entry.value;
  }

  std::size_t size() const { return used_; }

 private:
  struct Entry {
    Expr node = nullptr;
    Value value{};
  };

  std::size_t slot(Expr e) const {
    const std::size_t mask = entries_.size() - 1;
    std::size_t i = e->id() * std::size_t{0x9e3779b97f4a7c15u} >> 20 & mask;
    while (entries_[i].node && entries_[i].node != e) i = (i + 1) & mask;
    return i;
  }

  void grow() {
    std::vector<Entry> old(entries_.empty() ? 16 : entries_.size() * 2);
    old.swap(entries_);
    for (Entry& entry : old)
      if (entry.node) entries_[slot(entry.node)] = std::move(entry);
  }

  std::vector<Entry> entries_;
  std::size_t used_ = 0;
};

// Calls finish(e) for every node below and including `root` that is not known(e), children first. known(e) must hold
// for leaves the caller does not want to go below, and for every node that has been finished.
template <class Known, class Finish>
void post_order(Expr root, Known known, Finish finish) {
  if (known(root)) return;
  struct Frame {
    Expr node;
    std::size_t next;
  };
  std::vector<Frame> stack{{root, 0}};
  while (!stack.empty()) {
    Frame& top = stack.back();
    if (top.next < top.node->size()) {
      const Expr child = top.node->child(top.next++);
      if (!known(child)) stack.push_back({child, 0});
    } else {
      const Expr done = top.node;
      stack.pop_back();
      finish(done);
    }
  }
}

// Rebuilds expressions from the leaves up. Results are kept, so that one Rewriter serves all equations of a model.
//   enter(e)   a replacement for e, whose children are then not visited, or null
//   leave(e)   called with e rebuilt on new children, gives what shall stand in its place
template <class Enter, class Leave>
class Rewriter {
 public:
  Rewriter(ExprPool& pool, Enter enter, Leave leave)
      : pool_(pool), enter_(std::move(enter)), leave_(std::move(leave)) {}

  Expr operator()(Expr root) {
    post_order(
        root, [this](Expr e) { return known(e); },
        [this](Expr e) {
          children_.clear();
          for (const Expr child : e->children()) children_.push_back(done_.at(child));
          const Expr rebuilt = pool_.rebuild(e, children_);
          done_[e] = leave_(rebuilt);
        });
    return done_.at(root);
  }

 private:
  bool known(Expr e) {
    if (done_.contains(e)) return true;
    const Expr replacement = enter_(e);
    if (replacement) done_[e] = replacement;
    return replacement != nullptr;
  }

  ExprPool& pool_;
  Enter enter_;
  Leave leave_;
  NodeMap<Expr> done_;
  std::vector<Expr> children_;
};

}  // namespace fmugen::equations
