// What must hold of a finished plan, whatever stages made it.
//
// A plan is right if it can be computed from the first block to the last and leaves nothing out: every equation belongs
// to one block, every unknown is determined once, and a formula uses only what is known by then, that is parameters,
// inputs, time, states, discrete variables and the unknowns of earlier blocks, inside a block also its tearing variables
// and its earlier assignments. Nothing here knows how the plan was found, so that a mistake of sorting, tearing or
// solving shows. That the formulas are also the solutions of their equations is a matter of numbers, left to tests.
//
//   block 1   y := x + 1        x is a state
//   block 2   z := 2*w          "block 2 uses 'w', which is not known there"
#include <algorithm>
#include <stdexcept>

#include "fmugen/equations/occurrences.h"
#include "fmugen/structure/simulation_plan.h"

namespace fmugen::structure {

using equations::Op;

namespace {

struct Wrong : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// One sequence of blocks over one list of equations.
class Sequence {
 public:
  Sequence(const System& system, const std::vector<SystemEquation>& equations, std::string name)
      : s_(system),
        equations_(equations),
        name_(std::move(name)),
        known_(system.model.variables.size(), false),
        inside_(known_.size(), 0),
        used_(equations.size(), false) {}

  void know(VarId v) { known_[index(v)] = true; }
  bool knows(VarId v) const { return known_[index(v)]; }

  void add(const Block& block) {
    ++number_;
    check_shape(block);
    switch (block.kind) {
      case BlockKind::Assignment: check_assignment(block); break;
      case BlockKind::Linear: check_linear(block); break;
      case BlockKind::Nonlinear: check_nonlinear(block); break;
    }
    for (const VarId v : block.unknowns) known_[index(v)] = true;
    for (const std::uint32_t k : block.equations) {
      check_uses(equations_[k].left, "an equation");
      check_uses(equations_[k].right, "an equation");
    }
  }

  void finish() const {
    for (std::size_t k = 0; k < used_.size(); ++k)
      if (!used_[k]) throw Wrong("equation " + std::to_string(k) + " of " + name_ + " is in no block");
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Wrong("block " + std::to_string(number_) + " of " + name_ + " " + what);
  }

  void require(bool holds, const char* what) const {
    if (!holds) fail(what);
  }

  bool known_here(VarId v) const { return known_[index(v)] || inside_[index(v)] == number_; }

  void check_uses(Expr e, const char* where) {
    leaves_.clear();
    occurrences_.leaves(e, leaves_);
    for (const Expr leaf : leaves_)
      if (leaf->op() == Op::Der) fail(std::string("has a derivative that is no variable in ") + where);
    found_.clear();
    occurrences_.present(e, found_);
    for (const VarId v : found_)
      if (!known_here(v)) fail("uses '" + s_.name(v) + "' in " + where + ", where it is not known");
  }

  void check_shape(const Block& block) {
    require(!block.unknowns.empty(), "has no unknown");
    require(block.unknowns.size() == block.equations.size(), "has not as many equations as unknowns");
    for (const std::uint32_t k : block.equations) {
      require(k < equations_.size(), "has an equation that does not exist");
      if (used_[k]) fail("repeats equation " + std::to_string(k));
      used_[k] = true;
    }
    for (std::size_t k = 0; k < block.unknowns.size(); ++k) {
      const VarId v = block.unknowns[k];
      if (known_[index(v)]) fail("determines '" + s_.name(v) + "', which is known already");
      known_[index(v)] = true;  // also finds an unknown that stands twice in one block
    }
    for (const VarId v : block.unknowns) known_[index(v)] = false;
  }

  // Assignments in order; afterwards their unknowns are known inside the block. Each must be one of the block's.
  void check_assignments(const Block& block) {
    for (const Assignment& a : block.assignments) {
      require(a.value != nullptr, "has an assignment without value");
      check_uses(a.value, "an assignment");
      if (known_here(a.unknown)) fail("assigns '" + s_.name(a.unknown) + "', which is known already");
      inside_[index(a.unknown)] = number_;
    }
  }

  void check_all_determined(const Block& block) const {
    for (const VarId v : block.unknowns)
      if (!known_here(v)) fail("does not determine '" + s_.name(v) + "'");
  }

  void check_matrix(const Block& block, std::size_t size) {
    for (const Entry& entry : block.matrix) {
      require(entry.row < size && entry.column < size, "has a matrix entry outside its matrix");
      require(entry.value != nullptr, "has a matrix entry without value");
      check_uses(entry.value, "its matrix");
    }
  }

  void check_assignment(const Block& block) {
    require(block.unknowns.size() == 1 && block.assignments.size() == 1, "is no single assignment");
    require(block.tearing.empty() && block.residuals.empty() && block.matrix.empty() && block.right.empty(),
            "is an assignment, but has parts of a loop");
    check_assignments(block);
    check_all_determined(block);
  }

