// Text is appended to the last file of its group until that has its number of statements. A piece is never split, so a
// file exceeds the limit by at most one piece.
//
//   pieces of 300, 100, 200, 50 statements          equations_1.c: 300, 100, 200     equations_2.c: 50
#include "fmugen/codegen/files.h"

#include <algorithm>

#include "fmugen/equations/print.h"

namespace fmugen::codegen {

void Files::add(Group group, const std::string& text, std::size_t weight) {
  Open& open = group == Group::Equations ? equations_ : seldom_;
  if (open.weight >= kStatements) {
    const char* stem = group == Group::Equations ? "equations_" : "initial_";
    open.file = files_.size();
    open.weight = 0;
    files_.push_back({stem + std::to_string(++open.count) + ".c", "#include \"model.h\"\n", group == Group::Seldom});
  }
  files_[open.file].text += "\n" + text;
  open.weight += weight;
}

EquationTexts::EquationTexts(const structure::SimulationPlan& plan, const support::Sources& sources)
    : plan_(plan), sources_(sources) {}

std::string EquationTexts::place(support::SourceRange where) const {
  if (!where.known() || where.file >= sources_.size()) return "";
  const std::string& path = sources_.file(where.file).path();
  const std::size_t slash = path.find_last_of("/\\");
  return path.substr(slash == std::string::npos ? 0 : slash + 1) + ":" + std::to_string(sources_.position(where).line);
}

std::string EquationTexts::text(equations::Expr e) const {
  return equations::to_text(e, equations::names_of(plan_.system.model));
}

std::string EquationTexts::text(const Origin& origin) const {
  if (origin.equation) return text(*origin.equation);
  const equations::Variable& p = plan_.system.model.variables[origin.parameter];
  const std::string where = place(p.where);
  return plan_.system.name(equations::VarId{origin.parameter}) + " = " + text(p.binding) +
         (where.empty() ? "" : "   (" + where + ")");
}

std::string EquationTexts::text(const structure::SystemEquation& e) const {
  const equations::FlatModel& model = plan_.system.model;
  if (e.flat == structure::kNone || e.flat >= model.equations.size()) return text(e.left) + " = " + text(e.right);
  const equations::FlatEquation& flat = model.equations[e.flat];
  std::string out = equations::to_text(flat, equations::names_of(model));
  std::string remarks = place(flat.origin.where);
  if (e.differentiated > 0) {
    remarks += remarks.empty() ? "" : ", ";
    remarks +=
        e.differentiated == 1 ? "differentiated" : "differentiated " + std::to_string(e.differentiated) + " times";
  }
  return remarks.empty() ? out : out + "   (" + remarks + ")";
}

}  // namespace fmugen::codegen
