// Expressions as in Algol 60, by recursive descent; the grammar rule stands above each function. Arithmetic and Boolean
// expressions have one grammar: a number is true from 0.5 on, and a condition is the number 1 or 0, so that each may
// stand where the other is expected.
//
//   DV = -U-EPS*(1-G)*V                     sum(negative(U), negative(product(EPS, sum(1, negative(G)), V)))
//   IF IF SW THEN T<10 ELSE T>5 THEN 0 ELSE 1     if(if(SW, less(T, 10), greater(T, 5)), 0, 1)
//
// Sums and products are flat, so that long ones do not make deep trees; what can be nested is limited.
#include "fmugen/simnon/parser.h"
#include "fmugen/simnon/values.h"

namespace fmugen::simnon {

namespace {

constexpr int kDeepest = 200;  // nesting; nobody writes more, and trees are walked by recursion

class Parser {
 public:
  Parser(const std::vector<Token>& tokens, std::size_t& at, support::Diagnostics& diagnostics)
      : tokens_(tokens), at_(at), diagnostics_(diagnostics) {}

  // expression = "IF" expression "THEN" expression "ELSE" expression | disjunction
  Expression expression() {
    const Nested nested(*this);
    if (failed_) return {};
    if (!now().is_word("IF")) return disjunction();
    Expression e = begin(ExpressionKind::If);
    ++at_;
    e.children.push_back(expression());
    word("THEN", "between the condition and the value of an IF");
    e.children.push_back(expression());
    word("ELSE", "in every IF: there must be a value in either case");
    e.children.push_back(expression());
    return end(std::move(e));
  }

  bool failed() const { return failed_; }

 private:
  struct Nested {
    explicit Nested(Parser& parser) : parser_(parser) {
      if (++parser_.depth_ > kDeepest) parser_.fail("the expression is nested too deeply");
    }
    ~Nested() { --parser_.depth_; }
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;
    Parser& parser_;
  };

  const Token& now() const { return tokens_[at_]; }

  Expression begin(ExpressionKind kind) const {
    Expression e;
    e.kind = kind;
    e.where = now().where;
    return e;
  }
  Expression end(Expression e) const {
    if (at_ > 0) e.where = support::cover(e.where, tokens_[at_ - 1].where);
    return e;
  }
  Expression join(ExpressionKind kind, std::vector<Expression> children) const {
    if (children.size() == 1) return std::move(children.front());
    Expression e;
    e.kind = kind;
    e.where = support::cover(children.front().where, children.back().where);
    e.children = std::move(children);
    return e;
  }
  static Expression wrap(ExpressionKind kind, Expression child, SourceRange sign) {
    Expression e;
    e.kind = kind;
    e.where = support::cover(sign, child.where);
    e.children.push_back(std::move(child));
    return e;
  }

  support::Diagnostic* fail(const std::string& text) {
    if (failed_) return nullptr;
    failed_ = true;
    return &diagnostics_.error(now().where, text);
  }
  void word(const char* text, const std::string& why) {
    if (failed_) return;
    if (now().is_word(text))
      ++at_;
    else
      fail("'" + std::string(text) + "' is expected " + why);
  }

  // disjunction = conjunction { "OR" conjunction }
  Expression disjunction() {
    std::vector<Expression> children;
    children.push_back(conjunction());
    while (!failed_ && now().is_word("OR")) {
      ++at_;
      children.push_back(conjunction());
    }
    return join(ExpressionKind::Or, std::move(children));
  }

  // conjunction = negation { "AND" negation }
  Expression conjunction() {
    std::vector<Expression> children;
    children.push_back(negation());
    while (!failed_ && now().is_word("AND")) {
      ++at_;
      children.push_back(negation());
    }
    return join(ExpressionKind::And, std::move(children));
  }

  // negation = [ "NOT" ] relation
  Expression negation() {
    if (!now().is_word("NOT")) return relation();
    const SourceRange sign = now().where;
    ++at_;
    return wrap(ExpressionKind::Not, relation(), sign);
  }

  // relation = sum [ ( "<" | ">" ) sum ]
  Expression relation() {
    Expression left = sum();
    if (failed_ || (!now().is("<") && !now().is(">"))) return left;
    const ExpressionKind kind = now().is("<") ? ExpressionKind::Less : ExpressionKind::Greater;
    ++at_;
    if (now().is("=") || now().is(">")) {
      if (support::Diagnostic* error = fail("SIMNON compares with '<' and '>' only"))
        error->remark(kind == ExpressionKind::Less && now().is("=") ? "write NOT A>B for A<=B"
                      : kind == ExpressionKind::Less                ? "write A<B OR A>B for A<>B"
                                                                    : "write NOT A<B for A>=B");
      return left;
    }
    std::vector<Expression> sides;
    sides.push_back(std::move(left));
    sides.push_back(sum());
    if (now().is("<") || now().is(">")) fail("two comparisons in a row; join them with AND");
    return join(kind, std::move(sides));
  }

