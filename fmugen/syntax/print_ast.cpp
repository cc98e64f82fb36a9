// Prints a syntax tree. Declared things and statements stand on a line of their own, indented as they nest;
// expressions are written with all parentheses, so that the structure the parser has found is visible:
//
//   model m                               model m
//     local a b                             local a
//     a - b*c**2 = 0                        local b
//     (p1 / p2) - q                         equation (a - (b * (c ** 2))) = 0
//   end                                     connection (list(p1 / p2 or (p1 / p2)) to q)
//
// A statement that may also be a connection is followed by a line "or connection ...".
#include "fmugen/syntax/print_ast.h"

#include "fmugen/syntax/print_parts.h"

namespace fmugen::syntax {

namespace {

const char* text_of(VariableKind kind) {
  switch (kind) {
    case VariableKind::Parameter: return "parameter ";
    case VariableKind::StructureParameter: return "structure parameter ";
    case VariableKind::Constant: return "constant ";
    case VariableKind::Local: return "local ";
    case VariableKind::Terminal: return "terminal ";
    case VariableKind::Input: return "input ";
    case VariableKind::Output: return "output ";
    case VariableKind::Default: return "default ";
    case VariableKind::Internal: return "internal ";
    case VariableKind::External: return "external ";
    case VariableKind::Discrete: return "discrete ";
  }
  return "";
}

class Printer : PartPrinter {
 public:
  explicit Printer(std::ostream& out) : PartPrinter(out) {}

  void print(const File& file) {
    for (const Use& use : file.uses) out_ << "use " << text(use.library) << '\n';
    body(file.items);
  }

 private:
  using PartPrinter::print;

  // Begins a line.
  std::ostream& line() {
    for (int i = 0; i < indent_; ++i) out_ << "  ";
    return out_;
  }

  void body(const Body& items) {
    for (const Item& item : items) std::visit([this](const auto& node) { print(node); }, item.node);
  }

  void nested(const Body& items) {
    ++indent_;
    body(items);
    --indent_;
  }

  // ---- declarations

  void print(const VariableDeclaration& declaration) {
    for (const VariableItem& item : declaration.items) {
      line() << text_of(declaration.kind) << text(item.name);
      brackets(item.dimensions);
      attributes(item.attributes);
      if (item.value) {
        out_ << " = ";
        print(*item.value);
      }
      description(item.description);
      out_ << '\n';
    }
  }

  void print(const SubmodelDeclaration& declaration) {
    for (const SubmodelItem& item : declaration.items) {
      line() << (declaration.replaces ? "replace submodel " : "submodel ");
      if (declaration.fmu) {
        out_ << "(fmu ";
        print(*declaration.fmu);
        out_ << ") ";
      } else if (!declaration.type.parts.empty()) {
        out_ << '(';
        print(declaration.type);
        out_ << ") ";
      }
      out_ << text(item.name);
      brackets(item.dimensions);
      if (!item.arguments.empty()) {
        out_ << '(';
        list(item.arguments);
        out_ << ')';
      }
      description(item.description);
      out_ << '\n';
    }
  }

  void cut_items(const std::vector<CutItem>& items, const char* kind) {
    for (const CutItem& item : items) {
      line() << kind;
      if (item.name) out_ << ' ' << text(*item.name);
      brackets(item.bracket);
      if (item.clause) {
        out_ << ' ';
        print(*item.clause);
      }
      description(item.description);
      out_ << '\n';
    }
  }

  void print(const CutDeclaration& cuts) { cut_items(cuts.items, cuts.main ? "main cut" : "cut"); }
  void print(const NodeDeclaration& nodes) { cut_items(nodes.items, "node"); }

  void print(const PathDeclaration& paths) {
    for (const PathItem& item : paths.items) {
      line() << (paths.main ? "main path " : "path ") << (item.name ? text(*item.name) + " " : "") << '(';
      print(item.left);
      out_ << " - ";
      print(item.right);
      out_ << ')';
      description(item.description);
      out_ << '\n';
    }
  }

  // ---- statements

  void print(const ConnectionStatement& statement) { connections(statement, "connection "); }

  void connections(const ConnectionStatement& statement, const char* kind) {
    for (const ConnectionExpression& expression : statement.expressions) {
      line() << kind;
      if (statement.selected) out_ << "by " << text(*statement.selected) << ' ';
      print(expression);
      out_ << '\n';
    }
  }

  void sides(const Expression& left, const Expression& right) {
    print(left);
    out_ << " = ";
    print(right);
    out_ << '\n';
  }

  void print(const Equation& equation) {
    line() << "equation ";
    sides(equation.left, equation.right);
    if (equation.as_connection) connections(*equation.as_connection, "or connection ");
  }

  void print(const ProcedureCall& call) {
    line() << "procedure ";
    list(call.results);
    out_ << " = " << text(call.function) << '(';
    list(call.arguments);
    out_ << ")\n";
  }

