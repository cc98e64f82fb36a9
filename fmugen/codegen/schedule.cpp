// List scheduling.
//
// Every class has a queue of items that are ready, smallest number first. Plain statements and blocks cost nothing to
// be interrupted, so they are taken as soon as they are ready: that lets the queues of the kernels grow. When only
// kernels are left, the one with the longest queue is emptied, including what becomes ready meanwhile, since its loop
// runs in order.
//
//   a1 -> b1 -> c, a2 -> b2, ...           a1 a2 ... | b1 b2 ... | c
//   x1 -> x2 -> x3, all of one class       one run, although each needs the one before
//
// O(n log n + dependences).
#include "fmugen/codegen/schedule.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <stdexcept>

namespace fmugen::codegen {

namespace {

using Number = std::uint32_t;
using Queue = std::priority_queue<Number, std::vector<Number>, std::greater<>>;

class Scheduler {
 public:
  Scheduler(const std::vector<Number>& classes, const std::vector<std::pair<Number, Number>>& dependences)
      : classes_(classes), start_(classes.size() + 1, 0), missing_(classes.size(), 0) {
    for (const auto& [from, to] : dependences) ++start_[from + 1], ++missing_[to];
    for (std::size_t n = 1; n < start_.size(); ++n) start_[n] += start_[n - 1];
    successors_.resize(dependences.size());
    std::vector<Number> next(start_.begin(), start_.end() - 1);
    for (const auto& [from, to] : dependences) successors_[next[from]++] = to;
    Number highest = kFirstKernel;
    for (const Number c : classes) highest = std::max(highest, c);
    ready_.resize(highest + 1);
  }

  std::vector<Number> run() {
    for (Number n = 0; n < classes_.size(); ++n)
      if (missing_[n] == 0) make_ready(n);
    for (;;) {
      if (!ready_[kPlain].empty())
        take(kPlain);
      else if (!ready_[kSolve].empty())
        take(kSolve);
      else if (!empty_longest())
        break;
    }
    if (order_.size() != classes_.size()) throw std::logic_error("statements depend on each other in a circle");
    return std::move(order_);
  }

 private:
  void make_ready(Number n) {
    Queue& queue = ready_[classes_[n]];
    queue.push(n);
    if (classes_[n] >= kFirstKernel) longest_.emplace(queue.size(), classes_[n]);
  }

  void take(Number c) {
    const Number n = ready_[c].top();
    ready_[c].pop();
    order_.push_back(n);
    for (Number k = start_[n]; k < start_[n + 1]; ++k)
      if (--missing_[successors_[k]] == 0) make_ready(successors_[k]);
  }

  // False if no kernel is waiting. Entries for lengths that a queue no longer has are skipped.
  bool empty_longest() {
    while (!longest_.empty()) {
      const auto [length, c] = longest_.top();
      longest_.pop();
      if (ready_[c].empty() || ready_[c].size() != length) continue;
      while (!ready_[c].empty()) take(c);
      return true;
    }
    return false;
  }

  const std::vector<Number>& classes_;
  std::vector<Number> start_, successors_, missing_;
  std::vector<Queue> ready_;
  std::priority_queue<std::pair<std::size_t, Number>> longest_;
  std::vector<Number> order_;
};

}  // namespace

std::vector<Number> schedule(const std::vector<Number>& classes,
                             const std::vector<std::pair<Number, Number>>& dependences) {
  return Scheduler(classes, dependences).run();
}

}  // namespace fmugen::codegen
