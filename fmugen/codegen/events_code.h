// Relations, when clauses, checks, delays and state sets: the functions and tables of generated code about events.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "fmugen/codegen/program.h"

namespace fmugen::codegen {

class EventsCode {
 public:
  EventsCode(Vocabulary& words, Program& program, const EquationTexts& texts, Files& files);

  // Each writes functions and returns initialisers of fields of FmrModel; tables these need are appended to `tables`.
  std::string relations(std::string& tables);
  std::string whens(std::string& tables);
  std::string delays(std::string& tables);  // after everything else has been translated
  std::string checks(std::string& tables);
  std::string state_sets(std::string& tables);

 private:
  // A function that writes values to out[], by number; returns its name, or "0" if there are none.
  using Values = std::vector<std::pair<std::uint32_t, Expr>>;
  std::string function(const std::string& name, const Values& values, std::uint32_t clear = 0);
  std::string check_table(const std::vector<equations::Check>& checks, const std::string& name);
  std::string act(const std::vector<const equations::WhenBranch*>& branches, const std::vector<std::string>& comments);
  std::vector<std::string> delay_texts() const;
  std::string act_case(const equations::WhenBranch& branch);

  Vocabulary& words_;
  Program& program_;
  const EquationTexts& texts_;
  Files& files_;
  Translator translate_, translate_late_;
};

}  // namespace fmugen::codegen
