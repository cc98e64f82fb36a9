// The parser of the model language: what its source files share. Each parse function has its grammar rule above its
// definition; [ ] is optional, { } zero or more, | choice, quoted text literal.
//
//   parser.cpp               entry points, tokens, failures and recovery
//   parser_blocks.cpp        files, models, and all that closes with `end`
//   parser_ends.cpp          the `end` of these
//   parser_declarations.cpp  variables and submodels
//   parser_cuts.cpp          cuts, nodes and paths
//   parser_statements.cpp    equations, and what else begins with a keyword of its own
//   parser_connections.cpp   connection statements
//   parser_expressions.cpp   expressions and references
//   parser_functions.cpp     functions and tables
//
// A function that cannot go on throws a Failure, which is caught once per statement. Models, loops and conditional
// parts are kept on an explicit stack; recursion follows only the nesting of parentheses, which is limited.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "fmugen/support/diagnostics.h"
#include "fmugen/syntax/ast.h"
#include "fmugen/syntax/lexer.h"

namespace fmugen::syntax {

// Why a statement cannot be read, and at which token that turned out.
struct Failure {
  std::uint32_t token = 0;
  SourceRange where;
  std::string text;
  std::string advice;  // a remark, or empty
};

// A model, loop or conditional part whose `end` has not come yet.
struct Block {
  enum class Kind { Model, Realization, For, If, When };
  Kind kind = Kind::Model;
  Item item;             // the node under construction
  Name name;             // Model, Realization
  SourceRange opening;   // the line that opens it
  bool in_else = false;  // If
  bool chained = false;  // If: an `else if`, closed together with the one around it
  bool began = false;    // a `begin` was written
};

// A block closed by an `end` that is indented like the heading of the block around it.
struct Suspect {
  std::string what;
  SourceRange opening;
};

class Parser {
 public:
  Parser(const support::Sources& sources, std::uint32_t source, support::SymbolTable& symbols,
         support::Diagnostics& diagnostics);
  File file();
  std::optional<Expression> single_expression();

 private:
  // Deeper texts are not written by people; with these limits no recursion over a tree overflows a stack of 8 MB.
  static constexpr int kDeepestExpression = 400;
  static constexpr std::size_t kDeepestBlock = 2000;

  // Forgets, at its end, the levels of nesting counted since its beginning.
  class Levels {
   public:
    explicit Levels(Parser& parser) : parser_(parser), before_(parser.depth_) {}
    ~Levels() { parser_.depth_ = before_; }
    Levels(const Levels&) = delete;
    Levels& operator=(const Levels&) = delete;

   private:
    Parser& parser_;
    int before_;
  };
  // Counts one level of nesting while it lives.
  class Nesting : Levels {
   public:
    explicit Nesting(Parser& parser) : Levels(parser) { parser.deepen(); }
  };
  void deepen();
  // Says for a while whether `=` compares (in conditions and parentheses) or ends the left side of an equation.
  class EqualCompares {
   public:
    EqualCompares(Parser& parser, bool compares) : parser_(parser), before_(parser.equal_compares_) {
      parser.equal_compares_ = compares;
    }
    ~EqualCompares() { parser_.equal_compares_ = before_; }
    EqualCompares(const EqualCompares&) = delete;
    EqualCompares& operator=(const EqualCompares&) = delete;

   private:
    Parser& parser_;
    bool before_;
  };

  // ---- tokens (parser.cpp)
  const Token& token() const { return tokens_[at_]; }
  const Token& token(std::uint32_t ahead) const {
    return at_ + ahead < tokens_.size() ? tokens_[at_ + ahead] : tokens_.back();
  }
  // The statement that began at begin_ ends before this token.
  bool at_boundary() const {
    return (token().starts_statement && at_ != begin_) || token().kind == TokenKind::Semicolon ||
           token().kind == TokenKind::End;
  }
  bool at(TokenKind kind) const { return token().kind == kind && !(token().starts_statement && at_ != begin_); }
  bool at(Word word) const { return at(TokenKind::Identifier) && token().word == word; }
  bool at_text(const char* text) const { return at(TokenKind::Identifier) && token().symbol.text() == text; }
  bool at_name() const;     // in a declaration
  bool at_operand() const;  // a name in an expression or a connection
  bool accept(TokenKind kind);
  bool accept(Word word);
  void expect(TokenKind kind, const char* what);
  void expect(Word word);
  Name name(const char* what);
  std::string optional_string();
  SourceRange since(std::uint32_t first) const;  // from that token to the one before the current one
  [[noreturn]] void fail(std::string text, std::string advice = {}) const;
  [[noreturn]] void fail_expected(const std::string& what, std::string advice = {}) const;
  std::string describe_token() const;
  bool at_statement_end() const;

  // ---- recovery (parser.cpp)
  std::uint32_t statement_end(std::uint32_t from) const;
  bool lacks_then(std::uint32_t i) const;
  void finish_statement() const;
  void report(const Failure& failure);
  bool already_reported(std::uint32_t from, std::uint32_t to);
  std::string meant_keyword() const;

