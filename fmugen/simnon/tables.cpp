// What a variable is follows from its declaration, or else from its first appearance: in a constant assignment or on a
// right side it is a parameter, on a left side an auxiliary variable.
//
//   DX=-A*X        X: STATE, DX: DER, A: parameter, since it appears on a right side first
//   E=R-Y          E: auxiliary
//   A:2            the value of A; without it A is unassigned
//
// What each section may compute (manual, tables 3 to 5):
//
//                CONTINUOUS                    DISCRETE                                    CONNECTING
//   INITIAL      auxiliaries, states           and outputs, TSAMP                          auxiliaries
//   OUTPUT       auxiliaries, outputs, DER     auxiliaries, outputs, NEW, TSAMP, states of continuous systems
//   DYNAMICS     auxiliaries, DER              auxiliaries, NEW, TSAMP, states of continuous systems
//   CONNECT                                                                                auxiliaries, inputs
//
// SORT may compute what OUTPUT and DYNAMICS, or CONNECT, may, in any order of its lines.
#include "fmugen/simnon/tables.h"

#include <algorithm>

namespace fmugen::simnon {

namespace {

std::string quoted(const std::string& name) { return "'" + name + "'"; }

std::string written(const Reference& r) {
  return quoted(r.system ? r.name.text + "[" + r.system->text + "]" : r.name.text);
}

std::string a_role(Role role) {
  switch (role) {
    case Role::Input: return "an INPUT";
    case Role::Output: return "an OUTPUT";
    case Role::Time: return "the TIME";
    case Role::State: return "a STATE";
    case Role::Der: return "a DER";
    case Role::New: return "a NEW";
    case Role::Tsamp: return "the TSAMP";
    case Role::Parameter: return "a parameter";
    case Role::Auxiliary: return "an auxiliary variable";
  }
  return "";
}

bool has_declaration(SystemKind kind, Declared type) {
  switch (type) {
    case Declared::Time: return true;
    case Declared::Input:
    case Declared::Output:
    case Declared::State: return kind != SystemKind::Connecting;
    case Declared::Der: return kind == SystemKind::Continuous;
    case Declared::New:
    case Declared::Tsamp: return kind == SystemKind::Discrete;
  }
  return false;
}

bool may_compute(SystemKind kind, Section section, Role role) {
  if (role == Role::Auxiliary) return true;
  const bool discrete = kind == SystemKind::Discrete;
  switch (section) {
    case Section::Initial:
      return kind != SystemKind::Connecting &&
             (role == Role::State || (discrete && (role == Role::Output || role == Role::Tsamp)));
    case Section::Output:
    case Section::Sort:
    case Section::Dynamics:
      if (role == Role::Output) return section != Section::Dynamics;
      return discrete ? role == Role::New || role == Role::Tsamp : role == Role::Der;
    case Section::Connect: return false;
  }
  return false;
}

// One system by itself.
class Reader {
 public:
  Reader(Table& table, support::Diagnostics& diagnostics) : t_(table), s_(*table.system), diagnostics_(diagnostics) {}

  void run() {
    for (const Declaration& d : s_.declarations) declare(d);
    pair_states();
    const bool sorted = std::any_of(s_.statements.begin(), s_.statements.end(),
                                    [](const Statement& s) { return s.section == Section::Sort; });
    if (sorted)
      for (const Statement& s : s_.statements)
        if (s.section == Section::Sort && s.kind == StatementKind::Assignment && !s.target.system &&
            !t_.find(s.target.name.text))
          add(s.target.name, Role::Auxiliary, s.comment);
    for (const Statement& s : s_.statements) read(s);
    check_values();
  }

 private:
  Entity& add(const Name& name, Role role, const std::string& comment) {
    t_.index.emplace(name.text, static_cast<std::uint32_t>(t_.entities.size()));
    t_.entities.emplace_back();
    t_.entities.back().role = role;
    t_.entities.back().name = name;
    t_.entities.back().comment = comment;
    return t_.entities.back();
  }

