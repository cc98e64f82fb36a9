// SIMNON executes the statements of the connecting system as they stand. Before one that uses an output it inserts the
// section OUTPUT of the system that computes it (manual, 3.2); at the end come the sections OUTPUT that nobody asked
// for, then all sections DYNAMICS.
//
//   Y[CPID]=Y[MOTOR]                preceded by the output section of MOTOR, where U is not defined yet
//   U[MOTOR]=U[CPID]                preceded by the output section of CPID
//
// There U has the value of the evaluation before, which is no harm if nothing in the section uses it. fmugen sorts the
// equations instead, so that an order that is harmless gives the same, and one that is not gives the solution that was
// meant. The same holds of states of continuous systems that a discrete system overwrites: SIMNON does it on the spot,
// fmugen after all systems have been sampled; who reads them in between is told.
#include "fmugen/simnon/order.h"

#include <algorithm>
#include <set>

namespace fmugen::simnon {

namespace {

std::string quoted(const std::string& name) { return "'" + name + "'"; }

bool is_sorted(const Table& t) {
  return std::any_of(t.system->statements.begin(), t.system->statements.end(),
                     [](const Statement& s) { return s.section == Section::Sort; });
}

bool belongs(const Statement& s, Step::Kind kind) {
  return kind == Step::Dynamics ? s.section == Section::Dynamics
                                : s.section == Section::Output || s.section == Section::Sort;
}

// The first reference to a variable of the own system in a section, or null.
const Reference* first_use(const Table& t, Step::Kind kind, const std::string& name) {
  const Reference* found = nullptr;
  for (const Statement& s : t.system->statements)
    if (belongs(s, kind))
      for_each_reference(s.value, [&](const Reference& r) {
        if (!found && !r.system && r.name.text == name) found = &r;
      });
  return found;
}

class Reporter {
 public:
  Reporter(const std::vector<Table>& tables, bool all, support::Diagnostics& diagnostics)
      : tables_(tables), all_(all), diagnostics_(diagnostics) {}

  void run() {
    std::vector<Step> steps = execution_order(tables_);
    std::vector<const Table*> before;
    std::set<const Entity*> defined;
    for (const Step& step : steps) {
      if (step.kind == Step::Output) before.push_back(step.table);
      if (step.kind != Step::Statement) continue;
      for (const Table* t : before) precede(*step.statement, *t, defined);
      before.clear();
      if (step.statement->kind != StatementKind::Assignment || !step.statement->target.system) continue;
      const Table* target = find_system(tables_, step.statement->target.system->text);
      if (target) defined.insert(target->find(step.statement->target.name.text));
    }
    for (std::size_t k = 0; k < steps.size(); ++k)
      if (steps[k].kind != Step::Statement)
        for (const Statement* s : steps[k].table->overwrites)
          if (belongs(*s, steps[k].kind)) check_readers(*s, *steps[k].table, steps, k + 1);
  }

 private:
  void precede(const Statement& s, const Table& t, const std::set<const Entity*>& defined) {
    const std::string section = "section OUTPUT of " + quoted(t.system->name.text);
    if (all_)
      diagnostics_.note(s.where, "preceded by execution of " + section +
                                     (t.system->kind == SystemKind::Discrete ? " if sampling" : ""));
    for (const Entity& e : t.entities) {
      if (e.role != Role::Input || defined.contains(&e)) continue;
      const Reference* use = first_use(t, Step::Output, e.name.text);
      if (!use && !all_) continue;
      auto& warning = diagnostics_.warning(s.where, quoted(e.name.text) + " is undefined in " + section);
      if (use)
        warning
            .remark(use->where,
                    "it is used here: SIMNON would take the value it had before, fmugen sorts the equations")
            .remark(e.computed.empty() ? SourceRange{} : e.computed.front()->where,
                    "assign it before, and both compute the same");
      else
        warning.remark("harmless: nothing in that section uses it");
    }
  }

  // Who reads the state after it was overwritten, at the same instant.
  void check_readers(const Statement& s, const Table& writer, const std::vector<Step>& steps, std::size_t from) {
    const std::string &name = s.target.name.text, &system = s.target.system->text;
    const Reference* reader = nullptr;
    const auto look = [&](const Reference& r) {
      if (!reader && r.system && r.system->text == system && r.name.text == name) reader = &r;
    };
    for (std::size_t k = from; k < steps.size() && !reader; ++k) {
      const Step& step = steps[k];
      if (step.kind == Step::Statement) {
        for_each_reference(step.statement->value, look);
      } else if (step.table->system->name.text == system) {
        if (step.kind == Step::Output) reader = first_use(*step.table, Step::Output, name);
      } else if (step.table != &writer) {
        for (const Statement& other : step.table->system->statements)
          if (belongs(other, step.kind)) for_each_reference(other.value, look);
      }
    }
    if (!reader) return;
    diagnostics_
        .warning(s.target.where,
                 quoted(name + "[" + system + "]") + " is overwritten before it is read at the same instant")
        .remark(reader->where, "it is read here: SIMNON would take the new value, fmugen takes the one before");
  }

  const std::vector<Table>& tables_;
  bool all_;
  support::Diagnostics& diagnostics_;
};

}  // namespace

std::vector<Step> execution_order(const std::vector<Table>& tables) {
  std::vector<Step> steps;
  std::set<const Table*> executed;
  const Table& connecting = tables.back();
  const bool connected = connecting.system->kind == SystemKind::Connecting;
  if (connected)
    for (const Statement& s : connecting.system->statements) {
      if (s.section == Section::Initial || s.kind == StatementKind::Constant) continue;
      if (!is_sorted(connecting))
        for_each_reference(s.value, [&](const Reference& r) {
          const Table* t = r.system ? find_system(tables, r.system->text) : nullptr;
          const Entity* e = t ? t->find(r.name.text) : nullptr;
          if (!e || t == &connecting || !is_computed_by_output(*e) || !executed.insert(t).second) return;
          steps.push_back({Step::Output, nullptr, t});
        });
      steps.push_back({Step::Statement, &s, nullptr});
    }
  for (const Table& t : tables)
    if ((&t != &connecting || !connected) && executed.insert(&t).second) steps.push_back({Step::Output, nullptr, &t});
  for (const Table& t : tables)
    if (&t != &connecting || !connected) steps.push_back({Step::Dynamics, nullptr, &t});
  return steps;
}

void report_order(const std::vector<Table>& tables, bool all, support::Diagnostics& diagnostics) {
  Reporter(tables, all, diagnostics).run();
}

}  // namespace fmugen::simnon
