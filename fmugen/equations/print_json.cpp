// The flat model as JSON: `fmugen flat --format json`.
//
// One object a line, members in a fixed order, what is not given left out (only "value", "start" and "unit" are always
// there, null if not given). Values that are no finite number are null; expressions that are no numbers are strings of
// the model language. Connection sets are listed once and referred to by number: the members of a ground node must not
// be repeated in each of its equations.
//
//   {"model":"divider","counts":{"equations":4,"unknowns":4,"parameters":1},
//   "variables":[
//   {"name":"R1.V","kind":"local","type":"real","value":null,"start":null,"unit":"V","file":"a.dym","line":3}
//   ],...}
#include <algorithm>
#include <cmath>

#include "fmugen/equations/print.h"
#include "fmugen/equations/print_parts.h"
#include "fmugen/support/json.h"

namespace fmugen::equations {

namespace {

class JsonPrinter {
 public:
  JsonPrinter(std::ostream& out, const FlatModel& model, const support::Sources& sources)
      : out_(out), model_(model), sources_(sources), names_(names_of(model)) {}

  void print(const support::Diagnostics& diagnostics) {
    out_ << "{";
    string("model", model_.name);
    if (!model_.description.empty()) string("description", model_.description);
    key("counts");
    out_ << "{\"equations\":" << model_.equations.size() << ",\"unknowns\":" << count_unknowns(model_)
         << ",\"parameters\":" << count_parameters(model_) << "}";
    print_variables("variables", false);
    print_variables("parameters", true);
    list("equations", model_.equations, [this](const FlatEquation& e) { print_equation(e); });
    list("initial_equations", model_.initial_equations, [this](const FlatEquation& e) { print_equation(e); });
    list("sets", model_.sets, [this](const ConnectionSet& s) { print_set(s); });
    list("whens", model_.whens, [this](const WhenClause& w) { print_when(w); });
    list("samples", model_.samples, [this](const SampledSystem& s) { print_sample(s); });
    list("validity", model_.validity, [this](const Check& c) { print_check(c); });
    list("terminations", model_.terminations, [this](const Check& c) { print_check(c); });
    list("tables", model_.tables, [this](const TableData& t) { print_table(t); });
    list("functions", model_.functions, [this](const FunctionDefinition& f) { print_function(f); });
    list("cuts", model_.boundary, [this](const BoundaryCut& c) { print_cut(c); });
    list("iterate", model_.tearing, [this](VarId v) { quote(names_.variable(v)); });
    print_experiment();
    list("notes", diagnostics.all(), [this](const support::Diagnostic& d) { print_note(d); });
    out_ << "}\n";
  }

 private:
  // ---- JSON ----

  void quote(std::string_view text) { support::append_json_string(out_.text(), text); }

  // A comma unless this is the first member of its object, then "name":
  void key(std::string_view name) {
    if (out_.last() != '{') out_ << ",";
    out_ << "\"" << name << "\":";
  }
  void string(std::string_view name, std::string_view value) {
    key(name);
    quote(value);
  }
  void string_if(std::string_view name, std::string_view value) {
    if (!value.empty()) string(name, value);
  }
  void flag_if(std::string_view name, bool value) {
    if (!value) return;
    key(name);
    out_ << "true";
  }
  void number(std::string_view name, double value) {
    key(name);
    out_ << (std::isfinite(value) ? std::string_view(number_text(value)) : std::string_view("null"));
  }
  void expression(std::string_view name, Expr e) {
    if (!e) {
      key(name);
      out_ << "null";
    } else if (e->is_number()) {
      number(name, e->number());
    } else if (e->op() == Op::Boolean) {
      key(name);
      out_ << (e->boolean() ? "true" : "false");
    } else {
      string(name, to_text(e, names_));
    }
  }
  void expression_if(std::string_view name, Expr e) {
    if (e) expression(name, e);
  }
  void place(support::SourceRange where) {
    if (!where.known()) return;
    const support::LineColumn at = sources_.position(where);
    string("file", sources_.file(where.file).path());
    key("line");
    out_ << at.line;
    key("column");
    out_ << at.column;
  }
  void sample_if(std::int32_t sample) {
    if (sample >= 0) number("sample", sample);
  }

