// Declarations of variables and submodels. Items of a list are separated by blanks or commas, so an item ends where
// the next one can begin:  `parameter J K=5 R`  declares three parameters.
#include "fmugen/syntax/parser_state.h"

namespace fmugen::syntax {

namespace {

VariableKind kind_of(Word word) {
  switch (word) {
    case Word::Parameter: return VariableKind::Parameter;
    case Word::Structure: return VariableKind::StructureParameter;
    case Word::Constant: return VariableKind::Constant;
    case Word::Terminal: return VariableKind::Terminal;
    case Word::Input: return VariableKind::Input;
    case Word::Output: return VariableKind::Output;
    case Word::Default: return VariableKind::Default;
    case Word::Internal: return VariableKind::Internal;
    case Word::External: return VariableKind::External;
    case Word::Discrete: return VariableKind::Discrete;
    default: return VariableKind::Local;
  }
}

}  // namespace

// variable_declaration = kind variable_item { [ "," ] variable_item }
// kind = "parameter" | "structure" "parameter" | "constant" | "local" | "terminal" | "input" | "output" | "default"
//      | "internal" | "external" | "discrete"
VariableDeclaration Parser::variable_declaration() {
  VariableDeclaration result;
  const Word word = token().word;
  result.kind = kind_of(word);
  ++at_;
  if (word == Word::Structure) expect(Word::Parameter);
  do result.items.push_back(variable_item());
  while (accept(TokenKind::Comma) || at_name());
  finish_statement();
  return result;
}

// variable_item = name [ dimensions ] [ attributes ] [ "=" expression ] [ string ]
VariableItem Parser::variable_item() {
  VariableItem item;
  item.name = name("a name");
  item.dimensions = dimensions();
  if (at(TokenKind::OpenParenthesis)) item.attributes = attributes();
  if (accept(TokenKind::Equal)) item.value = expression();
  item.description = optional_string();
  return item;
}

// dimensions = [ "[" expression { "," expression } "]" ]
std::vector<Expression> Parser::dimensions() { return subscripts(); }

// Whether "(" name "=" follows.
bool Parser::at_attributes() const {
  return at(TokenKind::OpenParenthesis) && token(1).kind == TokenKind::Identifier && token(2).kind == TokenKind::Equal;
}

// attributes = "(" name "=" expression { [ "," ] name "=" expression } ")"
std::vector<Attribute> Parser::attributes() {
  const Nesting level(*this);
  const EqualCompares compares(*this, false);
  ++at_;
  std::vector<Attribute> result;
  do {
    Attribute attribute;
    attribute.name = name("an attribute such as 'unit' or 'start'");
    expect(TokenKind::Equal, "'='");
    attribute.value = expression();
    result.push_back(std::move(attribute));
  } while (accept(TokenKind::Comma) || at_name());
  expect(TokenKind::CloseParenthesis, "',' or ')'");
  return result;
}

// submodel_declaration = [ "replace" ] "submodel" [ "(" ( reference | "fmu" string ) ")" ]
//                        submodel_item { [ "," ] submodel_item }
SubmodelDeclaration Parser::submodel_declaration() {
  SubmodelDeclaration result;
  result.replaces = accept(Word::Replace);
  expect(Word::Submodel);
  if (accept(TokenKind::OpenParenthesis)) {
    if (at_text("fmu") && token(1).kind == TokenKind::String) {
      ++at_;
      result.fmu = expression();
    } else {
      if (!at_name()) fail_expected("the name of a model type");
      result.type = reference();
    }
    expect(TokenKind::CloseParenthesis, "')'");
  }
  do result.items.push_back(submodel_item());
  while (accept(TokenKind::Comma) || at_name());
  finish_statement();
  return result;
}

// submodel_item = name [ dimensions ] [ "(" arguments ")" ] [ string ]
SubmodelItem Parser::submodel_item() {
  SubmodelItem item;
  item.name = name("the name of a submodel");
  item.dimensions = dimensions();
  if (at(TokenKind::OpenParenthesis)) item.arguments = arguments();
  item.description = optional_string();
  return item;
}

// arguments = [ argument { [ "," ] argument } ];   argument = [ name "=" ] expression
std::vector<Argument> Parser::arguments() {
  const Nesting level(*this);
  const EqualCompares compares(*this, false);
  ++at_;
  std::vector<Argument> result;
  while (!at(TokenKind::CloseParenthesis)) {
    if (at_boundary()) fail_expected("')'");
    Argument argument;
    if (token(1).kind == TokenKind::Equal && at_name()) {
      argument.name = {token().symbol, token().where};
      at_ += 2;
    }
    argument.value = expression();
    result.push_back(std::move(argument));
    if (accept(TokenKind::Comma) && at(TokenKind::CloseParenthesis)) fail_expected("an argument");
  }
  ++at_;
  return result;
}

}  // namespace fmugen::syntax
