// Texts with random mistakes: words and signs lost, doubled, swapped or taken from elsewhere. The parser must come to
// an end, with messages that point into the text.
#include <catch2/catch.hpp>
#include <random>
#include <vector>

#include "tests/unit/syntax/parsing.h"

using namespace fmugen;
using namespace fmugen::syntax;

namespace {

const char* kText = R"(use fluid
model type tank is a fluid.vessel "open"
  cut inlet(P0, ., . / -qin) port(P1(unit="Pa") / q)
  main path p((w, h / f) - ((a, b), (c))); path r < inlet - port >
  parameter A[3] = [1, 2, 3], R(min=0) = 5 "res"
  submodel (electrical.resistor) R1(5.6) R2(R=Rb, C=-1)
  C*V' = if I > 0 and not b then -I**2 else delt''/(PI*f0)
  (., ., 1000 / 0.2) to T1 - ( \ D1 // C1 // T..(Base - Emitter) ) - N
  connect (heat) a to (b, c to (d, e)), m:(x, y) at n:c[2]
  for i := 1 to n do begin s[i] to s[i+1] end
  if n = 2 then y = 1 else if n > 3 then y = x[1:k] else y1 y2 = proc(u1 u2) end
  when h < 0 then reinit v := -pre(v); k := 1 else when c then select t fine end
  table rho(interpolation = cubic) = (0, 1; 2, 3)
  function f(a, b) local c; c := a; if c then f := 1 else f := 2 end end f
  experiment start 0 stop 10 solver cvode ; valid T > 0 "range" ; initial x = 3
  realization fine
    local if, ui
    Lf*der(if) = uf - Rf*if { field }
  end fine
end tank
)";

// The text in pieces: words, numbers, blanks, and every sign by itself.
std::vector<std::string> pieces(const std::string& text) {
  std::vector<std::string> result;
  bool in_word = false;
  for (const char c : text) {
    const bool word = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (word && in_word)
      result.back() += c;
    else
      result.push_back(std::string(1, c));
    in_word = word;
  }
  return result;
}

}  // namespace

TEST_CASE("random mistakes") {
  const std::vector<std::string> original = pieces(kText);
  REQUIRE(errors(kText) == "");
  std::mt19937 random(20);
  const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  for (int round = 0; round < 3000; ++round) {
    std::vector<std::string> mutated = original;
    for (std::size_t mistakes = 1 + below(6); mistakes > 0 && mutated.size() > 1; --mistakes) {
      const std::size_t i = below(mutated.size()), j = below(mutated.size());
      switch (below(5)) {
        case 0: mutated.erase(mutated.begin() + static_cast<std::ptrdiff_t>(i)); break;
        case 1: mutated.insert(mutated.begin() + static_cast<std::ptrdiff_t>(i), std::string(mutated[j])); break;
        case 2: std::swap(mutated[i], mutated[j]); break;
        case 3: mutated[i] = original[below(original.size())]; break;
        case 4: mutated.resize(i + 1); break;
      }
    }
    std::string text;
    for (const std::string& piece : mutated) text += piece;
    Parsed parsed;
    parse_into(parsed, text);
    std::ostringstream out;
    print_ast(out, parsed.file);
    const bool bounded = parsed.diagnostics.all().size() <= support::Diagnostics::kMostErrors;
    bool inside = true;
    for (const support::Diagnostic& one : parsed.diagnostics.all())
      inside = inside && one.where.known() && one.where.begin <= one.where.end && one.where.end <= text.size();
    if (!bounded || !inside) FAIL("round " << round << ":\n" << text << "\n" << messages(parsed));
  }
}
