// Assignments become equations: each is executed once at an evaluation, so that what it computes equals its right side.
//
//   CONTINUOUS   DX=-X+U            der(P.X) = P.DX, P.DX = -P.X + P.U
//   DISCRETE     NX=X+U, TS=T+DT    new(C.X) = C.NX, C.NX = C.X + C.U, C.TS = time + C.DT, when C.TS says
//   CONNECTING   U[P]=Y[C]          P.U = C.Y
//
// A variable that is assigned several times has a version for each, the last of which bears its name: X=1, X=X+1 are
// X#1 = 1 and X = X#1 + 1. Section INITIAL gives initial values: of states, of what discrete systems hold before they
// are first sampled, and auxiliary variables that keep their value. Reading TSAMP before it is computed gives the
// present instant.
//
// Conditions that auxiliary variables stand for are remembered: with S=T<1 the condition IF S is T<1 itself and not
// 0.5 <= S, so that one event is made and not two.
#include "fmugen/simnon/translate.h"

#include <algorithm>
#include <cmath>

#include "fmugen/equations/evaluate.h"
#include "fmugen/equations/occurrences.h"
#include "fmugen/simnon/values.h"

namespace fmugen::simnon {

using equations::FlatModel;
using equations::InstanceId;
using equations::Op;
using equations::VariableKind;
using equations::VarId;

namespace {

struct Meaning {             // of an entity
  VarId variable{0};         // the last version; of no use for TIME
  Value now;                 // the present version; null: not computed yet
  Expr initially = nullptr;  // its value in section INITIAL
  std::size_t assigned = 0;  // how often so far
};

class Translator {
 public:
  Translator(const std::vector<Table>& tables, const std::map<const Entity*, double>& settings,
             const support::Sources& sources, support::Diagnostics& diagnostics)
      : tables_(tables), settings_(settings), sources_(sources), diagnostics_(diagnostics) {}

  FlatModel run() {
    const System& last = *tables_.back().system;
    model_.name = last.name.text;
    model_.description = last.comment;
    model_.attributes.emplace_back();
    const bool alone = tables_.size() == 1;
    model_.instances.push_back({InstanceId{0}, "", last.name.text, ""});
    for (const Table& t : tables_) {
      if (!alone)
        model_.instances.push_back({InstanceId{0}, t.system->name.text, t.system->name.text, t.system->comment});
      instance_.push_back(InstanceId{static_cast<std::uint32_t>(model_.instances.size() - 1)});
      sample_.push_back(-1);
      if (t.system->kind == SystemKind::Discrete) {
        sample_.back() = static_cast<std::int32_t>(model_.samples.size());
        equations::SampledSystem sampled;
        sampled.instance = instance_.back();
        sampled.where = t.system->where;
        model_.samples.push_back(sampled);
      }
    }
    for (std::size_t k = 0; k < tables_.size(); ++k)
      for (const Entity& e : tables_[k].entities) add_entity(k, e);
    for (std::size_t k = 0; k < tables_.size(); ++k) translate_system(k);
    return std::move(model_);
  }

 private:
  equations::ExprPool& pool() { return model_.pool; }
  SystemKind kind() const { return tables_[at_].system->kind; }
  Meaning& of(const Entity& e) { return meaning_[&e]; }

  // ---- variables

  std::uint32_t attributes(const std::string& description, bool state) {
    if (description.empty() && !state) return 0;
    equations::Attributes a;
    a.description = description;
    if (state) a.state_select = equations::StateSelect::Always;
    model_.attributes.push_back(a);
    return static_cast<std::uint32_t>(model_.attributes.size() - 1);
  }

  VarId add_variable(std::size_t system, const std::string& name, VariableKind kind, std::uint32_t attributes,
                     support::SourceRange where) {
    equations::Variable v;
    v.local_name = name;
    v.instance = instance_[system];
    v.kind = kind;
    v.attributes = attributes;
    v.where = where;
    model_.variables.push_back(std::move(v));
    return VarId{static_cast<std::uint32_t>(model_.variables.size() - 1)};
  }

  // A number that the text or the command line gives, else 0.
  double given(const Entity& e) const {
    const auto set = settings_.find(&e);
    if (set != settings_.end()) return set->second;
    return e.constant ? e.constant->number : 0;
  }

