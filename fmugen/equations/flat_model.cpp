// Names in the flat model. They are composed when somebody asks: at a million variables the paths would be most of the
// memory.
#include "fmugen/equations/flat_model.h"

#include <algorithm>

namespace fmugen::equations {

std::string FlatModel::path(InstanceId i) const {
  std::vector<const std::string*> names;  // from the inside out: a deep tree must not recurse
  std::size_t length = 0;
  for (; index(i) != 0; i = instances[index(i)].parent) {
    names.push_back(&instances[index(i)].name);
    length += names.back()->size() + 1;
  }
  std::string text;
  text.reserve(length);
  for (auto part = names.rbegin(); part != names.rend(); ++part) {
    if (!text.empty()) text += '.';
    text += **part;
  }
  return text;
}

std::string FlatModel::name_of(VarId v) const {
  std::size_t order = 0;  // der(der(s[3].x)): the path belongs to the innermost name
  for (; variables[index(v)].derivative_of != 0xffffffff; ++order) v = VarId{variables[index(v)].derivative_of};
  if (order > 0) {
    std::string wrapped;
    for (std::size_t k = 0; k < order; ++k) wrapped += "der(";
    wrapped += name_of(v);
    return wrapped.append(order, ')');
  }
  const Variable& variable = variables[index(v)];
  if (variable.next_of != 0xffffffff) return "new(" + name_of(VarId{variable.next_of}) + ")";
  std::string text = path(variable.instance);
  if (!text.empty()) text += '.';
  return text += variable.local_name;
}

bool is_unknown(const Variable& v) {
  switch (v.kind) {
    case VariableKind::Parameter:
    case VariableKind::Constant:
    case VariableKind::Discrete: return false;  // discrete variables are set by `when`, not by equations
    case VariableKind::Input:
    case VariableKind::Terminal: return !v.boundary;
    case VariableKind::Local:
    case VariableKind::Output: return true;
  }
  return false;
}

std::size_t count_unknowns(const FlatModel& model) {
  return static_cast<std::size_t>(std::count_if(model.variables.begin(), model.variables.end(), is_unknown));
}

}  // namespace fmugen::equations
