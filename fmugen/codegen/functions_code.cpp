// A function of the model language becomes a C function with the same steps. Its first argument after the instance says
// which of its results is wanted:
//
//   function p, q = f(a)                       double fn_1_f(FmrData *m, unsigned result, double a) {
//     p = 2*a                                    double p = NAN, q = NAN;
//     for i = 1 to 3 do q = p + i end            p = 2.0*a;
//   end                                          for (double i = 1.0; i <= 3.0; i += 1) { q = p + i; }
//                                                return result == 0 ? p : q;
//
// External functions are what they are declared to be: double f(double a), or with several results
// void f(double a, double *p, double *q).
#include "fmugen/codegen/functions_code.h"

#include <algorithm>

#include "fmugen/codegen/c_expression.h"
#include "fmugen/codegen/c_text.h"

namespace fmugen::codegen {

using equations::FunctionDefinition;
using equations::FunctionStep;
using equations::FunctionStepKind;

namespace {

// What generated code calls; empty if that is the external function itself.
std::string wrapper_name(const equations::FlatModel& model, std::uint32_t k) {
  const FunctionDefinition& f = model.functions[k];
  if (f.external && f.results <= 1) return "";
  return f.external ? "fn_" + std::to_string(k + 1) + "_" + f.name : function_name(model, k);
}

class FunctionWriter {
 public:
  FunctionWriter(Vocabulary& words, std::uint32_t number)
      : words_(words),
        number_(number),
        f_(words.plan.system.model.functions[number]),
        translate_(words, {{}, false, [&words](VarId v) {
                             return words.pool.variable(code({LeafKind::Local, index(v)}));
                           }}) {
    reserve_functions(names_, words.plan.system.model);
  }

  std::string head() {
    std::string text = "double " + wrapper_name(words_.plan.system.model, number_) + "(FmrData *m, unsigned result";
    for (std::uint32_t k = 0; k < f_.arguments; ++k) text += ", double " + name(k);
    return text + ")";
  }

  std::string definition() {
    std::string text = head() + " {\n";
    std::string locals;
    for (std::uint32_t k = f_.arguments; k < f_.variables.size(); ++k)
      locals += (locals.empty() ? "  double " : ", ") + name(k) + " = NAN";
    if (!locals.empty()) text += locals + ";\n";
    text += "  (void)m;\n";
    for (std::uint32_t k = 0; k < f_.variables.size(); ++k)  // some are not used
      text += (k == 0 ? "  (void)" : ", (void)") + name(k) + (k + 1 == f_.variables.size() ? ";\n" : "");
    if (f_.external)
      text += call_external();
    else
      write(f_.body, text, "  ");
    text += "  switch (result) {\n";
    for (std::uint32_t k = 1; k < f_.results; ++k)
      text += "    case " + std::to_string(k) + ": return " + name(f_.arguments + k) + ";\n";
    return text + "    default: return " + (f_.results > 0 ? name(f_.arguments) : "NAN") + ";\n  }\n}\n";
  }

 private:
  const std::string& name(std::uint32_t k) {
    return names_.name(k, k < f_.variables.size() ? f_.variables[k] + (f_.variables[k] == "result" ? "_" : "") : "x");
  }

  std::string call_external() {
    std::string text = "  " + f_.name + "(";
    for (std::uint32_t k = 0; k < f_.arguments + f_.results; ++k)
      text += (k > 0 ? ", " : "") + std::string(k < f_.arguments ? "" : "&") + name(k);
    return text + ");\n";
  }

  // An expression in a statement: constants it needs are declared before, in the block it stands in.
  std::string value(Expr e, std::string& text, const std::string& indent) {
    CWriter writer(words_, [this](Leaf leaf) {
      return leaf.kind == LeafKind::Local ? name(leaf.number) : std::to_string(leaf.number);
    });
    return writer.write(translate_(e), text, indent);
  }