  void declare(const Declaration& d) {
    if (!has_declaration(s_.kind, d.type)) {
      diagnostics_.error(d.name.where, "a " + std::string(name(s_.kind)) + " system has no " + name(d.type))
          .remark(s_.kind == SystemKind::Connecting ? "it declares TIME only"
                  : s_.kind == SystemKind::Discrete ? "it declares INPUT, OUTPUT, TIME, STATE, NEW and TSAMP"
                                                    : "it declares INPUT, OUTPUT, TIME, STATE and DER");
    }
    const auto role = static_cast<Role>(d.type);
    if (const Entity* other = t_.find(d.name.text)) {
      diagnostics_.error(d.name.where, quoted(d.name.text) + " is declared twice")
          .remark(other->name.where, "first here");
      return;
    }
    if (role == Role::Time || role == Role::Tsamp)
      for (const Entity& e : t_.entities)
        if (e.role == role)
          diagnostics_.error(d.name.where, "a second " + std::string(name(d.type)) + " variable")
              .remark(e.name.where, "the first is here");
    add(d.name, role, d.comment);
  }

  void pair_states() {
    const Role kind = s_.kind == SystemKind::Discrete ? Role::New : Role::Der;
    std::vector<std::uint32_t> states, others;
    for (std::uint32_t k = 0; k < t_.entities.size(); ++k) {
      if (t_.entities[k].role == Role::State) states.push_back(k);
      if (t_.entities[k].role == kind) others.push_back(k);
    }
    for (std::size_t k = 0; k < std::min(states.size(), others.size()); ++k) t_.entities[others[k]].partner = states[k];
    if (states.size() == others.size()) return;
    const bool more = states.size() > others.size();
    const Entity& lonely = t_.entities[more ? states[others.size()] : others[states.size()]];
    const char* other = kind == Role::New ? "NEW" : "DER";
    diagnostics_
        .error(lonely.name.where,
               more ? "no " + std::string(other) + " variable belongs to state " + quoted(lonely.name.text)
                    : "no STATE variable belongs to " + quoted(lonely.name.text))
        .remark("STATE and " + std::string(other) +
                " variables correspond in the order of their declaration: there are " + std::to_string(states.size()) +
                " and " + std::to_string(others.size()));
  }

  void read(const Statement& s) {
    if (s.kind == StatementKind::Constant) return constant(s);
    for_each_reference(s.value, [&](const Reference& r) {
      if (!r.system && !t_.find(r.name.text)) add(r.name, Role::Parameter, "");
    });
    if (s.kind == StatementKind::Stop) return;
    if (s.target.system) return foreign(s);
    Entity* e = t_.find(s.target.name.text);
    if (!e) e = &add(s.target.name, Role::Auxiliary, s.comment);
    if (e->role == Role::Parameter) {
      diagnostics_.error(s.target.where, "parameter " + quoted(e->name.text) + " cannot be computed")
          .remark(e->name.where,
                  "it is a parameter because it appears here first; an auxiliary variable is computed "
                  "before it is used");
      return;
    }
    if (!may_compute(s_.kind, s.section, e->role)) return reject(s, *e);
    if (s.section != Section::Initial) {
      e->computed.push_back(&s);
      if (e->initial && e->role == Role::Auxiliary && s_.kind != SystemKind::Discrete)
        diagnostics_.error(s.target.where, quoted(e->name.text) + " is computed in section INITIAL already")
            .remark(e->initial->where, "here");
      if (s.section == Section::Sort && e->computed.size() > 1)
        diagnostics_.error(s.target.where, quoted(e->name.text) + " is computed twice in section SORT")
            .remark(e->computed.front()->where, "first here");
      return;
    }
    if (e->initial)
      diagnostics_.error(s.target.where, quoted(e->name.text) + " is computed twice in section INITIAL")
          .remark(e->initial->where, "first here");
    e->initial = &s;
    if (e->constant) two_initial_values(*e, s);
  }

  void reject(const Statement& s, const Entity& e) {
    auto& error = diagnostics_.error(s.target.where, "section " + std::string(name(s.section)) + " of a " +
                                                         name(s_.kind) + " system cannot compute " +
                                                         quoted(e.name.text) + ", which is " + a_role(e.role));
    if (e.role == Role::State && s_.kind == SystemKind::Continuous)
      error.remark("a state changes by its DER variable; its initial value is computed in section INITIAL");
    else if (e.role == Role::State)
      error.remark("the value at the next sampling is computed by its NEW variable");
    else if (e.role == Role::Output && s.section == Section::Dynamics)
      error.remark("outputs are computed in section OUTPUT");
    else if (e.role == Role::Input)
      error.remark("inputs are computed by the connecting system");
  }

