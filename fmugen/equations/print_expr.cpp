// Expressions as text of the model language.
//
// Problem. The stored form has no differences and quotients and no parentheses; the text should have both, few of the
// latter, and must parse back to the same node.
//
// Method. Every expression has a level of binding (sum, product, ...); it gets parentheses where its place asks for a
// stronger one. Pieces still to be printed wait on a stack, so that deep expressions need no recursion.
//
//   add(a, mul(-1, b, pow(add(c, 2), -1)))   ->  a - b/(c + 2)
//
// A comparison with `=` gets parentheses everywhere but inside a call, because the first free `=` of a statement is its
// equation sign.
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "fmugen/equations/print.h"

namespace fmugen::equations {

namespace {

// Expressions share parts; one of a few hundred nodes can have a text longer than any memory. Beyond this many
// characters the text is cut and ends with " ...".
constexpr std::size_t kLongestText = std::size_t{1} << 26;

enum class Level { Expression, Or, And, Not, Relation, Sum, Product, Power, Primary };

bool is_negative_number(Expr e) { return e->is_number() && e->number() < 0; }

// Printed with a leading minus sign?
bool is_negative(Expr e) { return is_negative_number(e) || (e->op() == Op::Mul && is_negative_number(e->child(0))); }

// Printed as 1/base or 1/base**k?
bool is_reciprocal(Expr e) { return e->op() == Op::Pow && is_negative_number(e->child(1)); }

Level level_of(Expr e) {
  switch (e->op()) {
    case Op::If: return Level::Expression;
    case Op::Or: return Level::Or;
    case Op::And: return Level::And;
    case Op::Not: return Level::Not;
    case Op::Less:
    case Op::LessEqual:
    case Op::Equal:
    case Op::Unequal: return Level::Relation;
    case Op::Add: return Level::Sum;
    case Op::Mul: return is_negative(e) ? Level::Sum : Level::Product;
    case Op::Pow: return is_reciprocal(e) ? Level::Product : Level::Power;
    case Op::Number: return is_negative_number(e) ? Level::Sum : Level::Primary;
    case Op::Boolean:
    case Op::Variable:
    case Op::Time:
    case Op::Call:
    case Op::UserCall:
    case Op::TableCall:
    case Op::Der:
    case Op::Pre:
    case Op::New:
    case Op::Delay:
    case Op::NoEvent: return Level::Primary;
  }
  return Level::Primary;
}

class Printer {
 public:
  Printer(const Names& names, std::string& out) : names_(names), out_(out), limit_(out.size() + kLongestText) {}

  void print(Expr e, Level at_least) {
    later(e, at_least);
    while (!pieces_.empty()) {
      const Piece piece = pieces_.back();
      pieces_.pop_back();
      if (piece.text)
        out_ += piece.text;
      else
        write(piece);
      if (out_.size() > limit_) {
        out_ += " ...";
        pieces_.clear();
      }
    }
  }

 private:
  struct Piece {
    const char* text;  // or null, and then
    Expr expr;
    Level at_least;
    bool magnitude;  // without its sign, which has been printed
  };

  void later(const char* text) { pieces_.push_back({text, nullptr, Level::Expression, false}); }
  void later(Expr e, Level at_least, bool magnitude = false) { pieces_.push_back({nullptr, e, at_least, magnitude}); }

  // Pieces are pushed last first.
  void write(const Piece& piece) {
    const Expr e = piece.expr;
    const bool bare_equal = e->op() == Op::Equal && piece.at_least > Level::Expression;
    if (!piece.magnitude && (level_of(e) < piece.at_least || bare_equal)) {
      out_ += '(';
      later(")");
      later(e, Level::Expression);
      return;
    }
    switch (e->op()) {
      case Op::Number: out_ += number_text(piece.magnitude ? std::fabs(e->number()) : e->number()); break;
      case Op::Boolean: out_ += e->boolean() ? "true" : "false"; break;
      case Op::Variable: out_ += names_.variable(e->variable()); break;
      case Op::Time: out_ += "time"; break;
      case Op::Add: write_sum(e); break;
      case Op::Mul: write_product(e, piece.magnitude); break;
      case Op::Pow: write_power(e); break;
      case Op::Call: write_call(std::string(name(e->function())), e); break;
      case Op::UserCall: write_user_call(e); break;
      case Op::TableCall: write_call(names_.table(e->callee()), e); break;
      case Op::Der: write_call("der", e); break;
      case Op::Pre: write_call("pre", e); break;
      case Op::New: write_call("new", e); break;
      case Op::Delay: write_call("delay", e); break;
      case Op::NoEvent: write_call("noevent", e); break;
      case Op::If: write_if(e); break;
      case Op::Less: write_order(e, " < ", " > "); break;
      case Op::LessEqual: write_order(e, " <= ", " >= "); break;
      case Op::Equal: write_relation(e, " = "); break;
      case Op::Unequal: write_relation(e, " <> "); break;
      case Op::And: write_list(e, " and ", Level::Not); break;
      case Op::Or: write_list(e, " or ", Level::And); break;
      case Op::Not:
        out_ += "not ";
        later(e->child(0), Level::Primary);
        break;
    }
  }

  void write_sum(Expr e) {
    for (std::size_t i = e->size(); i-- > 1;) {
      const Expr term = e->child(i);
      const bool minus = is_negative(term);
      later(term, Level::Product, minus);
      later(minus ? " - " : " + ");
    }
    later(e->child(0), Level::Sum);
  }