  // Recursion follows the nesting of the text.
  void write(const std::vector<FunctionStep>& steps, std::string& text, const std::string& indent) {
    for (const FunctionStep& step : steps) switch (step.kind) {
        case FunctionStepKind::Assign: {
          text += indent + "{\n";
          const std::string v = value(step.value, text, indent + "  ");
          text += indent + "  " + name(step.target) + " = " + v + ";\n" + indent + "}\n";
          break;
        }
        case FunctionStepKind::If: write_choice(step, 0, text, indent); break;
        case FunctionStepKind::For: {
          text += indent + "{\n";
          const std::string from = value(step.from, text, indent + "  ");
          text += indent + "  const double from_ = " + from + ";\n" + indent + "  {\n";
          const std::string to = value(step.to, text, indent + "    ");
          text += indent + "    const double to_ = " + to + ";\n";
          const std::string counter = name(step.target);
          text += indent + "    for (double count_ = from_; count_ <= to_; count_ += 1) {\n";
          text += indent + "      " + counter + " = count_;\n";
          write(step.body, text, indent + "      ");
          text += indent + "    }\n" + indent + "  }\n" + indent + "}\n";
          break;
        }
      }
  }

  void write_choice(const FunctionStep& step, std::size_t k, std::string& text, const std::string& indent) {
    std::string closing;
    std::string in = indent;
    for (; k < step.choices.size(); ++k) {  // each further choice stands in the else branch of the one before
      const equations::FunctionChoice& choice = step.choices[k];
      if (!choice.condition) {
        write(choice.body, text, in);
        break;
      }
      text += in + "{\n";
      const std::string condition = value(choice.condition, text, in + "  ");
      text += in + "  if (" + condition + ") {\n";
      write(choice.body, text, in + "    ");
      if (k + 1 == step.choices.size()) {
        text += in + "  }\n" + in + "}\n";
        break;
      }
      text += in + "  } else {\n";
      closing = in + "  }\n" + in + "}\n" + closing;
      in += "    ";
    }
    text += closing;
  }

  Vocabulary& words_;
  std::uint32_t number_;
  const FunctionDefinition& f_;
  Translator translate_;
  CNames names_;
};

}  // namespace

std::string function_prototypes(const equations::FlatModel& model) {
  std::string text;
  for (std::uint32_t k = 0; k < model.functions.size(); ++k) {
    const FunctionDefinition& f = model.functions[k];
    std::string arguments;
    for (std::uint32_t a = 0; a < f.arguments; ++a) arguments += (a > 0 ? ", double" : "double");
    if (f.external) {
      std::string results;
      for (std::uint32_t r = 0; f.results > 1 && r < f.results; ++r) results += ", double *";
      const std::string all = arguments.empty() && results.empty() ? "void" : arguments + results;
      text += (f.results > 1 ? "void " : "double ") + f.name + "(" + all + ");\n";
    }
    if (const std::string wrapper = wrapper_name(model, k); !wrapper.empty())
      text +=
          "double " + wrapper + "(FmrData *m, unsigned result" + (arguments.empty() ? "" : ", " + arguments) + ");\n";
  }
  return text;
}

std::string function_definitions(Vocabulary& words) {
  std::string text;
  const equations::FlatModel& model = words.plan.system.model;
  for (std::uint32_t k = 0; k < model.functions.size(); ++k)
    if (!wrapper_name(model, k).empty()) text += "\n" + FunctionWriter(words, k).definition();
  return text;
}

std::string table_definitions(const equations::FlatModel& model) {
  std::string text, list;
  for (std::size_t k = 0; k < model.tables.size(); ++k) {
    const equations::TableData& t = model.tables[k];
    if (t.derivative_of != equations::kNoTangent) {  // calls name the table itself and the order
      list += "  {0, 0, 0, 0, 0, 0, 0, 0},\n";
      continue;
    }
    const std::string name = "table_" + std::to_string(k + 1);
    text +=
        c_table(name + "_x", t.x) + (t.y.empty() ? "" : c_table(name + "_y", t.y)) + c_table(name + "_value", t.values);
    list += "  {" + std::to_string(t.x.size()) + ", " + std::to_string(t.y.size()) + ", " + name + "_x, " +
            (t.y.empty() ? "0" : name + "_y") + ", " + name + "_value, " +
            std::to_string(static_cast<int>(t.interpolation)) + ", " +
            std::to_string(static_cast<int>(t.extrapolation)) + ", " + c_string(t.name) + "},\n";
  }
  return text + "const FmrTable model_tables[] = {\n" + list + "};\n";
}

}  // namespace fmugen::codegen
