// Closing blocks: what `end` belongs to, and what is wrong if it belongs to nothing.
//
// The problem: a missing or superfluous `end` is noticed far behind the mistake. The method: a name behind `end` is
// compared with the open blocks and closes all up to its own; without names, an `end` that is indented like the heading
// of the block around the one it closes makes that inner block suspect. If at the end of the text an `end` is missing,
// the message points to the block that is open and to the suspect.
//
// Miniature:  model a               the `end` closes the loop, but stands below `model`: the loop is suspect,
//               for i := 1 to 3 do    and the message about model a says so
//             end
#include <algorithm>

#include "fmugen/syntax/parser_state.h"

namespace fmugen::syntax {

std::string Parser::describe(const Block& block) {
  switch (block.kind) {
    case Block::Kind::Model: return "model '" + block.name.symbol.text() + "'";
    case Block::Kind::Realization: return "realization '" + block.name.symbol.text() + "'";
    case Block::Kind::For: return "'for'";
    case Block::Kind::If: return "'if'";
    case Block::Kind::When: return "'when'";
  }
  return "";
}

// Moves the topmost block to where it belongs.
void Parser::close_block(SourceRange end) {
  bool chained = true;
  while (chained) {
    Block block = std::move(blocks_.back());
    blocks_.pop_back();
    chained = block.chained && !blocks_.empty();
    block.item.where = support::cover(block.opening, end);
    if (blocks_.empty()) last_end_ = end;
    add(std::move(block.item));
  }
}

// end_statement = "end" [ name | "if" | "for" | "when" | "model" | "realization" ]
void Parser::end_statement() {
  const SourceRange end = token().where;
  ++at_;
  const Word word = token().word;
  const Token& next = token(1);
  const bool alone = next.starts_statement || next.kind == TokenKind::Semicolon || next.word == Word::End;
  const bool kind =
      word == Word::If || word == Word::For || word == Word::When || word == Word::Model || word == Word::Realization;
  const bool named = at(TokenKind::Identifier) && !token().newline_before && (word == Word::None || (kind && alone));
  Name name;
  if (named) {
    name = {token().symbol, token().where};
    ++at_;
  }
  if (blocks_.empty()) {
    if (!doubtful_ && !outside_reported_) diagnostics_.error(end, "'end' without a model to close");
    outside_reported_ = true;
    return;
  }
  if (named) return end_matching(name, word, end);
  Block& block = blocks_.back();
  if (block.kind == Block::Kind::If && block.began && !block.in_else && token().word == Word::Else) return;
  note_indentation(block, end);
  close_block(end);
}

// Closes the block that is named; those inside of it have been forgotten.
void Parser::end_matching(Name name, Word word, SourceRange where) {
  const auto matches = [&](const Block& block) {
    switch (block.kind) {
      case Block::Kind::Model: return word == Word::Model || !block.name.symbol || block.name.symbol == name.symbol;
      case Block::Kind::Realization:
        return word == Word::Realization || !block.name.symbol || block.name.symbol == name.symbol;
      case Block::Kind::For: return word == Word::For;
      case Block::Kind::If: return word == Word::If;
      case Block::Kind::When: return word == Word::When;
    }
    return false;
  };
  const SourceRange all = support::cover(where, name.where);
  const Block& innermost = blocks_.back();
  if (matches(innermost)) return close_block(all);
  const auto outer = std::find_if(blocks_.rbegin(), blocks_.rend(), matches);
  const std::string text = "'end " + name.symbol.text() + "'";
  if (outer == blocks_.rend()) {
    if (!doubtful_)
      diagnostics_.error(all, text + " does not match " + describe(innermost))
          .remark(innermost.opening, describe(innermost) + " begins here");
    const bool misspelt = !support::nearest_name(name.symbol.text(), {innermost.name.symbol.text()}).empty();
    doubtful_ = doubtful_ || !misspelt;
    return close_block(all);
  }
  if (!doubtful_)
    diagnostics_.error(all, describe(innermost) + " is not closed before " + text)
        .remark(innermost.opening, describe(innermost) + " begins here");
  doubtful_ = true;
  const std::size_t remaining = static_cast<std::size_t>(blocks_.rend() - outer) - 1;
  while (blocks_.size() > remaining) close_block(all);
}

// Remembers a block whose `end` is indented like the heading of the block around it.
void Parser::note_indentation(const Block& block, SourceRange end) {
  if (suspect_ || blocks_.size() < 2 || block.chained) return;
  const auto own = sources_.position(block.opening), outer = sources_.position(blocks_[blocks_.size() - 2].opening);
  const auto here = sources_.position(end);
  if (own.line == here.line || here.column == own.column || here.column != outer.column) return;
  suspect_ = Suspect{describe(block), block.opening};
}

void Parser::unclosed_blocks() {
  if (doubtful_) return;
  constexpr std::size_t kMostShown = 3;
  SourceRange where = tokens_.back().where;
  where.begin = where.end = tokens_[at_ > 0 ? at_ - 1 : 0].where.end;
  auto& error = diagnostics_.error(where, describe(blocks_.back()) + " is not closed: expected 'end'");
  for (std::size_t i = 0; i < blocks_.size() && i < kMostShown; ++i) {
    const Block& block = blocks_[blocks_.size() - 1 - i];
    error.remark(block.opening, describe(block) + " begins here");
  }
  if (suspect_)
    error.remark(suspect_->opening, "perhaps the 'end' of " + suspect_->what + " is missing, which begins here");
}

}  // namespace fmugen::syntax