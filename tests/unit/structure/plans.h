// Plans made from model text, with what there was to say about them.
#pragma once

#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "fmugen/equations/print.h"
#include "fmugen/semantics/flatten.h"
#include "fmugen/structure/simulation_plan.h"

namespace fmugen::structure {

struct Planned {
  support::Sources sources;
  support::SymbolTable symbols;
  support::Diagnostics diagnostics;
  std::optional<SimulationPlan> plan;

  explicit Planned(const std::string& text, const PlanOptions& options = {}) {
    const std::uint32_t source = sources.add("m.dym", text);
    auto model = semantics::flatten_text(source, {}, sources, symbols, diagnostics);
    if (model && !diagnostics.has_errors()) plan = make_plan(std::move(*model), options, diagnostics);
  }

  std::string text(Expr e) const { return equations::to_text(e, equations::names_of(plan->system.model)); }
  std::string name(VarId v) const { return plan->system.name(v); }

  // Errors and their remarks, one line each.
  std::string errors() const {
    std::ostringstream out;
    for (const auto& d : diagnostics.all())
      if (d.severity == support::Severity::Error) {
        out << line(d.where) << d.text << "\n";
        for (const auto& r : d.remarks) out << "  " << line(r.where) << r.text << "\n";
      }
    return out.str();
  }

  // "x := 1; y := 2*x", loops in brackets.
  std::string blocks(const std::vector<Block>& blocks) const {
    std::string out;
    for (const Block& block : blocks) {
      if (!out.empty()) out += "; ";
      if (block.kind == BlockKind::Assignment) {
        out += name(block.unknowns[0]) + " := " + text(block.assignments[0].value);
        continue;
      }
      out += "[";
      for (const VarId v : block.unknowns) out += (out.back() == '[' ? "" : " ") + name(v);
      out += "]";
    }
    return out;
  }

 private:
  std::string line(support::SourceRange where) const {
    return where.known() ? std::to_string(sources.position(where).line) + ": " : "";
  }
};

}  // namespace fmugen::structure
