// Expressions of the plan in terms of memory: what generated code is made of.
//
// A variable becomes the place where its value is, a relation that makes events the place where its value is held,
// pre(x) the place of the value before the event. These expressions live in a pool of their own; their variables are
// codes for places (Leaf).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "fmugen/codegen/memory_layout.h"
#include "fmugen/equations/differentiate.h"
#include "fmugen/equations/walk.h"

namespace fmugen::codegen {

enum class LeafKind : std::uint8_t {
  Value,    // v[number], which changes with the states
  Passive,  // v[number], whose tangent is zero
  Tangent,  // d[number]
  Held,     // value of a relation
  Pre,      // value before the event
  Late,     // time as time events see it
  Local,    // variable of a function
  Table,    // not in expressions: number of a table
  Delay     // not in expressions: number of a delay
};

struct Leaf {
  LeafKind kind = LeafKind::Value;
  std::uint32_t number = 0;
};
// Pools keep variables in a dense array, so that codes must not be far apart.
inline VarId code(Leaf leaf) { return VarId{leaf.number << 3 | static_cast<std::uint32_t>(leaf.kind)}; }
inline Leaf leaf_of(VarId v) { return {static_cast<LeafKind>(index(v) & 7), index(v) >> 3}; }

// A table and the order of its derivatives: what TableCall nodes of translated expressions number.
struct TableUse {
  std::uint32_t table = 0, order_x = 0, order_y = 0;
  friend auto operator<=>(const TableUse&, const TableUse&) = default;
};

// What translated expressions refer to, for the whole model.
class Vocabulary {
 public:
  Vocabulary(const structure::SimulationPlan& plan, const MemoryLayout& layout);

  equations::ExprPool pool;
  const structure::SimulationPlan& plan;
  const MemoryLayout& layout;
  std::vector<Slot> pre;     // slots whose values before the event are needed
  std::vector<Expr> delays;  // Delay nodes of the plan
  std::vector<TableUse> table_uses;

  std::optional<std::uint32_t> relation(Expr node) const;  // its number, if it makes events
  std::uint32_t pre_number(Slot slot);
  std::uint32_t delay_number(Expr node);
  std::uint32_t table_use(TableUse use);

  // A delay of a translated expression is a call of function number functions + k with one argument, its duration.
  std::uint32_t delay_callee(std::uint32_t delay) const;
  std::optional<std::uint32_t> delay_of_callee(std::uint32_t callee) const;

  // sqrt where a condition that is held guards it is a call of this function: fmr_root of the run time.
  static constexpr std::uint32_t kRootCallee = 0xfffffe;

  // The tangent of a translated expression; null if it has none.
  Expr tangent(Expr e);

 private:
  Expr call_derivative(Expr call, std::size_t argument);

  equations::NodeMap<std::uint32_t> relations_, delay_numbers_;
  std::vector<std::uint32_t> pre_numbers_;  // by slot
  std::map<TableUse, std::uint32_t> table_numbers_;
  std::unique_ptr<equations::Differentiator> differentiator_;
};

// Which variables have tangents.
using IsActive = std::function<bool(VarId)>;

struct TranslateOptions {
  IsActive active = {};                      // none: no variable has
  bool late = false;                         // time is m->late
  std::function<Expr(VarId)> variable = {};  // instead of the place of the variable: in functions
  bool start = false;                        // at the start: delayed values are known behind the slots
};

class Translator {
 public:
  Translator(Vocabulary& words, TranslateOptions options);
  Expr operator()(Expr e) { return translate(e, Mode::Plain); }
  Expr variable(VarId v);  // sign*v[slot]

 private:
  enum class Mode { Plain, Guarded, Direct };  // Guarded: in a branch whose condition is held; Direct: in noevent(...)
  Expr translate(Expr e, Mode mode);
  Expr enter(Expr e, Mode mode);
  Expr choice(Expr e, Mode mode);
  Expr rebuild(Expr e, Mode mode);
  equations::NodeMap<Expr>& done(Mode mode) { return done_[static_cast<std::size_t>(mode)]; }
  Expr leaf(LeafKind kind, std::uint32_t number) { return words_.pool.variable(code({kind, number})); }

  Vocabulary& words_;
  TranslateOptions options_;
  std::array<equations::NodeMap<Expr>, 3> done_;  // by mode
};

}  // namespace fmugen::codegen
