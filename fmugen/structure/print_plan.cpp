// `fmugen equations`: what is a state, what was differentiated, and the blocks in the order of computation, each
// equation solved for its unknown.
#include "fmugen/structure/print_plan.h"

#include <algorithm>
#include <ostream>

#include "fmugen/equations/print.h"
#include "fmugen/support/json.h"

namespace fmugen::structure {

namespace {

const char* kind_name(BlockKind kind) {
  switch (kind) {
    case BlockKind::Assignment: return "assignment";
    case BlockKind::Linear: return "linear";
    case BlockKind::Nonlinear: return "nonlinear";
  }
  return "";
}

const char* section_name(Section section) {
  switch (section) {
    case Section::Parameter: return "parameter";
    case Section::Dynamic: return "dynamic";
    case Section::Output: return "output";
  }
  return "";
}

const char* reason_name(InitialPlan::Start::Reason reason) {
  switch (reason) {
    case InitialPlan::Start::Given: return "given";
    case InitialPlan::Start::Fixed: return "fixed start";
    case InitialPlan::Start::Guess: return "start value";
    case InitialPlan::Start::Steady: return "steady state";
  }
  return "";
}

std::vector<VarId> of_kind(const SimulationPlan& plan, equations::VariableKind kind) {
  std::vector<VarId> found;
  for (std::uint32_t v = 0; v < plan.system.model.variables.size(); ++v) {
    const equations::Variable& variable = plan.system.model.variables[v];
    if (variable.kind == kind && variable.boundary) found.push_back(VarId{v});
  }
  return found;
}

class Writer {
 public:
  Writer(std::ostream& out, const SimulationPlan& plan, const support::Sources& sources)
      : out_(out), p_(plan), model_(plan.system.model), sources_(sources), names_(equations::names_of(model_)) {}

  void text(const Show& show) {
    out_ << "model " << model_.name << "\n"
         << p_.flat_equations << (p_.flat_equations == 1 ? " equation, " : " equations, ") << p_.system.aliases
         << (p_.system.aliases == 1 ? " alias" : " aliases") << " removed, " << p_.system.equations.size()
         << " left to solve, " << p_.selection.states.size() << (p_.selection.states.size() == 1 ? " state" : " states")
         << "\n";
    const bool all = !show.any();
    if (show.overview) print_overview(out_, p_);
    if (show.aliases) print_aliases(out_, p_);
    if (all) list("inputs", of_kind(p_, equations::VariableKind::Input));
    if (all) list("outputs", of_kind(p_, equations::VariableKind::Output));
    if (all || show.states) list("states", p_.selection.states);
    if (all || show.states) list("no states, because others determine them", determined(false));
    if (all || show.index) differentiated();
    if (all || show.states) dynamic();
    if (all || show.initial) text_initial(show.initial);
    if (all || show.blocks) text_blocks("blocks in the order of computation", p_.blocks, p_.system.equations);
    if (all || show.sampled) text_samples();
    if (all || show.events) text_events();
    if (show.jacobians) print_jacobians(out_, p_);
  }

  void json() {
    out_ << "{\"model\":" << quoted(model_.name) << ",\"equations\":" << p_.system.equations.size()
         << ",\"unknowns\":" << unknowns() << ",\"states\":" << names(p_.selection.states) << ",\"dummy_states\":";
    out_ << names(determined(true)) << ",\"state_sets\":";
    json_state_sets();
    out_ << ",\"aliases\":" << p_.system.aliases << ",\n\"differentiated\":[";
    bool first = true;
    for (const Differentiated& d : p_.reduction.differentiated) {
      out_ << (first ? "\n" : ",\n") << "{\"equation\":" << quoted(flat_text(d.equation)) << ",\"times\":" << d.times
           << ",\"reason\":" << texts(d.reason) << "}";
      first = false;
    }
    out_ << "],\n\"blocks\":";
    json_blocks(p_.blocks, p_.system.equations);
    json_events();
    json_samples();
    json_initial();
    out_ << ",\n\"inputs\":" << names(of_kind(p_, equations::VariableKind::Input))
         << ",\"outputs\":" << names(of_kind(p_, equations::VariableKind::Output)) << "}\n";
  }

 private:
  using Equations = std::vector<SystemEquation>;

  void json_blocks(const std::vector<Block>& blocks, const Equations& equations) {
    out_ << "[";
    bool first = true;
    for (const Block& block : blocks) {
      out_ << (first ? "\n" : ",\n") << "{\"kind\":\"" << kind_name(block.kind) << "\",\"section\":\""
           << section_name(block.section) << "\",\"unknowns\":" << names(block.unknowns)
           << ",\"equations\":" << system_texts(block.equations, equations) << ",\"tearing\":" << names(block.tearing)
           << ",\"solution\":" << solution(block) << ",\"size\":" << block.unknowns.size()
           << ",\"torn_size\":" << (block.kind == BlockKind::Assignment ? 0 : block.tearing.size()) << "}";
      first = false;
    }
    out_ << "]";
  }

