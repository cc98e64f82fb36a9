// The flat model as text for people: `fmugen flat`.
//
// One line for each variable and equation, with where it came from as a comment of the model language:
//
//   model divider
//   4 equations, 4 unknowns, 1 parameter
//
//   parameters
//     R1.R = 5  {Ohm; resistance}
//   equations
//     R1.V = R1.R*R1.I  {electrical.dym:12, R1}
//     R1.Vb = R2.Va  {connection of R1:B, R2:A, divider.dym:7}
#include <cmath>

#include "fmugen/equations/print.h"
#include "fmugen/equations/print_parts.h"

namespace fmugen::equations {

namespace {

constexpr std::size_t kShownMembers = 6;  // of a connection set; a ground node has hundreds

class TextPrinter {
 public:
  TextPrinter(std::ostream& out, const FlatModel& model, const support::Sources& sources)
      : out_(out), model_(model), sources_(sources), names_(names_of(model)) {}

  void print(const support::Diagnostics& diagnostics) {
    print_header();
    for (const VariableKind kind :
         {VariableKind::Parameter, VariableKind::Constant, VariableKind::Input, VariableKind::Output,
          VariableKind::Terminal, VariableKind::Local, VariableKind::Discrete})
      print_variables(kind);
    print_equations("equations", model_.equations);
    print_equations("initial equations", model_.initial_equations);
    print_whens();
    print_samples();
    print_checks("validity", model_.validity);
    print_checks("terminations", model_.terminations);
    print_tables();
    print_functions();
    print_boundary();
    print_iterated();
    print_notes(diagnostics);
  }

 private:
  void print_header() {
    out_ << "model " << model_.name;
    if (!model_.description.empty()) out_ << " \"" << model_.description << "\"";
    out_ << "\n";
    count(model_.equations.size(), "equation");
    out_ << ", ";
    count(count_unknowns(model_), "unknown");
    out_ << ", ";
    count(count_parameters(model_), "parameter");
    out_ << "\n";
  }

  void count(std::size_t n, std::string_view what) { out_ << n << " " << what << (n == 1 ? "" : "s"); }

  void heading(std::string_view text) { out_ << "\n" << text << "\n"; }

  // "file:line", or nothing if unknown.
  std::string place(support::SourceRange where) const {
    if (!where.known()) return {};
    return sources_.file(where.file).path() + ":" + std::to_string(sources_.position(where).line);
  }

  // A list of remarks in braces, behind what they remark on.
  class Remarks {
   public:
    explicit Remarks(Buffer& out, std::string_view separator = "; ") : out_(out), separator_(separator) {}
    ~Remarks() {
      if (any_) out_ << "}";
      out_ << "\n";
    }
    Remarks(const Remarks&) = delete;
    Remarks& operator=(const Remarks&) = delete;
    void add(std::string_view text) {
      if (text.empty()) return;
      out_ << (any_ ? separator_ : "  {") << text;
      any_ = true;
    }

   private:
    Buffer& out_;
    std::string_view separator_;
    bool any_ = false;
  };

  // ---- variables ----

  void print_variables(VariableKind kind) {
    static constexpr std::string_view kHeadings[] = {"parameters", "constants",         "locals", "terminals", "inputs",
                                                     "outputs",    "discrete variables"};
    bool any = false;
    for (std::size_t i = 0; i < model_.variables.size(); ++i) {
      if (model_.variables[i].kind != kind) continue;
      if (!any) heading(kHeadings[static_cast<std::size_t>(kind)]);
      any = true;
      print_variable(static_cast<VarId>(i));
    }
  }