  // Either all unknowns have a formula, or the tearing variables are solved for with the matrix and the others follow.
  void check_linear(const Block& block) {
    require(!block.tearing.empty(), "is linear without unknowns to solve for");
    require(block.right.size() == block.tearing.size(), "has not as many right sides as unknowns to solve for");
    require(block.residuals.empty(), "is linear, but has residuals");
    check_matrix(block, block.tearing.size());
    for (const Expr e : block.right) check_uses(e, "a right side");
    if (block.assignments.size() != block.unknowns.size()) know_tearing(block);
    check_assignments(block);
    check_all_determined(block);
    require(block.assignments.size() == block.unknowns.size() ||
                block.assignments.size() + block.tearing.size() == block.unknowns.size(),
            "determines something that is not its own");
  }

  void check_nonlinear(const Block& block) {
    require(!block.tearing.empty(), "is nonlinear, but iterates nothing");
    require(block.residuals.size() == block.tearing.size(), "has not as many residuals as tearing variables");
    require(block.right.empty(), "is nonlinear, but has right sides");
    know_tearing(block);
    check_assignments(block);
    check_all_determined(block);
    require(block.assignments.size() + block.tearing.size() == block.unknowns.size(),
            "determines something that is not its own");
    for (const Expr e : block.residuals) check_uses(e, "a residual");
    check_matrix(block, block.tearing.size());
  }

  void know_tearing(const Block& block) {
    for (const VarId v : block.tearing) {
      if (known_here(v)) fail("tears '" + s_.name(v) + "', which is known already");
      inside_[index(v)] = number_;
    }
  }

