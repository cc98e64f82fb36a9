// What the run time asks about events.
//
//   when h < 0 then reinit v := -e*v          relation 0: FMR_LESS, crossing z = h - 0
//                                             condition of branch 0: held[0]
//                                             act(0): v[v] = -v[e]*v[v], FMR_ACT_STATES
//
// A crossing is the difference of the sides of a relation at the present values; relations inside the sides are read
// where they are held. What changes at a known instant sees time as m->late, which is a hair later at the instant
// itself. Steps are the values of int, floor, ceil, and of the quotient in mod, as they are now.
#include "fmugen/codegen/events_code.h"

#include <algorithm>

#include "fmugen/codegen/c_text.h"
#include "fmugen/equations/occurrences.h"

namespace fmugen::codegen {

using equations::Function;
using equations::Op;

namespace {

constexpr std::size_t kBranches = 100;  // of when clauses in one C function

const char* relation_kind(Expr node) {
  switch (node->op()) {
    case Op::Less: return "FMR_LESS";
    case Op::LessEqual: return "FMR_LESS_EQUAL";
    case Op::Equal: return "FMR_EQUAL";
    case Op::Unequal: return "FMR_UNEQUAL";
    default: return node->function() == Function::Sign ? "FMR_SIGN" : "FMR_STEP";
  }
}

std::string with_place(std::string text, const std::string& place) {
  return place.empty() ? text : text + "   (" + place + ")";
}

}  // namespace

EventsCode::EventsCode(Vocabulary& words, Program& program, const EquationTexts& texts, Files& files)
    : words_(words),
      program_(program),
      texts_(texts),
      files_(files),
      translate_(words, {}),
      translate_late_(words, {{}, true, {}}) {}

std::string EventsCode::function(const std::string& name, const Values& values, std::uint32_t clear) {
  if (values.empty()) return "0";
  std::vector<Item> items;
  for (const auto& [number, value] : values) items.push_back({Item::Statement, Target::Out, number, value, {}, {}, {}});
  program_.write({name, false, true, clear, Group::Equations, ""}, program_.arrange(std::move(items)));
  return name;
}

std::string EventsCode::relations(std::string& tables) {
  const auto& relations = words_.plan.events.relations;
  equations::ExprPool& pool = words_.pool;
  Values crossings, steps, instants;
  std::vector<std::string> rows;
  for (std::uint32_t k = 0; k < relations.size(); ++k) {
    const structure::Relation& r = relations[k];
    const std::string kind = relation_kind(r.node);
    Translator& translate = r.instant ? translate_late_ : translate_;
    const Expr x = translate(r.node->child(0));
    if (kind == "FMR_STEP") {
      Function f = r.node->function();
      const bool quotient = f == Function::Mod;
      if (quotient) f = Function::Int;
      steps.emplace_back(k, pool.call(f, quotient ? pool.div(x, translate(r.node->child(1))) : x));
      crossings.emplace_back(k, translate(r.crossing ? r.crossing : r.node->child(0)));
    } else if (kind == "FMR_SIGN") {
      crossings.emplace_back(k, x);
    } else {
      crossings.emplace_back(k, pool.sub(x, translate(r.node->child(1))));
    }
    if (r.instant) instants.emplace_back(k, translate_(r.instant));
    rows.push_back("{" + kind + ", " + (r.instant ? "1" : "0") + ", " +
                   c_string(with_place(texts_.text(r.node), texts_.place(r.where))) + "}");
  }
  if (!rows.empty()) tables += c_table("FmrRelation", "relations", rows);
  const std::string z = function("model_crossings", crossings), s = function("model_steps", steps),
                    t = function("model_instants", instants);
  return std::to_string(relations.size()) + ", " + (rows.empty() ? "0" : "relations") + ", " + z + ", " + s + ", " + t;
}

std::string EventsCode::whens(std::string& tables) {
  Values conditions;
  std::vector<std::uint32_t> clause, discrete;
  std::vector<const equations::WhenBranch*> branches;
  std::vector<std::string> comments;
  std::uint32_t number = 0;
  for (const equations::WhenClause& when : words_.plan.events.whens) {
    for (const equations::WhenBranch& branch : when.branches) {
      const auto place = static_cast<std::uint32_t>(branches.size());
      const Slot remembered = words_.layout.condition[place];
      conditions.emplace_back(place, remembered > 0 ? words_.pool.variable(code({LeafKind::Passive, remembered}))
                                                    : translate_(branch.condition));
      clause.push_back(number);
      branches.push_back(&branch);
      comments.push_back(with_place("when " + texts_.text(branch.condition), texts_.place(when.where)));
      for (const equations::WhenAction& action : branch.actions)
        if (action.kind == equations::ActionKind::Assign) discrete.push_back(words_.layout.slot_of(action.target));
    }
    ++number;
  }
  std::sort(discrete.begin(), discrete.end());
  discrete.erase(std::unique(discrete.begin(), discrete.end()), discrete.end());
  tables += c_table("discrete", discrete) + c_table("clauses", clause);
  std::vector<std::string> texts;
  for (const std::string& comment : comments) texts.push_back(c_string(comment));
  if (!texts.empty()) tables += c_table("char *const", "branch_text", texts);
  const std::string test = function("model_conditions", conditions), work = act(branches, comments);
  return std::to_string(discrete.size()) + ", discrete,\n  " + std::to_string(branches.size()) + ", clauses, " + test +
         ", " + work + ", " + (texts.empty() ? "0" : "branch_text");
}

std::string EventsCode::act(const std::vector<const equations::WhenBranch*>& branches,
                            const std::vector<std::string>& comments) {
  if (branches.empty()) return "0";
  std::string dispatch =
      "int model_act(FmrData *m, unsigned branch) {\n  switch (branch / " + std::to_string(kBranches) + ") {\n";
  for (std::size_t first = 0; first < branches.size(); first += kBranches) {
    const std::string part = "model_act_" + std::to_string(first / kBranches + 1);
    const std::size_t last = std::min(first + kBranches, branches.size());
    std::string text =
        "int " + part + "(FmrData *m, unsigned branch) {\n  double *const v = m->v;\n  (void)v;\n  switch (branch) {\n";
    for (std::size_t k = first; k < last; ++k)
      text += "    case " + std::to_string(k) + ":\n      " + c_comment(comments[k]) + "\n" + act_case(*branches[k]);
    files_.add(Group::Equations, text + "    default: return FMR_ACT_FAILED;\n  }\n}\n", last - first);
    files_.declare("int " + part + "(FmrData *m, unsigned branch);\n");
    dispatch += "    case " + std::to_string(first / kBranches) + ": return " + part + "(m, branch);\n";
  }
  files_.add(Group::Equations, dispatch + "    default: return FMR_ACT_FAILED;\n  }\n}\n", 1);
  files_.declare("int model_act(FmrData *m, unsigned branch);\n");
  return "model_act";
}

std::string EventsCode::act_case(const equations::WhenBranch& branch) {
  std::string text, result;
  const auto also = [&](const char* flag) {
    if (result.find(flag) == std::string::npos) result += (result.empty() ? "" : " | ") + std::string(flag);
  };
  for (const equations::WhenAction& action : branch.actions) {
    if (action.kind == equations::ActionKind::Terminate) {
      text += "      m->text = " + c_string(action.text) + ";\n";
      also("FMR_ACT_TERMINATE");
      continue;
    }
    if (action.kind == equations::ActionKind::Select || !action.value) continue;  // nothing else than it says
    if (action.kind == equations::ActionKind::Reinit) also("FMR_ACT_STATES");
    const Place place = words_.layout.place[index(action.target)];
    CWriter writer(words_, [&](Leaf leaf) -> std::string {
      const std::string number = std::to_string(leaf.number);
      switch (leaf.kind) {
        case LeafKind::Held: return "m->held[" + number + "]";
        case LeafKind::Pre: return "m->pre[" + number + "]";
        case LeafKind::Late: return "m->late";
        case LeafKind::Table:
        case LeafKind::Delay: return number;
        default:
          return "v[" + number + "] " +
                 c_comment(leaf.number == 0 ? "time" : words_.plan.system.name(words_.layout.variable[leaf.number]));
      }
    });
    Expr value = translate_(action.value);
    if (place.sign < 0) value = words_.pool.neg(value);
    text += "      {\n";
    const std::string v = writer.write(value, text, "        ");
    text += "        v[" + std::to_string(place.slot) + "] " + c_comment(words_.plan.system.name(action.target)) +
            " = " + v + ";\n      }\n";
  }
  return text + "      return " + (result.empty() ? "0" : result) + ";\n";
}

// What a delay remembers may be delayed itself, so the list can grow while it is written.
std::string EventsCode::delays(std::string& tables) {
  Values values, longest;
  for (std::uint32_t k = 0; k < words_.delays.size(); ++k) {
    const Expr delay = words_.delays[k];
    values.emplace_back(k, translate_(delay->child(0)));
    longest.emplace_back(k, translate_(delay->child(delay->size() > 2 ? 2 : 1)));
  }
  if (values.empty()) return "0, 0, 0";
  tables += c_table("char *const", "delay_text", delay_texts());
  function("model_delayed_values", values);
  function("model_delayed_longest", longest);
  files_.add(Group::Equations,
             "void model_delayed(FmrData *m, double *value, double *longest) {\n  model_delayed_values(m, value);\n"
             "  model_delayed_longest(m, longest);\n}\n",
             1);
  files_.declare("void model_delayed(FmrData *m, double *value, double *longest);\n");
  return std::to_string(values.size()) + ", model_delayed, delay_text";
}

// The delays, each with the first equation that it stands in.
std::vector<std::string> EventsCode::delay_texts() const {
  equations::NodeMap<const structure::SystemEquation*> where;
  equations::Occurrences occurrences;
  std::vector<Expr> leaves;
  for (const structure::SystemEquation& e : words_.plan.system.equations) {
    leaves.clear();
    occurrences.leaves(e.left, leaves);
    occurrences.leaves(e.right, leaves);
    for (const Expr leaf : leaves)
      if (leaf->op() == Op::Delay && !where.find(leaf)) where[leaf] = &e;
  }
  std::vector<std::string> texts;
  for (const Expr delay : words_.delays) {
    const structure::SystemEquation* const* equation = where.find(delay);
    texts.push_back(c_string(texts_.text(delay) + (equation ? " in " + texts_.text(**equation) : "")));
  }
  return texts;
}

std::string EventsCode::check_table(const std::vector<equations::Check>& checks, const std::string& name) {
  std::vector<std::string> rows;
  for (const equations::Check& check : checks)
    rows.push_back("{" +
                   c_string(check.text.empty() ? with_place(texts_.text(check.condition), texts_.place(check.where))
                                               : check.text) +
                   "}");
  return rows.empty() ? "" : c_table("FmrCheck", name, rows);
}

std::string EventsCode::checks(std::string& tables) {
  const structure::Events& events = words_.plan.events;
  Values valid, terminate;
  for (std::uint32_t k = 0; k < events.validity.size(); ++k)
    valid.emplace_back(k, translate_(events.validity[k].condition));
  for (std::uint32_t k = 0; k < events.terminations.size(); ++k)
    terminate.emplace_back(k, translate_(events.terminations[k].condition));
  tables += check_table(events.validity, "checks") + check_table(events.terminations, "terminations");
  std::string text = "void model_conditions_of_run(FmrData *m, double *valid, double *terminate) {\n";
  const std::string v = function("model_valid", valid), t = function("model_terminate", terminate);
  text += v == "0" ? "  (void)valid;\n" : "  model_valid(m, valid);\n";
  text += t == "0" ? "  (void)terminate;\n" : "  model_terminate(m, terminate);\n";
  const bool any = v != "0" || t != "0";
  if (any) {
    files_.add(Group::Equations, text + "}\n", 1);
    files_.declare("void model_conditions_of_run(FmrData *m, double *valid, double *terminate);\n");
  }
  return std::to_string(valid.size()) + ", " + (valid.empty() ? "0" : "checks") + ", " +
         std::to_string(terminate.size()) + ", " + (terminate.empty() ? "0" : "terminations") + ", " +
         (any ? "model_conditions_of_run" : "0");
}

std::string EventsCode::state_sets(std::string& tables) {
  std::vector<std::string> rows;
  const auto slots = [&](const std::vector<VarId>& variables) {
    std::vector<std::uint32_t> found;
    for (const VarId v : variables) found.push_back(words_.layout.slot_of(v));
    return found;
  };
  for (const structure::StateSet& set : words_.plan.selection.dynamic) {
    const std::string name = "state_set_" + std::to_string(rows.size() + 1);
    const auto n = static_cast<std::uint32_t>(set.candidates.size());
    Values values;
    for (const structure::Entry& e : set.jacobian) values.emplace_back(e.row * n + e.column, translate_(e.value));
    const auto size = static_cast<std::uint32_t>(set.constraints.size()) * n;
    const std::string jacobian = function("model_" + name + "_jacobian", values, size);
    tables += c_table(name + "_candidate", slots(set.candidates)) + c_table(name + "_state", slots(set.states)) +
              c_table(name + "_selection", slots(set.selection)) + c_table(name + "_nominal", set.nominal);
    std::vector<std::string> constraints, names;
    for (const std::uint32_t k : set.constraints)
      constraints.push_back(c_string(texts_.text(words_.plan.system.equations[k])));
    for (const VarId v : set.candidates) names.push_back(c_string(words_.plan.system.name(v)));
    tables += c_table("char *const", name + "_constraint", constraints) + c_table("char *const", name + "_name", names);
    rows.push_back("{" + std::to_string(n) + ", " + std::to_string(set.constraints.size()) + ", " +
                   std::to_string(set.states.size()) + ", " + name + "_candidate, " + name + "_state, " + name +
                   "_selection, " + name + "_nominal, " + jacobian + ", {" + std::to_string(constraints.size()) +
                   ", " + name + "_constraint, " + name + "_name}}");
  }
  if (!rows.empty()) tables += c_table("FmrStateSet", "state_sets", rows);
  return std::to_string(rows.size()) + ", " + (rows.empty() ? "0" : "state_sets");
}

}  // namespace fmugen::codegen