  void foreign(const Statement& s) {
    if (s_.kind == SystemKind::Connecting && s.section != Section::Initial) return;  // see connections
    if (s_.kind == SystemKind::Discrete && s.section != Section::Initial) {
      t_.overwrites.push_back(&s);
      return;
    }
    diagnostics_.error(s.target.where, "section " + std::string(name(s.section)) + " of a " + name(s_.kind) +
                                           " system cannot compute variables of other systems");
  }

  void two_initial_values(const Entity& e, const Statement& s) {
    diagnostics_.error(s.target.where, "state " + quoted(e.name.text) + " has two initial values")
        .remark((&s == e.constant ? e.initial : e.constant)->where, "the other is here");
  }

  void constant(const Statement& s) {
    Entity* e = t_.find(s.target.name.text);
    if (!e) e = &add(s.target.name, Role::Parameter, s.comment);
    if (e->role != Role::Parameter && e->role != Role::State) {
      auto& error = diagnostics_.error(
          s.target.where, "a constant cannot be assigned to " + quoted(e->name.text) + ", which is " + a_role(e->role));
      error.remark(e->name.where, e->role == Role::Auxiliary ? "it is computed here" : "it is declared here");
      if (e->role == Role::Tsamp || (e->role == Role::Output && s_.kind == SystemKind::Discrete))
        error.remark("its initial value can be computed in section INITIAL");
      return;
    }
    if (e->constant)
      diagnostics_.error(s.target.where, quoted(e->name.text) + " has two values")
          .remark(e->constant->where, "the first is here");
    e->constant = &s;
    if (e->comment.empty()) e->comment = s.comment;
    if (e->initial) two_initial_values(*e, s);
  }

  void check_values() {
    for (const Entity& e : t_.entities) {
      const bool computed = !e.computed.empty();
      if (e.role == Role::Parameter && !e.constant)
        diagnostics_.error(e.name.where, "unassigned: " + e.name.text)
            .remark("it is a parameter, since it appears on a right side first; give it a value: '" + e.name.text +
                    ": number'");
      else if ((e.role == Role::Der || e.role == Role::New || e.role == Role::Tsamp) && !computed)
        diagnostics_.error(e.name.where, "unassigned: " + e.name.text)
            .remark("no section computes " + a_role(e.role) + " variable " + quoted(e.name.text));
      else if (e.role == Role::Output && !computed)
        diagnostics_.error(e.name.where, "unassigned: " + e.name.text).remark("section OUTPUT does not compute it");
    }
    const auto is_tsamp = [](const Entity& e) { return e.role == Role::Tsamp; };
    if (s_.kind == SystemKind::Discrete && std::none_of(t_.entities.begin(), t_.entities.end(), is_tsamp))
      diagnostics_.error(s_.where, "discrete system " + quoted(s_.name.text) + " is sampled only once")
          .remark("declare 'TSAMP TS' and compute the next sampling instant: 'TS = T + DT'");
  }

  Table& t_;
  const System& s_;
  support::Diagnostics& diagnostics_;
};

// References from one system to others.
class Connections {
 public:
  Connections(std::vector<Table>& tables, support::Diagnostics& diagnostics)
      : tables_(tables), diagnostics_(diagnostics) {}

  void run() {
    for (Table& t : tables_)
      for (const Statement& s : t.system->statements) {
        for_each_reference(s.value, [&](const Reference& r) {
          if (!r.system) return;
          if (t.system->kind == SystemKind::Continuous)
            diagnostics_.error(r.where, "a continuous system cannot read " + written(r))
                .remark("declare an INPUT, and let the connecting system assign it");
          else
            resolve(r);
        });
        if (s.kind != StatementKind::Assignment || !s.target.system || s.section == Section::Initial) continue;
        if (t.system->kind == SystemKind::Connecting) assign_input(s);
        if (t.system->kind == SystemKind::Discrete) check_overwritten(s);
      }
    if (tables_.size() > 1) check_inputs();
  }

 private:
  Entity* resolve(const Reference& r) {
    Table* table = nullptr;
    for (Table& t : tables_)
      if (t.system->name.text == r.system->text) table = &t;
    if (!table) {
      std::vector<std::string> names;
      for (const Table& t : tables_) names.push_back(t.system->name.text);
      auto& error = diagnostics_.error(r.system->where, "there is no system " + quoted(r.system->text));
      if (const std::string near = support::nearest_name(r.system->text, names); !near.empty())
        error.remark("did you mean '" + near + "'?");
      return nullptr;
    }
    Entity* e = table->find(r.name.text);
    if (e) return e;
    auto& error = diagnostics_.error(r.name.where,
                                     "system " + quoted(r.system->text) + " has no variable " + quoted(r.name.text));
    if (const std::string near = support::nearest_name(r.name.text, table->names()); !near.empty())
      error.remark("did you mean '" + near + "'?");
    return nullptr;
  }

