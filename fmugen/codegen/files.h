// The files of generated code while they grow: bounded in size, so that several compilers can work on them and none has
// to swallow too much at once.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fmugen/structure/simulation_plan.h"
#include "fmugen/support/source.h"

namespace fmugen::codegen {

struct GeneratedFile {
  std::string name, text;
  bool seldom = false;  // runs once: need not be optimised
};

enum class Group { Equations, Seldom };

class Files {
 public:
  // Adds the text of some functions and tables, which must stay together, and what others must know of them. `weight`
  // is the number of statements.
  void add(Group group, const std::string& text, std::size_t weight);
  void declare(const std::string& text) { declarations_ += text; }
  const std::string& declarations() const { return declarations_; }
  std::vector<GeneratedFile> take() { return std::move(files_); }

 private:
  static constexpr std::size_t kStatements = 500;  // in a file
  struct Open {
    std::size_t file = 0, weight = kStatements, count = 0;
  };
  Open equations_, seldom_;
  std::vector<GeneratedFile> files_;
  std::string declarations_;
};

// Where a statement comes from: an equation, or the value of a parameter.
struct Origin {
  const structure::SystemEquation* equation = nullptr;
  std::uint32_t parameter = structure::kNone;
  bool known() const { return equation || parameter != structure::kNone; }
};

// "R1.R*R1.I = R1.V   (circuit.dym:12)": an equation as it was written, and where.
class EquationTexts {
 public:
  EquationTexts(const structure::SimulationPlan& plan, const support::Sources& sources);
  std::string text(const structure::SystemEquation& e) const;
  std::string text(const Origin& origin) const;
  std::string text(equations::Expr e) const;
  // "'R1.V'", or of a state that stands for others in turn, which they are and what ties them together.
  std::string state(equations::VarId v) const;
  std::string place(support::SourceRange where) const;  // "circuit.dym:12", or nothing

 private:
  const structure::SimulationPlan& plan_;
  const support::Sources& sources_;
};

}  // namespace fmugen::codegen