  void json_state_sets() {
    out_ << "[";
    for (std::size_t k = 0; k < p_.selection.dynamic.size(); ++k) {
      const StateSet& set = p_.selection.dynamic[k];
      std::vector<VarId> chosen;
      for (const std::uint32_t i : set.chosen) chosen.push_back(set.candidates[i]);
      out_ << (k == 0 ? "\n" : ",\n") << "{\"states\":" << names(set.states)
           << ",\"candidates\":" << names(set.candidates) << ",\"chosen\":" << names(chosen)
           << ",\"constraints\":" << texts(set.constraints) << "}";
    }
    out_ << "]";
  }

  void json_events() {
    out_ << ",\n\"events\":[";
    bool first = true;
    for (const Relation& r : p_.events.relations) {
      out_ << (first ? "\n" : ",\n") << "{\"condition\":" << quoted(text_of(r.node)) << ",\"kind\":\""
           << (r.instant ? "time" : "state") << "\",\"instant\":" << (r.instant ? quoted(text_of(r.instant)) : "null")
           << ",\"line\":" << (r.where.known() ? sources_.position(r.where).line : 0) << "}";
      first = false;
    }
    out_ << "]";
  }

  void json_samples() {
    out_ << ",\n\"samples\":[";
    bool first = true;
    for (const SampledPlan& system : p_.sampled) {
      const equations::SampledSystem& sample = model_.samples[system.sample];
      out_ << (first ? "\n" : ",\n") << "{\"system\":" << quoted(model_.path(sample.instance))
           << ",\"every\":" << (sample.every ? quoted(text_of(sample.every)) : "null")
           << ",\"offset\":" << (sample.offset ? quoted(text_of(sample.offset)) : "null")
           << ",\"states\":" << names(system.states) << ",\"blocks\":";
      json_blocks(system.blocks, system.equations);
      out_ << "}";
      first = false;
    }
    out_ << "]";
  }

  void json_initial() {
    out_ << ",\n\"initial\":{\"conditions\":[";
    bool first = true;
    for (const InitialPlan::Start& start : p_.initial.starts) {
      out_ << (first ? "\n" : ",\n") << "{\"variable\":" << quoted(started(start))
           << ",\"value\":" << quoted(text_of(start.value)) << ",\"reason\":\"" << reason_name(start.reason) << "\"}";
      first = false;
    }
    out_ << "],\"blocks\":";
    json_blocks(p_.initial.blocks, p_.initial.equations);
    out_ << "}";
  }

  // Variables that appear differentiated, but are no states; with or without those of which states are chosen.
  std::vector<VarId> determined(bool candidates) const {
    std::vector<bool> left_out(model_.variables.size(), false);
    if (!candidates)
      for (const StateSet& set : p_.selection.dynamic)
        for (const VarId v : set.candidates) left_out[index(v)] = true;
    std::vector<VarId> found;
    for (const VarId v : p_.selection.dummies)
      if (const std::uint32_t x = p_.system.integral[index(v)]; !left_out[x]) found.push_back(VarId{x});
    return found;
  }

  // What a condition at the start is about: x, or der(x) in the steady state.
  std::string started(const InitialPlan::Start& start) const {
    const bool steady = start.reason == InitialPlan::Start::Steady;
    return steady ? name(VarId{p_.system.derivative[index(start.variable)]}) : name(start.variable);
  }

  std::string text_of(Expr e) const { return equations::to_text(e, names_); }
  std::string name(VarId v) const { return model_.name_of(v); }
  std::string flat_text(std::uint32_t equation) const {
    return equations::to_text(model_.equations[p_.system.equations[equation].flat], names_);
  }
  std::string equation_text(const SystemEquation& e) const {
    return equations::to_text(e.left, names_) + " = " + equations::to_text(e.right, names_);
  }
  static std::string quoted(const std::string& text) {
    std::string out;
    support::append_json_string(out, text);
    return out;
  }
  std::string names(const std::vector<VarId>& variables) const {
    std::string out = "[";
    for (const VarId v : variables) out += (out.size() > 1 ? "," : "") + quoted(name(v));
    return out + "]";
  }
  std::string texts(const std::vector<std::uint32_t>& equations) const {
    std::string out = "[";
    for (const std::uint32_t k : equations) out += (out.size() > 1 ? "," : "") + quoted(flat_text(k));
    return out + "]";
  }
  std::string system_texts(const std::vector<std::uint32_t>& numbers, const Equations& equations) const {
    std::string out = "[";
    for (const std::uint32_t k : numbers) out += (out.size() > 1 ? "," : "") + quoted(equation_text(equations[k]));
    return out + "]";
  }
  std::string solution(const Block& block) const {
    std::string out = "[";
    for (const Assignment& a : block.assignments)
      out += (out.size() > 1 ? "," : "") + quoted(name(a.unknown) + " := " + equations::to_text(a.value, names_));
    return out + "]";
  }
  std::size_t unknowns() const {
    std::size_t n = 0;
    for (const Block& block : p_.blocks) n += block.unknowns.size();
    return n;
  }

  void list(const char* title, const std::vector<VarId>& variables) {
    if (variables.empty()) return;
    out_ << "\n" << title << "\n";
    for (const VarId v : variables) out_ << "  " << name(v) << "\n";
  }

