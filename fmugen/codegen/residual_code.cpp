// Rows are the equations of the plan, left - right. Columns are the states, then all other unknowns that are no
// derivatives of states, then the derivatives:
//
//   der(x) = -x*y, 0 = y - sin(time)      y = (x, y)       row 0: d/dx = y, d/dy = x, d/der(x) = 1      row 1: d/dy =
// -1
#include "fmugen/codegen/residual_code.h"

#include <algorithm>

#include "fmugen/codegen/c_text.h"

namespace fmugen::codegen {

using structure::kNone;

std::string write_residual_form(Vocabulary& words, Program& program, std::string& tables) {
  const structure::SimulationPlan& plan = words.plan;
  const structure::Jacobians& j = plan.jacobians;
  const auto n = static_cast<std::uint32_t>(plan.system.equations.size());
  const auto states = static_cast<std::uint32_t>(plan.selection.states.size());
  if (n == 0 || j.residual_columns.size() != std::size_t{n} + states || j.residuals.rows != n) return "0";

  std::vector<std::uint32_t> column(words.layout.slots, kNone), unknown;  // by slot
  for (std::uint32_t k = 0; k < states; ++k) {
    column[words.layout.states[k]] = k;
    unknown.push_back(words.layout.states[k]);
  }
  for (std::uint32_t k = 0; k < states; ++k) {
    if (column[words.layout.rates[k]] != kNone) return "0";
    column[words.layout.rates[k]] = n + k;
  }
  for (const VarId v : j.residual_columns) {
    std::uint32_t& place = column[words.layout.slot_of(v)];
    if (place != kNone) continue;
    place = static_cast<std::uint32_t>(unknown.size());
    unknown.push_back(words.layout.slot_of(v));
  }
  const auto known = [](const structure::Entry& e) { return e.value != nullptr; };
  if (unknown.size() != n || !std::all_of(j.residuals.entries.begin(), j.residuals.entries.end(), known)) return "0";

  Translator translate(words, {});
  std::vector<Item> residuals, entries;
  for (std::uint32_t k = 0; k < n; ++k) {
    const structure::SystemEquation& e = plan.system.equations[k];
    const Expr value = words.pool.sub(translate(e.left), translate(e.right));
    residuals.push_back({Item::Statement, Target::Out, k, value, {&e, kNone}, {}, {}});
  }
  std::vector<std::uint32_t> row, entry_column;
  for (const structure::Entry& e : j.residuals.entries) {
    entries.push_back(
        {Item::Statement, Target::Out, static_cast<std::uint32_t>(row.size()), translate(e.value), {}, {}, {}});
    row.push_back(e.row);
    entry_column.push_back(column[words.layout.slot_of(j.residual_columns[e.column])]);
  }
  program.write({"model_residual", true, true, 0, Group::Equations, "the equations as residuals"},
                program.arrange(std::move(residuals)));
  program.write({"model_residual_jacobian", false, true, 0, Group::Equations, ""}, program.arrange(std::move(entries)));
  tables += c_table("residual_unknown", unknown) + c_table("residual_row", row) +
            c_table("residual_column", entry_column) + "static const FmrResidualForm residual_form = {" +
            std::to_string(n) + ", residual_unknown, model_residual, " + std::to_string(row.size()) +
            ", residual_row, residual_column, model_residual_jacobian};\n";
  return "&residual_form";
}

}  // namespace fmugen::codegen
