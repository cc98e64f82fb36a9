// The structural stages in order, with what holds after each.
#include <stdexcept>

#include "fmugen/structure/simulation_plan.h"

namespace fmugen::structure {

std::optional<SimulationPlan> make_plan(FlatModel model, const PlanOptions& options, support::Diagnostics& diagnostics) {
  SimulationPlan plan;
  plan.flat_equations = model.equations.size();
  plan.flat_unknowns = equations::count_unknowns(model);
  plan.system = make_system(std::move(model));                       // derivatives are variables
  remove_aliases(plan.system, options.aliases, diagnostics);         // no variable stands for another
  if (diagnostics.has_errors()) return std::nullopt;
  if (!decide_causality(plan.system, options, diagnostics)) return std::nullopt;  // what is an input is known
  if (!check_solvable(plan.system, diagnostics)) return std::nullopt;  // differentiating will end
  add_initial_derivatives(plan.system);                              // what is asked for at the start can be found
  plan.reduction = reduce_index(plan.system, options, diagnostics);  // highest derivatives can be determined
  if (diagnostics.has_errors()) return std::nullopt;
  plan.selection = select_states(plan.system, plan.reduction, options, diagnostics);
  if (!build_blocks(plan, options, diagnostics)) return std::nullopt;
  find_events(plan, diagnostics);                                    // relations keep their values between events
  if (diagnostics.has_errors() || !sort_sampled(plan, options, diagnostics)) return std::nullopt;
  if (!plan_initialization(plan, options, diagnostics)) return std::nullopt;  // as many conditions as are open
  mark_sections(plan);                                               // what is computed when
  if (!choose_tunable(plan, options, diagnostics)) return std::nullopt;  // what may change at events is known
  find_jacobians(plan);                                              // what depends on what
#ifndef NDEBUG
  if (const std::string wrong = verify(plan); !wrong.empty()) throw std::logic_error("the plan is wrong: " + wrong);
#endif
  return plan;
}

}  // namespace fmugen::structure