  // sum = [ "+" | "-" ] product { ( "+" | "-" ) product }
  Expression sum() {
    std::vector<Expression> terms;
    do {
      const bool negative = now().is("-"), sign = negative || now().is("+");
      const SourceRange where = now().where;
      if (sign) ++at_;
      if (sign && (now().is("-") || now().is("+"))) fail("two signs in a row; put the second in parentheses");
      Expression term = product();
      terms.push_back(negative ? wrap(ExpressionKind::Negative, std::move(term), where) : std::move(term));
    } while (!failed_ && (now().is("+") || now().is("-")));
    return join(ExpressionKind::Sum, std::move(terms));
  }

  // product = power { ( "*" | "/" ) power }
  Expression product() {
    std::vector<Expression> factors;
    factors.push_back(power());
    while (!failed_ && (now().is("*") || now().is("/"))) {
      const bool inverse = now().is("/");
      const SourceRange where = now().where;
      ++at_;
      Expression factor = power();
      factors.push_back(inverse ? wrap(ExpressionKind::Inverse, std::move(factor), where) : std::move(factor));
    }
    return join(ExpressionKind::Product, std::move(factors));
  }

  // power = primary { "^" primary }                       from the left: A^B^C is (A^B)^C
  Expression power() {
    Expression base = primary();
    for (int count = 0; !failed_ && now().is("^"); ++count) {
      if (count > kDeepest) fail("the expression is nested too deeply");
      ++at_;
      std::vector<Expression> both;
      both.push_back(std::move(base));
      both.push_back(primary());
      base = join(ExpressionKind::Power, std::move(both));
    }
    return base;
  }

  // primary = number | variable | function "(" expression { "," expression } ")" | "(" expression ")"
  Expression primary() {
    Expression e = begin(ExpressionKind::Number);
    if (failed_) return e;
    if (now().kind == TokenKind::Number) {
      e.number = now().number;
      ++at_;
      return e;
    }
    if (now().is("(")) return parenthesis();
    if (now().kind == TokenKind::Name && !is_reserved(now())) return variable_or_call();
    if (now().is("-") || now().is("+"))
      fail("a sign cannot follow an operator; put the operand in parentheses");
    else if (now().is_word("IF"))
      fail("an IF that is an operand stands in parentheses");
    else if (now().is(")"))
      fail("a value is expected before ')': a '(' may be missing");
    else
      fail(now().kind == TokenKind::End ? "a value is expected at the end of the line"
                                        : "a value is expected, not '" + now().text + "'");
    return e;
  }

  Expression parenthesis() {
    const SourceRange open = now().where;
    ++at_;
    Expression e = expression();
    close(open);
    e.where = support::cover(open, tokens_[at_ > 0 ? at_ - 1 : 0].where);
    return e;
  }

  void close(SourceRange open) {
    if (failed_) return;
    if (now().is(")"))
      ++at_;
    else if (support::Diagnostic* error = fail("')' is expected"))
      error->remark(open, "it would close this one");
  }

  static bool is_reserved(const Token& token) {
    for (const char* word : {"IF", "THEN", "ELSE", "AND", "OR", "NOT"})
      if (token.is_word(word)) return true;
    return false;
  }

  // variable = name [ "[" system "]" ]
  Expression variable_or_call() {
    Expression e = begin(ExpressionKind::Reference);
    e.reference.name = {now().text, now().where};
    ++at_;
    if (now().is("(")) {
      e.kind = ExpressionKind::Call;
      const SourceRange open = now().where;
      do {
        ++at_;
        e.children.push_back(expression());
      } while (!failed_ && now().is(","));
      close(open);
    } else if (now().is("[")) {
      ++at_;
      if (now().kind != TokenKind::Name) {
        fail("the name of a system is expected after '['");
        return e;
      }
      e.reference.system = Name{now().text, now().where};
      ++at_;
      if (now().is("]"))
        ++at_;
      else
        fail("']' is expected behind the name of the system");
    }
    e = end(std::move(e));
    e.reference.where = e.where;
    if (e.kind == ExpressionKind::Reference && !e.reference.system && is_function(e.reference.name.text) &&
        (now().kind == TokenKind::Number || (now().kind == TokenKind::Name && !is_reserved(now()))))
      fail("'(' is expected after function '" + e.reference.name.text + "'");
    return e;
  }

  const std::vector<Token>& tokens_;
  std::size_t& at_;
  support::Diagnostics& diagnostics_;
  int depth_ = 0;
  bool failed_ = false;
};

}  // namespace

std::optional<Expression> parse_expression(const std::vector<Token>& tokens, std::size_t& at,
                                           support::Diagnostics& diagnostics) {
  Parser parser(tokens, at, diagnostics);
  Expression e = parser.expression();
  if (parser.failed()) return std::nullopt;
  return e;
}

}  // namespace fmugen::simnon