  void print_variable(VarId v) {
    const Variable& variable = model_[v];
    const Attributes& a = model_.attributes_of(v);
    out_ << "  " << names_.variable(v);
    if (is_parameter(variable)) print_value(variable);
    Remarks remarks(out_);
    remarks.add(a.unit);
    remarks.add(a.description);
    if (variable.type == VariableType::Boolean) remarks.add("Boolean");
    if (variable.initial) remarks.add("initially " + to_text(variable.initial, names_));
    const auto attribute = [&](std::string_view word, Expr value) {
      if (value) remarks.add(std::string(word) + " " + to_text(value, names_));
    };
    attribute("start", a.start);
    attribute("min", a.min);
    attribute("max", a.max);
    attribute("nominal", a.nominal);
    if (a.fixed) remarks.add(*a.fixed ? "fixed" : "not fixed");
    if (a.tunable) remarks.add(*a.tunable ? "tunable" : "not tunable");
    if (a.state_select != StateSelect::Default) remarks.add("stateselect " + std::string(select_name(a.state_select)));
    if (variable.boundary) remarks.add("boundary");
    if (variable.implicit) remarks.add("not declared");
    if (variable.follows) remarks.add("follows another parameter");
    if (variable.frozen == Frozen::Structure) remarks.add("fixed: it shapes the equations");
    if (variable.frozen == Frozen::ZeroParameter) remarks.add("fixed: its value 0 removes a derivative");
  }

  void print_value(const Variable& variable) {
    const bool known = !std::isnan(variable.value);
    const bool literal = variable.binding && (variable.binding->is_number() || variable.binding->op() == Op::Boolean);
    if (variable.binding && !(literal && known)) {
      out_ << " = " << to_text(variable.binding, names_);
      if (known) out_ << " = " << value_text(variable);
    } else if (known) {
      out_ << " = " << value_text(variable);
    }
  }

  static std::string value_text(const Variable& variable) {
    if (variable.type == VariableType::Boolean) return variable.value != 0 ? "true" : "false";
    return number_text(variable.value);
  }

  // ---- equations ----

  void print_equations(std::string_view title, const std::vector<FlatEquation>& equations) {
    if (equations.empty()) return;
    heading(title);
    for (const FlatEquation& equation : equations) {
      out_ << "  ";
      append_text(out_.text(), equation, names_);
      Remarks remarks(out_, ", ");
      print_origin(equation.origin, remarks);
      if (equation.sample >= 0) remarks.add("sample " + std::to_string(equation.sample + 1));
    }
  }

  void print_origin(const Origin& origin, Remarks& remarks) {
    switch (origin.kind) {
      case OriginKind::Equation: break;
      case OriginKind::Across:
      case OriginKind::Through: print_members(origin.set, remarks); break;
      case OriginKind::Unconnected: remarks.add("unconnected cut"); break;
      case OriginKind::Default: remarks.add("default value"); break;
      case OriginKind::Declaration: remarks.add("declaration"); break;
      case OriginKind::Auxiliary: remarks.add("order reduction"); break;
    }
    remarks.add(place(origin.where));
    remarks.add(model_.path(origin.instance));
  }

  void print_members(std::uint32_t set, Remarks& remarks) {
    if (set >= model_.sets.size()) return remarks.add("connection");
    const auto& members = model_.sets[set].members;
    std::string text = "connection of ";
    for (std::size_t i = 0; i < members.size() && i < kShownMembers; ++i) text += (i > 0 ? ", " : "") + members[i];
    if (members.size() > kShownMembers) text += " and " + std::to_string(members.size() - kShownMembers) + " more";
    remarks.add(text);
  }

  // ---- events ----

  void print_whens() {
    if (!model_.whens.empty()) heading("when clauses");
    for (const WhenClause& when : model_.whens) {
      for (std::size_t i = 0; i < when.branches.size(); ++i) {
        const WhenBranch& branch = when.branches[i];
        out_ << "  " << (i > 0 ? "else when " : "when ") << to_text(branch.condition, names_) << " then";
        if (i > 0) {
          out_ << "\n";
        } else {
          Remarks remarks(out_, ", ");
          remarks.add(place(when.where));
          remarks.add(model_.path(when.instance));
          if (when.sample >= 0) remarks.add("sample " + std::to_string(when.sample + 1));
        }
        for (const WhenAction& action : branch.actions) print_action(action);
      }
      out_ << "  end\n";
    }
  }

  void print_action(const WhenAction& action) {
    out_ << "    ";
    switch (action.kind) {
      case ActionKind::Assign:
      case ActionKind::Reinit:
        if (action.kind == ActionKind::Reinit) out_ << "reinit ";
        out_ << names_.variable(action.target) << " := " << to_text(action.value, names_);
        break;
      case ActionKind::Terminate: out_ << "terminate \"" << action.text << "\""; break;
      case ActionKind::Select: out_ << "select " << action.text; break;
    }
    out_ << "\n";
  }