  void add_entity(std::size_t system, const Entity& e) {
    Meaning& m = meaning_[&e];
    const SystemKind kind = tables_[system].system->kind;
    const bool state = e.role == Role::State && kind == SystemKind::Continuous;
    if (e.role == Role::Time) {
      m.now = {pool().time(), false};
      m.initially = m.now.e;
      return;
    }
    m.variable = add_variable(system, e.name.text, VariableKind::Local, attributes(e.comment, state), e.name.where);
    equations::Variable& v = model_[m.variable];
    const Expr self = pool().variable(m.variable);
    if (e.role != Role::Input && e.role != Role::Parameter) v.sample = sample_[system];
    switch (e.role) {
      case Role::Parameter:
        v.kind = VariableKind::Parameter;
        v.value = given(e);
        v.binding = pool().number(v.value);
        m.now = {self, false};
        m.initially = self;
        break;
      case Role::Input:
        v.kind = VariableKind::Input;
        v.boundary = tables_.size() == 1;
        m.now = {self, false};
        break;
      case Role::Output:
        v.kind = VariableKind::Output;
        v.boundary = true;
        break;
      case Role::State:
        v.initial = pool().number(given(e));
        m.now = {self, false};
        m.initially = self;
        break;
      case Role::Tsamp:
        v.initial = pool().time();
        m.now = {pool().time(), false};
        m.initially = pool().time();
        model_.samples[static_cast<std::size_t>(sample_[system])].instants = m.variable;
        break;
      case Role::Auxiliary:
        if (e.computed.empty()) v.sample = -1;  // of section INITIAL only
        if (kind == SystemKind::Connecting && !e.computed.empty()) {
          v.kind = VariableKind::Output;
          v.boundary = true;
        }
        break;
      case Role::Der:
      case Role::New:
      case Role::Time: break;
    }
  }

  // ---- references

  Value look_up(const Reference& r) {
    const Table* t = r.system ? find_system(tables_, r.system->text) : &tables_[at_];
    const Entity& e = *t->find(r.name.text);
    Meaning& m = of(e);
    if (section_ == Section::Initial) return initial_value(r, e, m);
    if (r.system && t != &tables_[at_]) return {last_value(e, m), false};
    if (m.now.e || (e.role == Role::Auxiliary && e.computed.empty())) {
      if (m.now.e) return m.now;
      return {pool().variable(m.variable), false};
    }
    if (section_ == Section::Sort || r.system) return {last_value(e, m), false};
    auto& error = diagnostics_.error(r.where, "'" + r.name.text + "' is used before it is computed");
    error.remark(e.computed.front()->where, "it is computed here");
    if (kind() == SystemKind::Discrete)
      error.remark("a value of the sampling before is kept in a STATE variable");
    else
      error.remark("in section SORT the order of the lines does not matter");
    return {};
  }

  Expr last_value(const Entity& e, Meaning& m) {
    return e.role == Role::Time ? pool().time() : pool().variable(m.variable);
  }

  Value initial_value(const Reference& r, const Entity& e, Meaning& m) {
    const bool own = !r.system || r.system->text == tables_[at_].system->name.text;
    if (m.initially && (own || e.role == Role::Parameter)) return {m.initially, false};
    auto& error =
        diagnostics_.error(r.where, "section INITIAL cannot use '" +
                                        (r.system ? r.name.text + "[" + r.system->text + "]" : r.name.text) + "'");
    if (own && e.initial)
      error.remark(e.initial->where, "it is computed further down");
    else
      error.remark("it is executed once before the simulation, from parameters, initial states and the start time");
    return {};
  }

  // ---- statements

  void translate_system(std::size_t k) {
    at_ = k;
    for (const Statement& s : tables_[k].system->statements) {
      if (s.kind == StatementKind::Constant) continue;
      section_ = s.section;
      const Value value = translate_value(
          pool(), s.value, [this](const Reference& r) { return look_up(r); }, diagnostics_);
      if (!value.e) {  // reported; what uses it is not to blame
        if (s.kind == StatementKind::Assignment && !s.target.system) forgive(*tables_[k].find(s.target.name.text));
        continue;
      }
      if (s.kind == StatementKind::Stop)
        stop(s, value);
      else if (s.section == Section::Initial)
        assign_initially(s, as_number(pool(), value));
      else if (s.target.system)
        assign_elsewhere(s, as_number(pool(), value));
      else
        assign(s, value);
    }
  }

  void forgive(const Entity& e) {
    Meaning& m = of(e);
    m.now = {pool().variable(m.variable), false};
    m.initially = m.now.e;
  }

  void equate(Expr left, Expr right, support::SourceRange where) {
    equations::FlatEquation e;
    e.left = left;
    e.right = right;
    e.origin = {equations::OriginKind::Equation, instance_[at_], 0, where};
    e.sample = sample_[at_];
    model_.equations.push_back(e);
  }