  // ---- blocks (parser_blocks.cpp)
  void statement();
  void top_level_statement();
  void body_statement();
  void keyword_statement(Word word);
  void misspelt_statement(const std::string& meant);
  Word statement_word() const;
  void declare_model();
  void model_heading(ModelDefinition& model);
  void open_realization();
  void open_for();
  Expression if_heading();
  void open_if(bool chained);
  void else_branch();
  void open_when();
  void when_branch(When& when);
  void open(Block block);
  void header_failed(const Failure& failure, Word last_word);

  // ---- ends of blocks (parser_ends.cpp)
  void end_statement();
  void end_matching(Name name, Word word, SourceRange where);
  void close_block(SourceRange end);
  void note_indentation(const Block& block, SourceRange end);
  void unclosed_blocks();
  void add(Item item);
  template <class Node>
  void add_node(Node node) {
    add({since(begin_), std::move(node)});
  }
  void declare_function(bool external);
  Body& body();
  static std::string describe(const Block& block);

  // ---- declarations (parser_declarations.cpp)
  VariableDeclaration variable_declaration();
  VariableItem variable_item();
  std::vector<Attribute> attributes();
  SubmodelDeclaration submodel_declaration();
  SubmodelItem submodel_item();
  std::vector<Argument> arguments();
  std::vector<Expression> dimensions();
  bool at_attributes() const;

  // ---- cuts and paths (parser_cuts.cpp)
  CutDeclaration cut_declaration(bool main);
  NodeDeclaration node_declaration();
  CutItem cut_item();
  CutClause cut_clause();
  CutElement cut_element();
  PathDeclaration path_declaration(bool main);
  PathItem path_item();
  CutElement path_end();

  // ---- statements (parser_statements.cpp)
  void equation_or_connection();
  std::optional<Failure> read_equation(Equation& equation);
  std::optional<Failure> read_connection(ConnectionStatement& connection);
  void neither(std::uint32_t end, bool arithmetic, const std::optional<Failure>& as_equation,
               const Failure& as_connection);
  bool is_procedure_call(std::uint32_t end) const;
  ProcedureCall procedure_call();
  void action();
  Action select_action();
  Initial initial_statement();
  Valid valid_statement();
  Terminate terminate_statement();
  Sample sample_statement();
  Experiment experiment_statement();
  Iterate iterate_statement();
  Expression condition();

  // ---- connections (parser_connections.cpp)
  struct Segment;
  struct Group;
  ConnectionStatement connection_statement();
  ConnectionExpression connection_chain();
  ConnectionExpression connection_secondary();
  ConnectionExpression connection_operand();
  ConnectionExpression connection_group();
  ConnectionExpression expression_of(Group group);
  Segment segment();
  bool at_segment() const;
  bool holds_value(std::uint32_t open) const;
  bool could_be_connection(std::uint32_t from, std::uint32_t to) const;
  std::optional<ConnectionOperator> connection_operator(bool slash) const;
  static ConnectionExpression chain_of(Segment segment);
  static CutElement element_of(Segment segment);

  // ---- expressions (parser_expressions.cpp)
  Expression expression();
  Expression conjunction();
  Expression negation();
  Expression relation();
  Expression sum();
  Expression product();
  Expression factor();
  Expression power();
  Expression postfix();
  Expression primary();
  Expression if_expression();
  Expression parenthesised();
  Expression matrix();
  Expression call();
  Expression reference_expression();
  Expression subscript();
  Expression new_expression(ExpressionKind kind) const;
  Reference reference();
  std::vector<Expression> subscripts();
  std::optional<RelationOperator> relation_operator() const;

  // ---- functions and tables (parser_functions.cpp)
  Function function_declaration(bool external);
  void function_heading(Function& function);
  bool function_end(const std::string& what, SourceRange opening);
  std::vector<FunctionStatement> function_body(Function& function, bool branch);
  FunctionStatement function_statement(Function& function);
  FunctionStatement function_if(Function& function);
  FunctionStatement function_for(Function& function);
  std::vector<Name> name_list();
  Table table_declaration();
  std::vector<std::vector<Expression>> table_rows();

  const support::Sources& sources_;
  std::uint32_t source_;
  support::Diagnostics& diagnostics_;
  Tokens tokens_;
  std::uint32_t at_ = 0;
  std::uint32_t begin_ = 0;  // first token of the current statement
  int depth_ = 0;
  bool equal_compares_ = false;
  std::size_t ambiguous_groups_ = 0;  // groups (a / b) of connections that were read in two ways
  File file_;
  std::vector<Block> blocks_;
  bool outside_reported_ = false;          // something outside of all models was reported
  SourceRange last_end_;                   // of the last model of the file that was closed
  bool doubtful_ = false;                  // text was lost: do not trust the count of `end`
  bool function_unclosed_ = false;         // reported for the current function
  bool stopped_ = false;                   // the text nests too deep to go on
  std::uint32_t misspelt_ = Token::kNone;  // first token of a statement that was reported and is read all the same
  std::optional<Suspect> suspect_;         // the first such block
};

}  // namespace fmugen::syntax
