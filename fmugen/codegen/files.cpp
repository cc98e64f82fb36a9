// Text is appended to the last file of its group until that has its number of statements. A piece is never split, so a
// file exceeds the limit by at most one piece.
//
//   pieces of 300, 100, 200, 50 statements          equations_1.c: 300, 100, 200     equations_2.c: 50
#include "fmugen/codegen/files.h"

#include <algorithm>

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

namespace {

constexpr std::size_t kListed = 6;  // names and equations in one message

template <class List, class Text>
std::string listed(const List& list, const char* separator, Text text) {
  std::string out;
  for (std::size_t k = 0; k < list.size() && k < kListed; ++k) out += (k > 0 ? separator : "") + text(list[k]);
  return list.size() > kListed ? out + " and " + std::to_string(list.size() - kListed) + " more" : out;
}

}  // namespace

std::string EquationTexts::state(equations::VarId v) const {
  const auto name = [&](equations::VarId x) { return "'" + std::string(plan_.system.name(x)) + "'"; };
  for (const structure::StateSet& set : plan_.selection.dynamic) {
    if (std::find(set.states.begin(), set.states.end(), v) == set.states.end()) continue;
    return "the state chosen among " + listed(set.candidates, ", ", name) + ", tied together by " +
           listed(set.constraints, "; ", [&](std::uint32_t k) { return text(plan_.system.equations[k]); });
  }
  return name(v);
}

std::string EquationTexts::text(const structure::SystemEquation& e) const {
  if (e.selects && e.left->op() == equations::Op::Variable) return state(e.left->variable());
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
