#include "fmugen/semantics/elaboration.h"

namespace fmugen::semantics {

namespace {
constexpr std::size_t kLinearSearch = 12;  // members up to which looking through them beats a hash table
}  // namespace

std::string to_text(const Shape& shape) {
  if (shape.rank == 0) return "a scalar";
  if (shape.rank == 1) return "a vector of " + std::to_string(shape.n[0]);
  return "a " + std::to_string(shape.n[0]) + " by " + std::to_string(shape.n[1]) + " matrix";
}

std::string subscripts(const Shape& shape, std::size_t element) {
  if (shape.rank == 0) return {};
  if (shape.rank == 1) return "[" + std::to_string(element + 1) + "]";
  return "[" + std::to_string(element / shape.n[1] + 1) + "," + std::to_string(element % shape.n[1] + 1) + "]";
}

std::string Elaboration::short_path(std::uint32_t instance) const {
  constexpr std::size_t kKept = 30;  // characters at either end
  std::string text = path(instance);
  if (text.size() <= 2 * kKept + 3) return text;
  return text.substr(0, kKept) + "..." + text.substr(text.size() - kKept);
}

Diagnostic* Elaboration::error(SourceRange where, std::string text, std::uint32_t instance) {
  if (!reported.insert(std::to_string(where.file) + ":" + std::to_string(where.begin) + ":" + text).second)
    return nullptr;
  Diagnostic& d = diagnostics.error(where, std::move(text));
  if (instance != 0) d.in(short_path(instance));
  return &d;
}

Diagnostic* Elaboration::warning(SourceRange where, std::string text, std::uint32_t instance) {
  if (!reported.insert(std::to_string(where.file) + ":" + std::to_string(where.begin) + ":" + text).second)
    return nullptr;
  Diagnostic& d = diagnostics.warning(where, std::move(text));
  if (instance != 0) d.in(short_path(instance));
  return &d;
}

bool Elaboration::spend(std::size_t n, SourceRange where) {
  if (n <= budget) {
    budget -= n;
    return true;
  }
  if (!out_of_budget) {
    diagnostics.error(where, "the model is too large: more than " + std::to_string(options.size_limit) +
                                 " variables, equations and loop steps");
  }
  out_of_budget = true;
  return false;
}

Member* Elaboration::find_member(std::uint32_t instance, Symbol name) {
  std::vector<Member>& members = instances[instance].members;
  if (members.size() <= kLinearSearch) {
    for (Member& m : members)
      if (m.name == name) return &m;
    return nullptr;
  }
  const auto& by_name = member_index[instance];
  const auto there = by_name.find(name);
  return there == by_name.end() ? nullptr : &members[there->second];
}

Member& Elaboration::add_member(std::uint32_t instance, Member member) {
  std::vector<Member>& members = instances[instance].members;
  members.push_back(member);
  if (members.size() > kLinearSearch) {
    auto& by_name = member_index[instance];
    if (by_name.empty())
      for (std::uint32_t i = 0; i < members.size(); ++i) by_name.emplace(members[i].name, i);
    else
      by_name.emplace(member.name, static_cast<std::uint32_t>(members.size() - 1));
  }
  return members.back();
}

VarId Elaboration::add_variable(equations::Variable variable) {
  model.variables.push_back(std::move(variable));
  extra.emplace_back();
  return VarId{static_cast<std::uint32_t>(model.variables.size() - 1)};
}

}  // namespace fmugen::semantics