  const System& s_;
  const std::vector<SystemEquation>& equations_;
  std::string name_;
  std::vector<bool> known_;          // before the block
  std::vector<std::size_t> inside_;  // the block in which a variable became known, as far as we are
  std::vector<bool> used_;           // equations
  std::size_t number_ = 0;
  equations::Occurrences occurrences_;
  std::vector<Expr> leaves_;
  std::vector<VarId> found_;
};

bool is_removed(const System& s, std::uint32_t v) { return s.alias[v].constant || index(s.alias[v].root) != v; }

void check_links(const System& s) {
  const std::size_t n = s.model.variables.size();
  if (s.derivative.size() != n || s.integral.size() != n || s.alias.size() != n)
    throw Wrong("the tables of the variables differ in length");
  for (std::uint32_t v = 0; v < n; ++v) {
    if (s.derivative[v] != kNone && s.integral[s.derivative[v]] != v)
      throw Wrong("'" + s.name(VarId{v}) + "' is not the integral of its derivative");
    const Alias& a = s.alias[v];
    if (!a.constant && index(s.alias[index(a.root)].root) != index(a.root))
      throw Wrong("'" + s.name(VarId{v}) + "' is an alias of an alias");
  }
}

void check_states(const SimulationPlan& plan) {
  const System& s = plan.system;
  std::vector<bool> seen(s.model.variables.size(), false);
  for (const VarId v : plan.selection.states) {
    if (seen[index(v)]) throw Wrong("'" + s.name(v) + "' is a state twice");
    seen[index(v)] = true;
    if (!is_unknown(s, v)) throw Wrong("'" + s.name(v) + "' is a state, but no unknown");
    if (is_removed(s, index(v))) throw Wrong("'" + s.name(v) + "' is a state and an alias");
    if (s.derivative[index(v)] == kNone) throw Wrong("state '" + s.name(v) + "' has no derivative");
  }
}

void check_state_sets(const SimulationPlan& plan) {
  const System& s = plan.system;
  std::vector<bool> state(s.model.variables.size(), false);
  for (const VarId v : plan.selection.states) state[index(v)] = true;
  for (const StateSet& set : plan.selection.dynamic) {
    const std::size_t m = set.constraints.size(), n = set.candidates.size();
    if (m == 0 || n <= m || set.states.size() != n - m) throw Wrong("a state set has not as many states as are free");
    if (set.selection.size() != set.states.size() * n || set.nominal.size() != n)
      throw Wrong("the tables of a state set differ in length");
    if (set.chosen.size() != set.states.size() || !std::is_sorted(set.chosen.begin(), set.chosen.end()) ||
        std::adjacent_find(set.chosen.begin(), set.chosen.end()) != set.chosen.end() || set.chosen.back() >= n)
      throw Wrong("a state set begins with a choice that is none");
    for (const VarId v : set.states)
      if (!state[index(v)]) throw Wrong("'" + s.name(v) + "' is in a state set, but no state");
    for (const VarId v : set.candidates)
      if (state[index(v)] || !is_unknown(s, v) || is_removed(s, index(v)) || s.derivative[index(v)] == kNone)
        throw Wrong("'" + s.name(v) + "' cannot be a candidate of a state set");
    for (const VarId v : set.selection)
      if (!is_selection(s, v)) throw Wrong("'" + s.name(v) + "' selects states, but is not made for it");
    for (const std::uint32_t k : set.constraints)
      if (k >= s.equations.size()) throw Wrong("a state set has a constraint that does not exist");
    for (const Entry& e : set.jacobian)
      if (e.row >= m || e.column >= n || !e.value) throw Wrong("a state set has a slope outside its matrix");
  }
}

// What is known when derivatives are computed, states apart.
void know_given(Sequence& sequence, const System& s) {
  for (std::uint32_t v = 0; v < s.model.variables.size(); ++v)
    if (!is_unknown(s, VarId{v}) && !is_removed(s, v)) sequence.know(VarId{v});
}

void check_dynamics(const SimulationPlan& plan) {
  const System& s = plan.system;
  Sequence sequence(s, s.equations, "the equations");
  know_given(sequence, s);
  for (const VarId v : plan.selection.states) sequence.know(v);
  for (const Block& block : plan.blocks) sequence.add(block);
  sequence.finish();
  for (std::uint32_t v = 0; v < s.model.variables.size(); ++v)
    if (is_unknown(s, VarId{v}) && !is_removed(s, v) && !sequence.knows(VarId{v}))
      throw Wrong("nothing determines '" + s.name(VarId{v}) + "'");
}

void check_initial(const SimulationPlan& plan) {
  if (plan.initial.equations.empty() && plan.initial.blocks.empty()) return;
  const System& s = plan.system;
  Sequence sequence(s, plan.initial.equations, "the equations at the start");
  std::vector<bool> determined(s.model.variables.size(), false);  // also what is given later: discrete variables
  for (const Block& block : plan.initial.blocks)
    for (const VarId v : block.unknowns) determined[index(v)] = true;
  for (std::uint32_t v = 0; v < s.model.variables.size(); ++v)
    if (!is_unknown(s, VarId{v}) && !is_removed(s, v) && !determined[v]) sequence.know(VarId{v});
  for (const Block& block : plan.initial.blocks) sequence.add(block);
  sequence.finish();
  for (const VarId v : plan.selection.states)
    if (!sequence.knows(v)) throw Wrong("state '" + s.name(v) + "' has no value at the start");
}

void check_sampled(const SimulationPlan& plan) {
  const System& s = plan.system;
  for (const SampledPlan& system : plan.sampled) {
    Sequence sequence(s, system.equations, "sampled system " + std::to_string(system.sample));
    std::vector<bool> determined(s.model.variables.size(), false);
    for (const Block& block : system.blocks)
      for (const VarId v : block.unknowns) determined[index(v)] = true;
    for (std::uint32_t v = 0; v < s.model.variables.size(); ++v)
      if (!is_removed(s, v) && !determined[v]) sequence.know(VarId{v});
    for (const Block& block : system.blocks) sequence.add(block);
    sequence.finish();
    if (system.next.size() != system.states.size()) throw Wrong("a sampled state has no next value");
    for (const VarId v : system.next)
      if (!determined[index(v)]) throw Wrong("nothing determines '" + s.name(v) + "'");
  }
}

void check_colours(const SparseMatrix& m, const char* name) {
  std::vector<std::vector<std::uint32_t>> rows(m.rows);
  for (const Entry& e : m.entries) {
    if (e.row >= m.rows || e.column >= m.columns) throw Wrong(std::string(name) + ": an entry outside the matrix");
    rows[e.row].push_back(e.column);
  }
  if (m.colour.empty()) return;
  if (m.colour.size() != m.columns) throw Wrong(std::string(name) + ": not every column has a colour");
  std::vector<std::uint32_t> last(m.colours, kNone);  // by colour: the row that has it
  for (std::uint32_t r = 0; r < m.rows; ++r)
    for (const std::uint32_t c : rows[r]) {
      if (m.colour[c] >= m.colours) throw Wrong(std::string(name) + ": a colour that does not exist");
      if (last[m.colour[c]] == r) throw Wrong(std::string(name) + ": two columns of one colour in one row");
      last[m.colour[c]] = r;
    }
}

}  // namespace

std::string verify(const SimulationPlan& plan) {
  try {
    check_links(plan.system);
    check_states(plan);
    check_state_sets(plan);
    check_dynamics(plan);
    check_initial(plan);
    check_sampled(plan);
    check_colours(plan.jacobians.derivatives, "derivatives");
    check_colours(plan.jacobians.outputs, "outputs");
    check_colours(plan.jacobians.residuals, "residuals");
  } catch (const Wrong& wrong) {
    return wrong.what();
  }
  return "";
}

}  // namespace fmugen::structure