  template <class Items, class Print>
  void list(std::string_view name, const Items& items, Print print_item) {
    out_ << ",\n\"" << name << "\":[";
    bool first = true;
    for (const auto& item : items) {
      out_ << (first ? "\n" : ",\n");
      first = false;
      print_item(item);
    }
    out_ << (first ? "]" : "\n]");
  }

  // ---- parts of the model ----

  void print_variables(std::string_view name, bool parameters) {
    out_ << ",\n\"" << name << "\":[";
    bool first = true;
    for (std::size_t i = 0; i < model_.variables.size(); ++i) {
      if (is_parameter(model_.variables[i]) != parameters) continue;
      out_ << (first ? "\n" : ",\n");
      first = false;
      print_variable(static_cast<VarId>(i), parameters);
    }
    out_ << (first ? "]" : "\n]");
  }

  void print_variable(VarId id, bool parameter) {
    const Variable& v = model_[id];
    const Attributes& a = model_.attributes_of(id);
    out_ << "{";
    string("name", names_.variable(id));
    string("kind", kind_name(v.kind));
    string("type", v.type == VariableType::Boolean ? "boolean" : "real");
    if (v.type == VariableType::Boolean && !std::isnan(v.value)) {
      key("value");
      out_ << (v.value != 0 ? "true" : "false");
    } else {
      number("value", v.value);
    }
    if (parameter) {
      expression_if("binding", v.binding);
      key("settable");
      out_ << (v.kind == VariableKind::Parameter && v.frozen == Frozen::No && !v.follows ? "true" : "false");
      string_if("frozen", frozen_name(v.frozen));
      flag_if("follows", v.follows);
    } else {
      expression("start", a.start);
      expression_if("initial", v.initial);
    }
    key("unit");
    if (a.unit.empty())
      out_ << "null";
    else
      quote(a.unit);
    string_if("quantity", a.quantity);
    string_if("displayunit", a.display_unit);
    expression_if("min", a.min);
    expression_if("max", a.max);
    expression_if("nominal", a.nominal);
    if (a.fixed) {
      key("fixed");
      out_ << (*a.fixed ? "true" : "false");
    }
    if (a.tunable) {
      key("tunable");
      out_ << (*a.tunable ? "true" : "false");
    }
    if (a.state_select != StateSelect::Default) string("stateselect", select_name(a.state_select));
    string_if("description", a.description);
    flag_if("boundary", v.boundary);
    flag_if("implicit", v.implicit);
    flag_if("auxiliary", v.auxiliary);
    sample_if(v.sample);
    place(v.where);
    out_ << "}";
  }

  void print_equation(const FlatEquation& equation) {
    out_ << "{";
    string("text", to_text(equation, names_));
    string("origin", origin_name(equation.origin.kind));
    place(equation.origin.where);
    string("path", model_.path(equation.origin.instance));
    if (equation.origin.kind == OriginKind::Across || equation.origin.kind == OriginKind::Through)
      number("set", equation.origin.set);
    sample_if(equation.sample);
    out_ << "}";
  }

  void print_set(const ConnectionSet& set) {
    out_ << "{";
    string("path", model_.path(set.instance));
    key("members");
    out_ << "[";
    for (std::size_t i = 0; i < set.members.size(); ++i) {
      if (i > 0) out_ << ",";
      quote(set.members[i]);
    }
    out_ << "]";
    key("statements");
    out_ << "[";
    for (std::size_t i = 0; i < set.statements.size(); ++i) {
      out_ << (i > 0 ? ",{" : "{");
      place(set.statements[i]);
      out_ << "}";
    }
    out_ << "]}";
  }

  void print_when(const WhenClause& when) {
    out_ << "{";
    key("branches");
    out_ << "[";
    for (std::size_t i = 0; i < when.branches.size(); ++i) {
      out_ << (i > 0 ? ",{" : "{");
      expression("condition", when.branches[i].condition);
      key("actions");
      out_ << "[";
      for (std::size_t k = 0; k < when.branches[i].actions.size(); ++k) {
        if (k > 0) out_ << ",";
        print_action(when.branches[i].actions[k]);
      }
      out_ << "]}";
    }
    out_ << "]";
    string("path", model_.path(when.instance));
    sample_if(when.sample);
    place(when.where);
    out_ << "}";
  }