  void write_product(Expr e, bool magnitude) {
    const double coefficient = e->child(0)->is_number() ? e->child(0)->number() : 1;
    const bool minus_one = coefficient == -1;
    if (coefficient < 0 && !magnitude) out_ += '-';
    const std::size_t first = minus_one ? 1 : 0;
    for (std::size_t i = e->size(); i-- > first;) {
      const Expr factor = e->child(i);
      if (is_reciprocal(factor)) {
        write_denominator(factor);
        later(i == first ? "1/" : "/");
      } else {
        const bool sign_done = i == 0 && coefficient < 0;
        later(factor, Level::Power, sign_done);
        if (i > first) later("*");
      }
    }
  }

  void write_denominator(Expr reciprocal) {
    const Expr base = reciprocal->child(0), exponent = reciprocal->child(1);
    if (exponent->is_number(-1)) {
      later(base, Level::Power);
    } else {
      later(exponent, Level::Primary, true);
      later("**");
      later(base, Level::Primary);
    }
  }

  void write_power(Expr e) {
    if (is_reciprocal(e)) {
      write_denominator(e);
      later("1/");
    } else {
      later(e->child(1), Level::Primary);
      later("**");
      later(e->child(0), Level::Primary);
    }
  }

  void write_call(const std::string& callee, Expr e) {
    out_ += callee;
    out_ += '(';
    later(")");
    write_list(e, ", ", Level::Expression);
  }

  void write_user_call(Expr e) {
    std::string callee = names_.function(e->callee());
    if (e->result() > 0) callee += '[' + std::to_string(e->result() + 1) + ']';  // a further result of a procedure
    write_call(callee, e);
  }

  void write_if(Expr e) {
    later(e->child(2), Level::Expression);
    later(" else ");
    later(e->child(1), Level::Or);
    later(" then ");
    later(e->child(0), Level::Or);
    later("if ");
  }

  // A number comes last: x > 0 rather than 0 < x.
  void write_order(Expr e, const char* sign, const char* turned) {
    if (!e->child(0)->is_number() || e->child(1)->is_number()) return write_relation(e, sign);
    later(e->child(0), Level::Sum);
    later(turned);
    later(e->child(1), Level::Sum);
  }

  void write_relation(Expr e, const char* sign) {
    later(e->child(1), Level::Sum);
    later(sign);
    later(e->child(0), Level::Sum);
  }

  void write_list(Expr e, const char* separator, Level level) {
    for (std::size_t i = e->size(); i-- > 0;) {
      later(e->child(i), level);
      if (i > 0) later(separator);
    }
  }

  const Names& names_;
  std::string& out_;
  const std::size_t limit_;
  std::vector<Piece> pieces_;
};

bool is_comparison(Expr e) { return level_of(e) == Level::Relation; }

}  // namespace

std::string number_text(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  char fixed[400], scientific[40];
  const auto end = std::to_chars(scientific, scientific + sizeof scientific, value, std::chars_format::scientific).ptr;
  std::string text(scientific, end);
  const std::size_t e = text.find('e');
  const int exponent = std::atoi(text.c_str() + e + 1);
  text.resize(e);
  text += 'E' + std::to_string(exponent);          // 1e-06 is written 1E-6
  constexpr int kFixedFrom = -4, kFixedBelow = 9;  // people read 0.00012 and 123000000 as they stand
  const auto fixed_end = std::to_chars(fixed, fixed + sizeof fixed, value, std::chars_format::fixed).ptr;
  const auto fixed_length = static_cast<std::size_t>(fixed_end - fixed);
  if ((exponent >= kFixedFrom && exponent < kFixedBelow) || fixed_length <= text.size()) return {fixed, fixed_end};
  return text;
}

void append_text(std::string& out, Expr e, const Names& names) { Printer(names, out).print(e, Level::Expression); }

void append_text(std::string& out, const FlatEquation& equation, const Names& names) {
  Printer printer(names, out);
  printer.print(equation.left, Level::Sum);
  out += " = ";
  printer.print(equation.right, is_comparison(equation.right) ? Level::Sum : Level::Expression);
}

std::string to_text(Expr e, const Names& names) {
  std::string text;
  append_text(text, e, names);
  return text;
}

std::string to_text(const FlatEquation& equation, const Names& names) {
  std::string text;
  append_text(text, equation, names);
  return text;
}

Names names_of(const FlatModel& model) {
  struct Cache {  // neighbouring variables mostly belong to one instance
    InstanceId instance{0};
    std::string prefix;
  };
  auto cache = std::make_shared<Cache>();
  Names names;
  names.variable = [&model, cache](VarId v) {
    const Variable& variable = model[v];
    if (variable.derivative_of != 0xffffffff || variable.next_of != 0xffffffff) return model.name_of(v);
    if (variable.instance != cache->instance) {
      cache->instance = variable.instance;
      cache->prefix = model.path(variable.instance);
      if (!cache->prefix.empty()) cache->prefix += '.';
    }
    return cache->prefix + variable.local_name;
  };
  names.function = [&model](std::uint32_t f) { return model.functions[f].name; };
  names.table = [&model](std::uint32_t t) { return model.tables[t].name; };
  return names;
}

}  // namespace fmugen::equations