  void print(const For& loop) {
    line() << "for " << text(loop.variable) << " := ";
    print(loop.from);
    out_ << " to ";
    print(loop.to);
    out_ << '\n';
    nested(loop.body);
  }

  void print(const If& condition) {
    line() << "if ";
    print(condition.condition);
    out_ << '\n';
    nested(condition.then_items);
    if (condition.else_items.empty()) return;
    line() << "else\n";
    nested(condition.else_items);
  }

  void print(const Action& action) {
    switch (action.kind) {
      case ActionKind::Reinit:
      case ActionKind::Assign:
        line() << (action.kind == ActionKind::Reinit ? "reinit " : "assign ");
        print(action.target);
        out_ << " := ";
        print(*action.value);
        break;
      case ActionKind::Terminate:
        line() << "terminate";
        description(action.text);
        break;
      case ActionKind::Select:
        line() << "select ";
        if (!action.target.parts.empty()) {
          print(action.target);
          out_ << ' ';
        }
        out_ << text(action.realization);
        break;
    }
    out_ << '\n';
  }

  void print(const When& when) {
    const char* kind = "when ";
    for (const WhenBranch& branch : when.branches) {
      line() << kind;
      print(branch.condition);
      out_ << '\n';
      ++indent_;
      for (const Action& action : branch.actions) print(action);
      --indent_;
      kind = "else when ";
    }
  }

  void print(const Initial& initial) {
    line() << "initial ";
    sides(initial.left, initial.right);
  }

  void print(const Valid& valid) { checked("valid ", valid.condition, valid.text); }
  void print(const Terminate& terminate) { checked("terminate when ", terminate.condition, terminate.text); }

  void checked(const char* kind, const Expression& condition, const std::string& words) {
    line() << kind;
    print(condition);
    description(words);
    out_ << '\n';
  }

  void setting(const char* name, const std::optional<Expression>& value) {
    if (!value) return;
    out_ << name;
    print(*value);
  }

  void print(const Sample& sample) {
    line() << "sample every ";
    print(sample.every);
    setting(" offset ", sample.offset);
    out_ << '\n';
  }

  void print(const Experiment& experiment) {
    line() << "experiment";
    setting(" start ", experiment.start);
    setting(" stop ", experiment.stop);
    setting(" step ", experiment.step);
    setting(" tolerance ", experiment.tolerance);
    if (experiment.solver) out_ << " solver " << text(*experiment.solver);
    out_ << '\n';
  }

  void print(const Iterate& iterate) {
    line() << "iterate ";
    list(iterate.variables);
    out_ << '\n';
  }

  void print(const Table& table) {
    line() << "table " << text(table.name);
    attributes(table.options);
    out_ << ' ';
    if (table.rows.empty()) {
      quoted(table.file);
    } else {
      out_ << "= ";
      rows(table.rows);
    }
    description(table.description);
    out_ << '\n';
  }

  // ---- functions and models

  void print(const FunctionStatement& statement) {
    switch (statement.kind) {
      case FunctionStatementKind::Assign:
        line() << "assign ";
        print(statement.target);
        out_ << " := ";
        print(*statement.value);
        out_ << '\n';
        return;
      case FunctionStatementKind::If: return branches(statement);
      case FunctionStatementKind::For:
        line() << "for " << text(statement.variable);
        setting(" := ", statement.from);
        setting(" to ", statement.to);
        out_ << '\n';
        return nested(statement.body);
    }
  }

  void nested(const std::vector<FunctionStatement>& statements) {
    ++indent_;
    for (const FunctionStatement& statement : statements) print(statement);
    --indent_;
  }

  void branches(const FunctionStatement& statement) {
    const char* kind = "if";
    for (const FunctionBranch& branch : statement.branches) {
      line() << (branch.condition ? kind : "else");
      setting(" ", branch.condition);
      out_ << '\n';
      nested(branch.body);
      kind = "else if";
    }
  }

  void print(const Function& function) {
    line() << (function.external ? "external function " : "function ");
    list(function.results);
    if (!function.results.empty()) out_ << " = ";
    out_ << text(function.name) << '(';
    list(function.arguments);
    out_ << ')';
    description(function.file);
    if (function.derivative) out_ << " derivative " << text(*function.derivative);
    description(function.description);
    out_ << '\n';
    ++indent_;
    for (const Name& local : function.locals) line() << "local " << text(local) << '\n';
    --indent_;
    nested(function.body);
  }

  void print(const Realization& realization) {
    line() << "realization " << text(realization.name) << '\n';
    nested(realization.body);
  }

  void print(const ModelDefinition& model) {
    line() << (model.discrete ? "discrete " : "") << "model " << (model.type ? "type " : "") << text(model.name);
    if (model.base) {
      out_ << " is a ";
      print(*model.base);
    }
    setting(" is a fmu ", model.fmu);
    description(model.description);
    out_ << '\n';
    nested(model.body);
  }

  int indent_ = 0;
};

}  // namespace

void print_ast(std::ostream& out, const File& file) { Printer(out).print(file); }

}  // namespace fmugen::syntax
