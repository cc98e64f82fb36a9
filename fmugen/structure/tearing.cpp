// Which few variables of a loop must be guessed, so that the others follow one after the other by formula?
//
// The guessed ones are the tearing variables; a solver iterates on them until the equations left over, the residuals,
// hold. To find the smallest number of them is NP-hard, so we are greedy:
//
// 1. An equation with a single unknown left, for which it can be solved, is assigned: its unknown is known then,
//    and other equations may have a single unknown left in turn.
// 2. When nothing follows any more, one variable is torn, that is, counts as known, and we go on with 1. It is the
//    variable that lets most equations follow at once, those with two unknowns, this one and another for which they can
//    be solved. Among equals it is the one that was touched last: a variable in an equation where something became
//    known a moment ago. Knowledge thus spreads from one place as a front and does not break out in several places,
//    each with guesses of its own, that then meet. Still among equals, the one whose equations are nearest to being
//    solved (each counts half as much with one unknown more), and if nothing else decides the one with the highest
//    number, so that the answer is always the same.
//
// Before that, what was asked for is torn, and what no equation can be solved for. Variables to be avoided are torn
// only when no others are left; preferred ones come first among those which let equally many equations follow.
// An equation whose last unknown cannot be solved for becomes a residual; its unknown must come from elsewhere.
//
//     V1 = V0 - R1*i      rows 0: V1 i         two unknowns in rows 0 and 2; i is in both and lets both follow.
//     V2 = V1 - R2*i           1: V1 V2 i      i is torn:  row 0 gives V1, row 2 gives V2, row 1 is the residual.
//     V2 = V3 + R3*i           2: V2 i
//
// In a net of k x k nodes the front moves along the diagonals and k variables are torn, which is the best possible.
//
// Cost: O(entries * log entries). The number of equations that follow and the nearness change for all unknowns of an
// equation whenever one more of them is known. For long equations this would be quadratic, but they cannot soon be
// solved; so equations count only when at most kNear unknowns are left. Candidates are kept in a heap: those which have
// become better since the last choice, and are still unknown, are put in again; one that has become worse is put back
// with its new value when it comes to the top; of several values of a candidate only the latest counts.
//
// Cellier, F. E. and Kofman, E. (2006): Continuous System Simulation, chapter 7. Springer.
// Carpanzano, E. (2000): Order reduction of general nonlinear DAE systems by automatic tearing. Mathematical and
// Computer Modelling of Dynamical Systems 6(2).
#include <compare>
#include <queue>

#include "fmugen/structure/incidence.h"

namespace fmugen::structure {
namespace {

constexpr std::uint32_t kNear = 8;  // an equation with more unknowns than this says little about what to tear

bool flag(const std::vector<bool>& flags, std::uint32_t index) { return index < flags.size() && flags[index]; }

// How good it is to tear a column; compared field by field in this order.
struct Candidate {
  bool welcome = true;  // not to be avoided
  std::uint32_t gain = 0;
  bool preferred = false;
  std::uint32_t touched = 0;
  std::uint32_t nearness = 0;
  std::uint32_t column = 0;
  auto operator<=>(const Candidate&) const = default;
};

class Tearer {
 public:
  explicit Tearer(const TearingInput& block)
      : block_(block),
        graph_(block.graph),
        rows_of_column_(transposed(block.graph)),
        unknowns_(graph_.rows()),
        assigned_(graph_.rows(), false),
        known_(graph_.columns, false),
        value_(graph_.columns),
        queued_(graph_.columns) {}

  Tearing run() {
    for (std::uint32_t c = 0; c < graph_.columns; ++c) {
      value_[c].welcome = !flag(block_.avoid, c);
      value_[c].preferred = flag(block_.prefer, c);
      value_[c].column = c;
    }
    for (std::uint32_t r = 0; r < graph_.rows(); ++r) {
      unknowns_[r] = static_cast<std::uint32_t>(graph_.row(r).size());
      if (unknowns_[r] == 1) ready_.push_back(r);
      reconsider(r, kNone);
    }
    for (std::uint32_t c = 0; c < graph_.columns; ++c) improved_.push_back(c);
    tear_what_must_be();
    assign_what_follows();
    while (time_ < graph_.columns) {
      tear_column(best_candidate());
      assign_what_follows();
    }
    for (std::uint32_t r = 0; r < graph_.rows(); ++r) {
      if (!assigned_[r]) result_.residual_rows.push_back(r);
    }
    return std::move(result_);
  }

