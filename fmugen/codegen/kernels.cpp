// Kernels: one loop for all statements of a shape.
//
// The table has a row for every statement: where the result goes, and where each leaf is. Columns in which the numbers
// rise evenly need no table, and in models made of arrays that is most of them:
//
//   der(T[3]) := (q[2] - q[3])/C[3], ...          v[7 + k] = (v[40 + k] - v[41 + k])/v[i[0]];
//
// The tangent of a kernel is the derivative of its first statement, with the same table. Routines call a kernel for a
// range of rows; rows of one routine lie together.
#include <algorithm>
#include <map>

#include "fmugen/codegen/c_text.h"
#include "fmugen/codegen/program.h"

namespace fmugen::codegen {

namespace {

constexpr std::size_t kRowsPerStatement = 100;  // a table of so many rows costs a compiler as much as a statement
constexpr std::uint32_t kShort = 0xffff;

// The numbers of a column as an expression of the row k, or nothing if they do not rise evenly.
std::string even_column(const std::vector<std::uint32_t>& rows, std::size_t width, std::size_t column) {
  const std::size_t count = rows.size() / width;
  const std::int64_t first = rows[column];
  const std::int64_t step = count > 1 ? std::int64_t{rows[width + column]} - first : 0;
  for (std::size_t k = 0; k < count; ++k)
    if (rows[k * width + column] != first + step * static_cast<std::int64_t>(k)) return "";
  if (step == 0) return std::to_string(first);
  const std::string factor = step == 1 || step == -1 ? "" : std::to_string(step < 0 ? -step : step) + "*";
  return std::to_string(first) + (step < 0 ? " - " : " + ") + factor + "k";
}

}  // namespace

void Program::finish() {
  for (std::uint32_t k = 0; k < kernels_.size(); ++k) write_kernel(k);
}

void Program::write_kernel(std::uint32_t number) {
  const Kernel& kernel = kernels_[number];
  if (!kernel.value_wanted && !kernel.tangent_wanted) return;  // tangents that were given up, since one does not exist
  const std::size_t width = kernel.leaves.size() + 1, count = kernel.rows.size() / width;
  std::vector<std::string> column(width);
  std::vector<std::size_t> listed;
  for (std::size_t j = 0; j < width; ++j) {
    column[j] = even_column(kernel.rows, width, j);
    if (!column[j].empty()) continue;
    column[j] = "i[" + std::to_string(listed.size()) + "]";
    listed.push_back(j);
  }
  std::string text;
  if (kernel.origin.known()) {
    std::string comment = texts_.text(kernel.origin);
    if (count > 1) comment += ", and " + std::to_string(count - 1) + " more like this";
    text += c_comment(comment) + "\n";
  }
  const char* type = "unsigned";
  if (!listed.empty()) {
    std::vector<std::string> table;
    table.reserve(count * listed.size());
    std::uint32_t largest = 0;
    for (std::size_t k = 0; k < count; ++k)
      for (const std::size_t j : listed) {
        table.push_back(std::to_string(kernel.rows[k * width + j]));
        largest = std::max(largest, kernel.rows[k * width + j]);
      }
    if (largest <= kShort) type = "unsigned short";
    text += c_table(type, "table_" + std::to_string(number + 1), table);
  }
  if (kernel.value_wanted) text += kernel_loop(kernel, number, false, column, !listed.empty(), type, listed.size());
  if (kernel.tangent_wanted) text += kernel_loop(kernel, number, true, column, !listed.empty(), type, listed.size());
  files_.add(Group::Equations, text, 1 + count * listed.size() / kRowsPerStatement);
}

std::string Program::kernel_loop(const Kernel& kernel, std::uint32_t number, bool tangent,
                                 const std::vector<std::string>& column, bool table, const char* type,
                                 std::size_t width) {
  bool uses_v = false, uses_d = false;
  std::map<std::pair<LeafKind, std::uint32_t>, const std::string*> places;
  for (std::size_t j = 0; j < kernel.leaves.size(); ++j) {
    const Leaf& leaf = kernel.leaves[j];
    places.emplace(std::pair(leaf.kind, leaf.number), &column[j + 1]);
    if (leaf.kind == LeafKind::Value) places.emplace(std::pair(LeafKind::Tangent, leaf.number), &column[j + 1]);
  }
  const auto place = [&](Leaf leaf) { return *places.at({leaf.kind, leaf.number}); };
  CWriter writer(words_, [&](Leaf leaf) -> std::string {
    switch (leaf.kind) {
      case LeafKind::Value:
      case LeafKind::Passive: uses_v = true; return "v[" + place(leaf) + "]";
      case LeafKind::Tangent: uses_d = true; return "d[" + place(leaf) + "]";
      case LeafKind::Held: return "m->held[" + place(leaf) + "]";
      case LeafKind::Pre: return "m->pre[" + place(leaf) + "]";
      case LeafKind::Late: return "m->late";
      case LeafKind::Local: return "";
      case LeafKind::Table: return "(" + place(leaf) + ")";
      case LeafKind::Delay: return place(leaf);
    }
    return "";
  });
  std::string before;
  const std::string value = writer.write(expression(kernel.value, tangent), before, "    ");
  std::string target = "out[" + column[0] + "]";
  if (kernel.target == Target::Value) {
    target = (tangent ? "d[" : "v[") + column[0] + "]";
    (tangent ? uses_d : uses_v) = true;
  }
  const std::string name = "model_kernel_" + std::to_string(number + 1);
  std::string text = "void " + name + (tangent ? "_tangent" : "") + "(FmrData *m, " +
                     (kernel.target == Target::Value ? "" : "double *out, ") + "unsigned first, unsigned last)";
  files_.declare(text + ";\n");
  text += " {\n";
  if (uses_v) text += "  double *const v = m->v;\n";
  if (uses_d) text += "  double *const d = m->d;\n";
  if (!uses_v && !uses_d) text += "  (void)m;\n";
  text += "  for (unsigned k = first; k < last; ++k) {\n";
  if (table && (before + value + target).find("i[") != std::string::npos)
    text += "    const " + std::string(type) + " *const i = table_" + std::to_string(number + 1) + " + " +
            (width == 1 ? "k" : std::to_string(width) + "*k") + ";\n";
  text += before + "    " + target + (kernel.target == Target::Subtract ? " -= " : " = ") + value + ";\n  }\n}\n";
  return text;
}

}  // namespace fmugen::codegen