  void assign_input(const Statement& s) {
    Entity* e = resolve(s.target);
    if (!e) return;
    if (e->role != Role::Input) {
      diagnostics_
          .error(s.target.where,
                 "the connecting system computes inputs only; " + written(s.target) + " is " + a_role(e->role))
          .remark(e->name.where, "it is introduced here");
      return;
    }
    if (!e->computed.empty())
      diagnostics_.error(s.target.where, "input " + written(s.target) + " is assigned twice")
          .remark(e->computed.front()->where, "first here");
    e->computed.push_back(&s);
  }

  void check_overwritten(const Statement& s) {
    const Entity* e = resolve(s.target);
    if (!e) return;
    const Table* t = find_system(tables_, s.target.system->text);
    if (e->role == Role::State && t->system->kind == SystemKind::Continuous) return;
    diagnostics_.error(s.target.where, "a discrete system can change states of continuous systems only")
        .remark(e->name.where,
                written(s.target) + " is " + a_role(e->role) + " of a " + name(t->system->kind) + " system");
  }

  void check_inputs() {
    for (const Table& t : tables_)
      for (const Entity& e : t.entities)
        if (e.role == Role::Input && e.computed.empty())
          diagnostics_.error(tables_.back().system->end, "unassigned: " + e.name.text + "[" + t.system->name.text + "]")
              .remark(e.name.where, "the connecting system does not assign this input");
  }

  std::vector<Table>& tables_;
  support::Diagnostics& diagnostics_;
};

// Names of systems, and which of them connects.
bool check_systems(const std::vector<System>& systems, support::Diagnostics& diagnostics) {
  const std::size_t before = diagnostics.errors();
  std::map<std::string, const System*> known;
  for (const System& s : systems) {
    const auto [at, added] = known.emplace(s.name.text, &s);
    if (!added)
      diagnostics.error(s.name.where, "a second system " + quoted(s.name.text))
          .remark(at->second->name.where, "the first is here");
    if (s.kind == SystemKind::Connecting && &s != &systems.back())
      diagnostics.error(s.where, "the connecting system is the last one")
          .remark(systems.back().where, "this system stands behind it: name its file before");
  }
  const System& last = systems.back();
  if (last.kind == SystemKind::Connecting && systems.size() == 1)
    diagnostics.error(last.where, "a connecting system alone has nothing to connect")
        .remark("name the files of its systems before its own");
  if (last.kind != SystemKind::Connecting && systems.size() > 1 && diagnostics.errors() == before)
    diagnostics.error(last.where, "several systems need a connecting system, which is the last one");
  return diagnostics.errors() == before;
}

}  // namespace

const Entity* Table::find(const std::string& name) const {
  const auto at = index.find(name);
  return at == index.end() ? nullptr : &entities[at->second];
}

Entity* Table::find(const std::string& name) {
  const auto at = index.find(name);
  return at == index.end() ? nullptr : &entities[at->second];
}

std::vector<std::string> Table::names() const {
  std::vector<std::string> found;
  for (const Entity& e : entities) found.push_back(e.name.text);
  return found;
}

const Table* find_system(const std::vector<Table>& tables, const std::string& name) {
  for (const Table& t : tables)
    if (t.system->name.text == name) return &t;
  return nullptr;
}

bool is_computed_by_output(const Entity& e) {
  return e.role != Role::Input && std::any_of(e.computed.begin(), e.computed.end(), [](const Statement* s) {
           return s->section == Section::Output || s->section == Section::Sort;
         });
}

std::vector<Table> make_tables(const std::vector<System>& systems, support::Diagnostics& diagnostics) {
  std::vector<Table> tables;
  if (systems.empty() || !check_systems(systems, diagnostics)) return tables;
  tables.resize(systems.size());
  for (std::size_t k = 0; k < systems.size(); ++k) {
    tables[k].system = &systems[k];
    Reader(tables[k], diagnostics).run();
  }
  Connections(tables, diagnostics).run();
  return tables;
}

}  // namespace fmugen::simnon