 private:
  std::uint32_t best_candidate() {
    for (const std::uint32_t column : improved_) {
      if (!known_[column]) enqueue(column);
    }
    improved_.clear();
    while (true) {
      const Candidate best = heap_.top();
      heap_.pop();
      if (known_[best.column] || best != queued_[best.column]) continue;  // done, or in the heap with a later value
      if (best == value_[best.column]) return best.column;
      enqueue(best.column);
    }
  }

  void enqueue(std::uint32_t column) {
    queued_[column] = value_[column];
    heap_.push(value_[column]);
  }

  void tear_what_must_be() {
    std::vector<bool> can_be_solved(graph_.columns, false);
    for (std::uint32_t k = 0; k < graph_.entries.size(); ++k) {
      if (flag(block_.solvable, k)) can_be_solved[graph_.entries[k]] = true;
    }
    for (std::uint32_t c = 0; c < graph_.columns; ++c) {
      if (flag(block_.forced, c) || !can_be_solved[c]) tear_column(c);
    }
  }

  void tear_column(std::uint32_t column) {
    result_.tearing_columns.push_back(column);
    make_known(column);
  }

  void assign_what_follows() {
    for (; next_ready_ < ready_.size(); ++next_ready_) {
      const std::uint32_t row = ready_[next_ready_];
      for (std::uint32_t k = graph_.start[row]; k < graph_.start[row + 1]; ++k) {
        const std::uint32_t column = graph_.entries[k];
        if (known_[column] || !flag(block_.solvable, k)) continue;
        assigned_[row] = true;
        result_.assignments.emplace_back(row, column);
        make_known(column);
        break;
      }
    }
  }

  void make_known(std::uint32_t column) {
    known_[column] = true;
    ++time_;
    for (const std::uint32_t row : rows_of_column_.row(column)) {
      if (--unknowns_[row] == 1) ready_.push_back(row);
      reconsider(row, column);
    }
  }

  // What a row adds to the nearness of one of its unknowns, if it has so many and can be solved for so many others.
  static std::uint32_t nearness(std::uint32_t unknowns, std::uint32_t solvable_others) {
    return unknowns < 2 || unknowns > kNear || solvable_others == 0 ? 0 : 1u << (kNear - unknowns);
  }
  static constexpr std::uint32_t kNext = 1u << (kNear - 2);  // that of a row which follows at once

  // The unknowns of a row are worth something else now that one more of its columns is known, or none yet: kNone.
  void reconsider(std::uint32_t row, std::uint32_t column_now_known) {
    const std::uint32_t now = unknowns_[row], before = column_now_known == kNone ? kNear + 1 : now + 1;
    if (now < 1 || now > kNear) return;
    std::uint32_t solvable_now = 0, solvable_before = 0;
    for (std::uint32_t k = graph_.start[row]; k < graph_.start[row + 1]; ++k) {
      if (!flag(block_.solvable, k)) continue;
      if (!known_[graph_.entries[k]])
        ++solvable_now;
      else if (graph_.entries[k] == column_now_known)
        ++solvable_before;
    }
    solvable_before += solvable_now;
    for (std::uint32_t k = graph_.start[row]; k < graph_.start[row + 1]; ++k) {
      const std::uint32_t column = graph_.entries[k];
      if (known_[column]) continue;
      const std::uint32_t itself = flag(block_.solvable, k) ? 1 : 0;
      const std::uint32_t was = nearness(before, solvable_before - itself);
      const std::uint32_t is = nearness(now, solvable_now - itself);
      Candidate& value = value_[column];
      value.nearness += is - was;
      if (is == kNext) ++value.gain;
      if (was == kNext) --value.gain;
      if (is == 0) continue;
      if (value.touched != time_) improved_.push_back(column);
      value.touched = time_;
    }
  }

  const TearingInput& block_;
  const Incidence& graph_;
  const Incidence rows_of_column_;
  Tearing result_;
  std::vector<std::uint32_t> unknowns_;  // of a row: how many of its columns are not known
  std::vector<bool> assigned_;           // of a row
  std::vector<bool> known_;              // of a column
  std::vector<Candidate> value_;         // of a column
  std::vector<std::uint32_t> improved_;  // columns that may be better than the heap says
  std::vector<Candidate> queued_;        // of a column: its latest value in the heap
  std::priority_queue<Candidate> heap_;  // for each other unknown column its value or a better one
  std::vector<std::uint32_t> ready_;     // a queue: rows with one unknown, when it was found; earlier ones are done
  std::size_t next_ready_ = 0;
  std::uint32_t time_ = 0;  // how many columns are known
};

}  // namespace

Tearing tear(const TearingInput& block) { return Tearer(block).run(); }

}  // namespace fmugen::structure