  void print_action(const WhenAction& action) {
    out_ << "{";
    string("action", action_name(action.kind));
    if (action.kind == ActionKind::Assign || action.kind == ActionKind::Reinit)
      string("target", names_.variable(action.target));
    expression_if("value", action.value);
    string_if("text", action.text);
    place(action.where);
    out_ << "}";
  }

  void print_sample(const SampledSystem& sample) {
    out_ << "{";
    string("path", model_.path(sample.instance));
    expression("every", sample.every);
    expression("offset", sample.offset);
    if (sample.instants) string("instants", model_.name_of(*sample.instants));
    if (!sample.overwrites.empty())
      list("overwrites", sample.overwrites, [this](const Overwrite& o) {
        out_ << "{";
        string("state", model_.name_of(o.state));
        string("value", model_.name_of(o.value));
        out_ << "}";
      });
    place(sample.where);
    out_ << "}";
  }

  void print_check(const Check& check) {
    out_ << "{";
    expression("condition", check.condition);
    string("text", check.text);
    string("path", model_.path(check.instance));
    place(check.where);
    out_ << "}";
  }

  void print_table(const TableData& table) {
    out_ << "{";
    string("name", table.name);
    if (table.derivative_of != kNoTangent) {
      string("derivative_of", model_.tables[table.derivative_of].name);
      number("order_x", table.order_x);
      number("order_y", table.order_y);
      place(table.where);
      out_ << "}";
      return;
    }
    numbers("x", table.x);
    if (!table.y.empty()) numbers("y", table.y);
    numbers("values", table.values);
    string("interpolation", interpolation_name(table.interpolation));
    string("extrapolation", extrapolation_name(table.extrapolation));
    string_if("resource", table.file);
    place(table.where);
    out_ << "}";
  }

  void numbers(std::string_view name, const std::vector<double>& values) {
    key(name);
    out_ << "[";
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i > 0) out_ << ",";
      out_ << (std::isfinite(values[i]) ? std::string_view(number_text(values[i])) : std::string_view("null"));
    }
    out_ << "]";
  }

  void print_function(const FunctionDefinition& function) {
    out_ << "{";
    string("name", function.name);
    number("arguments", function.arguments);
    number("results", function.results);
    flag_if("external", function.external);
    string_if("source", function.file);
    string_if("derivative", function.derivative);
    place(function.where);
    out_ << "}";
  }

  void print_cut(const BoundaryCut& cut) {
    out_ << "{";
    string("name", cut.name);
    string_if("description", cut.description);
    key("members");
    out_ << "[";
    for (std::size_t i = 0; i < cut.members.size(); ++i) {
      const BoundaryMember& member = cut.members[i];
      out_ << (i > 0 ? ",{" : "{");
      string("name", member.name);
      if (member.variable) string("variable", names_.variable(*member.variable));
      flag_if("through", member.through);
      number("sign", member.sign);
      out_ << "}";
    }
    out_ << "]";
    place(cut.where);
    out_ << "}";
  }

  void print_experiment() {
    const ExperimentSettings& e = model_.experiment;
    if (!e.given) return;
    out_ << ",\n\"experiment\":{";
    number("start", e.start);
    number("stop", e.stop);
    if (e.step) number("step", *e.step);
    number("tolerance", e.tolerance);
    string_if("solver", e.solver);
    out_ << "}";
  }

  void print_note(const support::Diagnostic& d) {
    out_ << "{";
    string("severity", severity_name(d.severity));
    string("text", d.text);
    string_if("instance", d.instance);
    place(d.where);
    out_ << "}";
  }

  Buffer out_;
  const FlatModel& model_;
  const support::Sources& sources_;
  const Names names_;
};

}  // namespace

void print_json(std::ostream& out, const FlatModel& model, const support::Sources& sources,
                const support::Diagnostics& diagnostics) {
  JsonPrinter(out, model, sources).print(diagnostics);
}

}  // namespace fmugen::equations