  void differentiated() {
    if (p_.reduction.differentiated.empty()) return;
    out_ << "\ndifferentiated equations\n";
    for (const Differentiated& d : p_.reduction.differentiated) {
      const auto& origin = model_.equations[p_.system.equations[d.equation].flat].origin;
      out_ << "  " << flat_text(d.equation) << "  {" << (d.times == 1 ? "once" : std::to_string(d.times) + " times")
           << "; " << sources_.describe(origin.where) << "}\n";
    }
  }

  // "dynamic state set 1: 1 of x, y from constraint x**2 + y**2 = 1"
  void dynamic() {
    for (std::size_t k = 0; k < p_.selection.dynamic.size(); ++k) {
      const StateSet& set = p_.selection.dynamic[k];
      out_ << (k == 0 ? "\n" : "") << "dynamic state set " << k + 1 << ": " << set.states.size() << " of ";
      for (std::size_t i = 0; i < set.candidates.size(); ++i) out_ << (i > 0 ? ", " : "") << name(set.candidates[i]);
      out_ << " from constraint" << (set.constraints.size() == 1 ? " " : "s ");
      for (std::size_t r = 0; r < set.constraints.size(); ++r)
        out_ << (r > 0 ? "; " : "") << flat_text(set.constraints[r]);
      out_ << "\n  at first";
      for (std::size_t j = 0; j < set.states.size(); ++j)
        out_ << (j > 0 ? ", " : " ") << name(set.states[j]) << " is " << name(set.candidates[set.chosen[j]]);
      out_ << "\n";
    }
  }

  void text_blocks(const char* title, const std::vector<Block>& blocks, const Equations& equations) {
    out_ << "\n" << title << "\n";
    std::size_t number = 0;
    for (const Block& block : blocks) text_block(block, ++number, equations);
  }

  void text_events() {
    if (p_.events.relations.empty()) return;
    out_ << "\nevents\n";
    for (const Relation& r : p_.events.relations)
      out_ << "  " << text_of(r.node) << "  {" << (r.instant ? "time event at " + text_of(r.instant) : "state event")
           << "; " << sources_.describe(r.where) << "}\n";
  }

  void text_samples() {
    for (const SampledPlan& system : p_.sampled) {
      const equations::SampledSystem& sample = model_.samples[system.sample];
      const std::string path = model_.path(sample.instance);
      std::string title = path.empty() ? "sampled system" : "sampled system " + path;
      if (sample.every) title += ", every " + text_of(sample.every);
      if (sample.offset) title += ", offset " + text_of(sample.offset);
      if (sample.instants) title += ", next in " + name(*sample.instants);
      for (const equations::Overwrite& o : system.overwrites) title += ", sets " + name(o.state) + " := " + name(o.value);
      text_blocks(title.c_str(), system.blocks, system.equations);
    }
  }

  void text_initial(bool blocks) {
    const auto& written = model_.initial_equations;
    if (!p_.initial.starts.empty() || !written.empty()) out_ << "\nat the start\n";
    for (const equations::FlatEquation& e : written) out_ << "  " << equations::to_text(e, names_) << "  {initial}\n";
    for (const InitialPlan::Start& start : p_.initial.starts)
      out_ << "  " << started(start) << " = " << text_of(start.value) << "  {" << reason_name(start.reason) << "}\n";
    if (blocks) text_blocks("blocks at the start", p_.initial.blocks, p_.initial.equations);
  }

  void text_block(const Block& block, std::size_t number, const Equations& equations) {
    if (block.kind == BlockKind::Assignment) {
      out_ << "  " << name(block.unknowns[0]) << " := " << equations::to_text(block.assignments[0].value, names_)
           << "\n";
      return;
    }
    out_ << "  block " << number << ": " << kind_name(block.kind) << ", " << block.unknowns.size()
         << (block.unknowns.size() == 1 ? " unknown" : " unknowns");
    if (block.kind == BlockKind::Nonlinear) {
      out_ << ", iterates";
      for (const VarId v : block.tearing) out_ << " " << name(v);
    }
    if (block.kind == BlockKind::Linear && block.constant) out_ << ", constant matrix";
    out_ << "\n";
    for (const std::uint32_t k : block.equations) out_ << "    " << equation_text(equations[k]) << "\n";
    for (const Assignment& a : block.assignments)
      out_ << "    " << name(a.unknown) << " := " << equations::to_text(a.value, names_) << "\n";
    for (const Expr residual : block.residuals) out_ << "    0 = " << equations::to_text(residual, names_) << "\n";
  }

  std::ostream& out_;
  const SimulationPlan& p_;
  const FlatModel& model_;
  const support::Sources& sources_;
  equations::Names names_;
};

}  // namespace

void print_text(std::ostream& out, const SimulationPlan& plan, const support::Sources& sources, const Show& show) {
  Writer(out, plan, sources).text(show);
}

void print_json(std::ostream& out, const SimulationPlan& plan, const support::Sources& sources) {
  Writer(out, plan, sources).json();
}

}  // namespace fmugen::structure
