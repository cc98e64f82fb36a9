// Parts of a plan that `fmugen equations` prints only when asked: what each stage found.
//
//   aliases     R2.V = R1.V, R1.Vb = -C.V, ground.V = 0         the variables that are gone, by what they equal
//   overview    12  linear  5 unknowns, 2 torn: R1.I R2.I ...   one line for each block
//   jacobians   der(x) by x, u                                  rows and columns that are not zero, and how many colours
#include <ostream>

#include "fmugen/equations/print.h"
#include "fmugen/structure/print_plan.h"

namespace fmugen::structure {

namespace {

std::string plural(std::size_t n, const char* what) { return std::to_string(n) + " " + what + (n == 1 ? "" : "s"); }

void print_matrix(std::ostream& out, const SimulationPlan& plan, const char* title, const SparseMatrix& matrix,
                  const std::vector<VarId>& rows) {
  const std::vector<VarId>& columns = plan.jacobians.columns;
  if (rows.empty()) return;
  out << "\n" << title << ": " << rows.size() << " x " << columns.size() << ", ";
  if (matrix.rows == 0) {
    out << "too dense to be listed\n";
    return;
  }
  out << matrix.entries.size() << " not zero, " << plural(matrix.colours, "colour") << "\n";
  std::size_t k = 0;
  for (std::uint32_t r = 0; r < rows.size(); ++r) {
    out << "  " << plan.system.name(rows[r]) << " by";
    const std::size_t first = k;
    for (; k < matrix.entries.size() && matrix.entries[k].row == r; ++k)
      out << (k == first ? " " : ", ") << plan.system.name(columns[matrix.entries[k].column]);
    out << (k == first ? " nothing\n" : "\n");
  }
}

}  // namespace

void print_aliases(std::ostream& out, const SimulationPlan& plan) {
  const System& s = plan.system;
  out << "\naliases\n";
  for (std::uint32_t v = 0; v < s.alias.size(); ++v) {
    const Alias& a = s.alias[v];
    if (a.constant)
      out << "  " << s.name(VarId{v}) << " = " << equations::number_text(a.value) << "\n";
    else if (index(a.root) != v)
      out << "  " << s.name(VarId{v}) << " = " << (a.sign < 0 ? "-" : "") << s.name(a.root) << "\n";
  }
  for (const std::uint32_t k : s.dropped)
    out << "  superfluous: " << equations::to_text(s.model.equations[k], equations::names_of(s.model)) << "\n";
}

void print_overview(std::ostream& out, const SimulationPlan& plan) {
  out << "\nblocks\n";
  std::size_t number = 0;
  for (const Block& block : plan.blocks) {
    out << "  " << ++number << "  "
        << (block.kind == BlockKind::Assignment ? "assignment"
            : block.kind == BlockKind::Linear   ? "linear"
                                                : "nonlinear");
    if (block.kind != BlockKind::Assignment)
      out << ", " << plural(block.unknowns.size(), "unknown") << ", torn to " << block.tearing.size();
    out << ":";
    for (const VarId v : block.unknowns) out << " " << plan.system.name(v);
    out << "\n";
  }
}

void print_jacobians(std::ostream& out, const SimulationPlan& plan) {
  const Jacobians& j = plan.jacobians;
  print_matrix(out, plan, "derivatives of the states", j.derivatives, j.derivative_rows);
  print_matrix(out, plan, "outputs", j.outputs, j.output_rows);
  out << "\nresiduals of the equations: " << j.residuals.rows << " x " << j.residuals.columns << ", "
      << j.residuals.entries.size() << " not zero, " << plural(j.residuals.colours, "colour") << "\n";
}

}  // namespace fmugen::structure