  void print_samples() {
    if (!model_.samples.empty()) heading("sampled systems");
    std::size_t number = 0;
    for (const SampledSystem& sample : model_.samples) {
      out_ << "  " << ++number << ": ";
      out_ << (sample.every ? "every " + to_text(sample.every, names_) : "instants computed by the system");
      if (sample.offset) out_ << " offset " << to_text(sample.offset, names_);
      if (sample.instants) out_ << ", next in " << names_.variable(*sample.instants);
      for (const Overwrite& o : sample.overwrites)
        out_ << ", sets " << names_.variable(o.state) << " := " << names_.variable(o.value);
      Remarks remarks(out_, ", ");
      remarks.add(place(sample.where));
      remarks.add(model_.path(sample.instance));
    }
  }

  void print_checks(std::string_view title, const std::vector<Check>& checks) {
    if (!checks.empty()) heading(title);
    for (const Check& check : checks) {
      out_ << "  " << to_text(check.condition, names_);
      if (!check.text.empty()) out_ << " \"" << check.text << "\"";
      Remarks remarks(out_, ", ");
      remarks.add(place(check.where));
      remarks.add(model_.path(check.instance));
    }
  }

  // ---- the rest ----

  void print_tables() {
    if (!model_.tables.empty()) heading("tables");
    for (const TableData& table : model_.tables) {
      if (table.derivative_of != kNoTangent) {
        out_ << "  " << table.name << ": derivative of " << model_.tables[table.derivative_of].name << "\n";
        continue;
      }
      out_ << "  " << table.name << ": " << table.x.size();
      if (!table.y.empty()) out_ << " x " << table.y.size();
      out_ << " points, " << interpolation_name(table.interpolation) << ", extrapolation "
           << extrapolation_name(table.extrapolation);
      Remarks remarks(out_, ", ");
      remarks.add(table.file);
      remarks.add(place(table.where));
    }
  }

  void print_functions() {
    if (!model_.functions.empty()) heading("functions");
    for (const FunctionDefinition& function : model_.functions) {
      out_ << "  " << (function.external ? "external " : "") << function.name << ": ";
      count(function.arguments, "argument");
      out_ << ", ";
      count(function.results, "result");
      Remarks remarks(out_, ", ");
      remarks.add(function.file);
      remarks.add(place(function.where));
    }
  }

  void print_boundary() {
    if (!model_.boundary.empty()) heading("cuts of the model");
    for (const BoundaryCut& cut : model_.boundary) {
      std::string across, through;
      for (const BoundaryMember& member : cut.members) {
        std::string& list = member.through ? through : across;
        if (!list.empty()) list += ", ";
        if (member.sign < 0) list += '-';
        list += member.variable ? names_.variable(*member.variable) : ".";
      }
      out_ << "  " << cut.name << " (" << across << (through.empty() ? "" : " / ") << through << ")";
      Remarks remarks(out_, ", ");
      remarks.add(cut.description);
      remarks.add(place(cut.where));
    }
  }

  void print_iterated() {
    if (!model_.tearing.empty()) heading("proposed for iteration");
    for (const VarId v : model_.tearing) out_ << "  " << names_.variable(v) << "\n";
  }

  void print_notes(const support::Diagnostics& diagnostics) {
    if (diagnostics.size() > 0) heading("notes");
    for (const support::Diagnostic& d : diagnostics.all()) {
      out_ << "  " << severity_name(d.severity) << ": " << d.text;
      Remarks remarks(out_, ", ");
      remarks.add(place(d.where));
      remarks.add(d.instance);
    }
  }

  Buffer out_;
  const FlatModel& model_;
  const support::Sources& sources_;
  const Names names_;
};

}  // namespace

void print_text(std::ostream& out, const FlatModel& model, const support::Sources& sources,
                const support::Diagnostics& diagnostics) {
  TextPrinter(out, model, sources).print(diagnostics);
}

}  // namespace fmugen::equations