  void assign(const Statement& s, const Value& value) {
    const Entity& e = *tables_[at_].find(s.target.name.text);
    Meaning& m = of(e);
    ++m.assigned;
    VarId target = m.variable;
    if (m.assigned < e.computed.size()) {
      target = add_variable(at_, e.name.text + "#" + std::to_string(m.assigned), VariableKind::Local, 0, s.where);
      model_[target].sample = sample_[at_];
      model_[target].auxiliary = true;
    }
    const Expr self = pool().variable(target), number = as_number(pool(), value);
    equate(self, number, s.where);
    m.now = value.condition ? value : Value{self, false};
    if (m.assigned < e.computed.size()) return;
    if (e.role == Role::Der) equate(pool().der(partner(e)), self, s.where);
    if (e.role == Role::New) equate(pool().next(partner(e)), self, s.where);
    if (e.role == Role::Tsamp) find_period(number);
  }

  Expr partner(const Entity& e) { return pool().variable(of(tables_[at_].entities[e.partner]).variable); }

  // TS = T + P, where P consists of parameters: the period is P.
  void find_period(Expr next) {
    if (next->op() != Op::Add) return;
    std::vector<Expr> rest;
    for (const Expr term : next->children())
      if (term->op() != Op::Time) rest.push_back(term);
    if (rest.size() + 1 != next->size()) return;
    const Expr period = pool().add(rest);
    if (is_parametric(period)) model_.samples[static_cast<std::size_t>(sample_[at_])].every = period;
  }

  bool is_parametric(Expr e) {
    if (e->has_time()) return false;
    std::vector<VarId> found;
    occurrences_.variables(e, found);
    return std::all_of(found.begin(), found.end(), [&](VarId v) { return model_[v].kind == VariableKind::Parameter; });
  }

  void assign_elsewhere(const Statement& s, Expr value) {
    const Entity& e = *find_system(tables_, s.target.system->text)->find(s.target.name.text);
    const VarId target = of(e).variable;
    if (kind() == SystemKind::Connecting) return equate(pool().variable(target), value, s.where);
    const VarId kept = add_variable(at_, s.target.name.text + "[" + s.target.system->text + "]", VariableKind::Local, 0,
                                    s.target.where);
    model_[kept].sample = sample_[at_];
    model_[kept].auxiliary = true;
    equate(pool().variable(kept), value, s.where);
    model_.samples[static_cast<std::size_t>(sample_[at_])].overwrites.push_back({target, kept});
  }

  void assign_initially(const Statement& s, Expr value) {
    const Entity& e = *tables_[at_].find(s.target.name.text);
    Meaning& m = of(e);
    equations::Variable& v = model_[m.variable];
    if (e.role == Role::Auxiliary && e.computed.empty()) {
      m.initially = pool().variable(m.variable);
      if (is_parametric(value)) {
        v.kind = VariableKind::Parameter;
        v.follows = true;
        v.binding = value;
        equations::Values values;
        values.variable = [&](VarId p) { return model_[p].value; };
        v.value = equations::evaluate(value, values);
      } else {
        v.kind = VariableKind::Discrete;
        v.initial = value;
      }
      return;
    }
    v.initial = value;
    if (e.role != Role::State) m.initially = value;  // until the first sampling
    if (e.role == Role::Tsamp) model_.samples[static_cast<std::size_t>(sample_[at_])].offset = value;
  }

  void stop(const Statement& s, const Value& value) {
    const Expr condition = as_condition(pool(), value);
    const std::string text(sources_.text(s.where));
    if (section_ == Section::Initial) {
      diagnostics_.error(s.where, "section INITIAL cannot stop the simulation");
      return;
    }
    if (kind() != SystemKind::Discrete) {
      model_.terminations.push_back({condition, text, instance_[at_], s.where});
      return;
    }
    equations::WhenClause clause;  // looked at when the system is sampled
    clause.instance = instance_[at_];
    clause.sample = sample_[at_];
    clause.where = s.where;
    equations::WhenAction end;
    end.kind = equations::ActionKind::Terminate;
    end.text = text;
    end.where = s.where;
    clause.branches.push_back({condition, {end}});
    model_.whens.push_back(std::move(clause));
  }

  const std::vector<Table>& tables_;
  const std::map<const Entity*, double>& settings_;
  const support::Sources& sources_;
  support::Diagnostics& diagnostics_;
  FlatModel model_;
  std::map<const Entity*, Meaning> meaning_;
  std::vector<InstanceId> instance_;  // by system
  std::vector<std::int32_t> sample_;  // by system
  std::size_t at_ = 0;                // the system that is translated
  Section section_ = Section::Output;
  equations::Occurrences occurrences_;
};

}  // namespace

FlatModel translate(const std::vector<Table>& tables, const std::map<const Entity*, double>& settings,
                    const support::Sources& sources, support::Diagnostics& diagnostics) {
  return Translator(tables, settings, sources, diagnostics).run();
}

}  // namespace fmugen::simnon
