// Everything of FmrModel, in the order in which the run time's header declares it.
//
//   parameters()   parameters that follow from others, blocks of parameters
//   dynamic()      blocks that the derivatives of the states and events need
//   outputs()      the other blocks
//   initial()      the system at the start; usually start values, then dynamic() and outputs()
//
// Functions call kernels and chunks in other files through the prototypes in model.h.
#include "fmugen/codegen/generate.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include "fmugen/codegen/blocks_code.h"
#include "fmugen/codegen/c_text.h"
#include "fmugen/codegen/events_code.h"
#include "fmugen/codegen/functions_code.h"
#include "fmugen/codegen/jacobian_pattern.h"
#include "fmugen/codegen/residual_code.h"
#include "fmugen/codegen/start_tangents.h"
#include "fmugen/equations/evaluate.h"

namespace fmugen::codegen {

using equations::VariableKind;
using structure::Block;
using structure::kNone;
using structure::Section;
using structure::SimulationPlan;

namespace {

constexpr std::size_t kMostNames = 2000;  // of states; more would only make the FMU larger

const char* const kHelpers =
    "static inline double square_of(double x) { return x * x; }\n"
    "static inline double cube_of(double x) { return x * x * x; }\n"
    "static inline double sign_of(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }\n"
    "static inline double smaller_of(double a, double b) { return b < a || isnan(b) ? b : a; }\n"
    "static inline double larger_of(double a, double b) { return b > a || isnan(b) ? b : a; }\n";

const char* solver_constant(const std::string& name) {
  if (name == "adams") return "FMR_SOLVER_ADAMS";
  if (name == "ida") return "FMR_SOLVER_IDA";
  if (name == "dopri45") return "FMR_SOLVER_DOPRI45";
  if (name == "euler") return "FMR_SOLVER_EULER";
  if (name == "heun") return "FMR_SOLVER_HEUN";
  if (name == "rk4") return "FMR_SOLVER_RK4";
  return "FMR_SOLVER_CVODE";
}

class Generator {
 public:
  Generator(const SimulationPlan& plan, const MemoryLayout& layout, const CodeOptions& options,
            const support::Sources& sources)
      : p_(plan),
        m_(plan.system.model),
        layout_(layout),
        options_(options),
        words_(plan, layout),
        texts_(plan, sources),
        program_(words_, texts_, files_),
        blocks_(words_, program_, texts_, files_),
        start_(words_, program_),
        passive_(words_, {}) {}

  GeneratedCode run() {
    find_active();
    usual_ = starts_as_usual();
    Translator active(words_, {[this](VarId v) { return active_[layout_.slot_of(v)]; }, false, {}});
    const std::string parameters = write_parameters();
    const std::string dynamic = write_section("model_dynamic", Section::Dynamic, active);
    const std::string outputs = write_section("model_outputs", Section::Output, active);
    const std::string initial = write_initial();
    const std::string samples = write_samples();
    EventsCode events(words_, program_, texts_, files_);
    const std::string relations = events.relations(tables_), whens = events.whens(tables_),
                      checks = events.checks(tables_), sets = events.state_sets(tables_);
    std::string residual_form = "0";
    if (options_.residual_form) residual_form = write_residual_form(words_, program_, tables_);
    const std::string functions = function_definitions(words_);
    const std::string delays = events.delays(tables_), formulas = blocks_.formulas(tables_);
    const std::string start_tangents = start_.finish(blocks_.linear(), blocks_.nonlinear(), tables_);
    program_.finish();

    std::string text = "#include \"model.h\"\n\n" + tables_ + state_tables();
    if (!m_.tables.empty()) text += table_definitions(m_);
    text += block_lists();
    const std::string tangent = dynamic_tangent_ ? "model_dynamic_tangent" : "0";
    const std::string tangent_outputs = dynamic_tangent_ && output_tangent_ ? "model_outputs_tangent" : "0";
    text += "\nconst FmrModel fmr_model = {\n  FMR_INTERFACE_VERSION,\n  " + c_string(m_.name) + ", " +
            c_string(options_.guid) + ",\n\n  " + std::to_string(layout_.slots) + ", start, role, " +
            std::to_string(layout_.negated.size()) + ", negated,\n\n  " + std::to_string(layout_.states.size()) +
            ", state, rate, " + nominal_ + ", " + std::to_string(layout_.inputs.size()) + ", input,\n\n  " +
            parameters + ", " + initial + ", " + dynamic + ", " + outputs + ",\n  " + tangent + ", " + tangent_outputs +
            ",\n  " + pattern_ + ",\n  " + residual_form + ",\n\n  " + std::to_string(blocks_.linear()) + ", " +
            std::to_string(blocks_.nonlinear()) + ", linear_blocks, nonlinear_blocks,\n  " + formulas + ",\n\n  " + relations + ",\n\n  " +
            std::to_string(words_.pre.size()) + ", pre_slots,\n  " + whens + ",\n\n  " + samples + ",\n  " + delays +
            ",\n  " + checks + ",\n  " + sets + ",\n\n  " + solver_constant(options_.solver) + ", " +
            (options_.sparse ? "1" : "0") + ", " + experiment() + ",\n  " + state_names_ +
            ", " + (options_.next_event_time ? "1" : "0") + ", " + start_tangents + "};\n";
    return finish(text, functions, residual_form != "0");
  }

 private:
  GeneratedCode finish(const std::string& model, const std::string& functions, bool residual_form) {
    GeneratedCode code;
    std::string header =
        "/* " + std::string("Generated code of the model: what its files know of each other. */\n") +
        "#ifndef MODEL_H\n#define MODEL_H\n\n#include <math.h>\n\n#include \"fmu_runtime/model_interface.h\"\n\n" +
        kHelpers + "\n" + function_prototypes(m_);
    if (!m_.tables.empty()) header += "extern const FmrTable model_tables[];\n";
    code.files.push_back({"model.h", header + files_.declarations() + "\n#endif\n", false});
    code.files.push_back({"model.c", model, true});
    if (!functions.empty()) code.files.push_back({"functions.c", "#include \"model.h\"\n" + functions, false});
    for (GeneratedFile& file : files_.take()) code.files.push_back(std::move(file));
    std::set<std::string> external;
    for (const equations::FunctionDefinition& f : m_.functions)
      if (f.external && external.insert(f.file).second) code.external_files.push_back(f.file);
    code.linear_blocks = blocks_.linear();
    code.nonlinear_blocks = blocks_.nonlinear();
    code.largest_linear_block = blocks_.largest_linear();
    code.tangents = dynamic_tangent_;
    code.residual_form = residual_form;
    code.state_entries = state_entries_;
    code.kernels = program_.kernels();
    return code;
  }

  // ---- what has tangents

  void find_active() {
    active_.assign(layout_.slots, false);
    for (const Slot slot : layout_.states) active_[slot] = true;
    for (const Slot slot : layout_.inputs) active_[slot] = true;
    for (const Block& block : p_.blocks)
      if (block.section != Section::Parameter)
        for (const VarId v : block.unknowns) active_[layout_.slot_of(v)] = true;
  }

  // ---- functions

  // A block, and its tangents at the start if they are wanted.
  bool add(const Block& block, const BlockContext& context, std::vector<Item>& items, std::vector<Item>* at_start) {
    const std::size_t before = items.size();
    const bool good = blocks_.add(block, context, items);
    if (at_start) start_.add(block, std::span(items).subspan(before), *at_start);
    return good;
  }

  std::string write_parameters() {
    std::vector<Item> items;
    for (std::uint32_t v = 0; v < m_.variables.size(); ++v) {
      const equations::Variable& variable = m_.variables[v];
      if (!variable.binding || (variable.kind != VariableKind::Parameter && variable.kind != VariableKind::Constant))
        continue;
      const bool fixed = m_.attributes_of(VarId{v}).fixed.value_or(true);
      const bool follows =
          variable.kind == VariableKind::Parameter && fixed && layout_.initial[v] == Initial::Calculated;
      if (!follows && !std::isnan(variable.value)) continue;
      items.push_back({Item::Statement,
                       Target::Value,
                       layout_.slot_of(VarId{v}),
                       passive_(variable.binding),
                       {nullptr, v},
                       {},
                       {}});
      start_.add(layout_.slot_of(VarId{v}), variable.binding, start_.parameters);
    }
    const BlockContext context{&p_.system.equations, &passive_, false, Group::Seldom};
    for (const Block& block : p_.blocks)
      if (block.section == Section::Parameter) add(block, context, items, &start_.parameters);
    program_.write({"model_parameters", true, false, 0, Group::Seldom, "parameters that follow from others"},
                   program_.arrange(std::move(items)));
    return "model_parameters";
  }

  std::string write_section(const std::string& name, Section section, Translator& active) {
    std::vector<Item> items;
    bool tangents = true;
    const BlockContext context{&p_.system.equations, &active, true, Group::Equations};
    std::vector<Item>* const at_start = usual_ ? &start_.initial : nullptr;
    for (const Block& block : p_.blocks)
      if (block.section == section) tangents = add(block, context, items, at_start) && tangents;
    const Routine routine = program_.arrange(std::move(items));
    const bool dynamic = section == Section::Dynamic;
    program_.write(
        {name, true, false, 0, Group::Equations,
         dynamic ? "derivatives of the states, and what else the simulation needs" : "what is left to be looked at"},
        routine);
    tangents = tangents && program_.has_tangent(routine);
    if (tangents) program_.write_tangent({name + "_tangent", true, false, 0, Group::Equations, ""}, routine);
    (dynamic ? dynamic_tangent_ : output_tangent_) = tangents;
    return name;
  }

  // Whether the blocks at the start end with those of the simulation.
  bool starts_as_usual() const {
    const auto& at_start = p_.initial.blocks;
    if (at_start.size() < p_.blocks.size()) return false;
    const auto same = [](const Block& a, const Block& b) {
      if (a.kind != b.kind || a.unknowns != b.unknowns || a.assignments.size() != b.assignments.size()) return false;
      for (std::size_t k = 0; k < a.assignments.size(); ++k)
        if (a.assignments[k].value != b.assignments[k].value) return false;
      return a.residuals == b.residuals && a.right == b.right;
    };
    return std::equal(p_.blocks.begin(), p_.blocks.end(),
                      at_start.end() - static_cast<std::ptrdiff_t>(p_.blocks.size()), same);
  }

  bool keeps_start(const Block& block) const {
    return block.kind == structure::BlockKind::Assignment && block.unknowns.size() == 1 &&
           layout_.kept[layout_.slot_of(block.unknowns[0])];
  }

  // Values that a system which computes its own instants (SIMNON) has before the first of them. They are computed once
  // and not again when the system at the start is solved once more after sampling.
  bool is_before(const Block& block) const {
    if (block.kind != structure::BlockKind::Assignment || block.unknowns.size() != 1) return false;
    const std::int32_t sample = m_[block.unknowns[0]].sample;
    return sample >= 0 && m_.samples[static_cast<std::size_t>(sample)].instants &&
           p_.initial.equations[block.equations[0]].flat == kNone;
  }

  std::string write_before(const std::string& name, std::uint32_t sample) {
    std::vector<Item> items;
    const BlockContext context{&p_.initial.equations, &passive_, false, Group::Seldom};
    for (const Block& block : p_.initial.blocks)
      if (is_before(block) && !keeps_start(block) && m_[block.unknowns[0]].sample == static_cast<std::int32_t>(sample))
        add(block, context, items, &start_.parameters);
    if (items.empty()) return "0";
    program_.write({name, false, false, 0, Group::Seldom, "values before the first instant"},
                   program_.arrange(std::move(items)));
    return name;
  }

  // The slot of the next instant, the states that are overwritten and their values; 0 where the model has none of it.
  std::string computed_instants(const structure::SampledPlan& sampled, const std::string& name) {
    const equations::SampledSystem& sample = m_.samples[sampled.sample];
    std::vector<std::uint32_t> target, value;
    for (const equations::Overwrite& o : sampled.overwrites) {
      target.push_back(layout_.slot_of(o.state));
      value.push_back(layout_.slot_of(o.value));
    }
    std::string text = write_before("model_" + name + "_before", sampled.sample) + ", " +
                       std::to_string(sample.instants ? layout_.slot_of(*sample.instants) : 0) + ", " +
                       std::to_string(target.size());
    if (target.empty()) return text + ", 0, 0";
    tables_ += c_table(name + "_overwritten", target) + c_table(name + "_value", value);
    return text + ", " + name + "_overwritten, " + name + "_value";
  }

  std::string write_initial() {
    const bool usual = usual_;
    const auto& at_start = p_.initial.blocks;
    const std::size_t count = usual ? at_start.size() - p_.blocks.size() : at_start.size();
    std::vector<Item> items;
    const BlockContext context{&p_.initial.equations, &passive_, false, Group::Seldom};
    for (std::size_t k = 0; k < count; ++k)
      if (!keeps_start(at_start[k]) && !is_before(at_start[k]))
        add(at_start[k], context, items, &start_.initial);
    const std::string name = usual ? "model_start_values" : "model_initial";
    program_.write(
        {name, true, false, 0, Group::Seldom, usual ? "states that start at expressions" : "the system at the start"},
        program_.arrange(std::move(items)));
    if (usual) {
      files_.add(Group::Seldom,
                 "int model_initial(FmrData *m) {\n  return model_start_values(m) || model_dynamic(m) || "
                 "model_outputs(m);\n}\n",
                 1);
      files_.declare("int model_initial(FmrData *m);\n");
    }
    return "model_initial";
  }

  std::string write_samples() {
    std::vector<std::string> rows;
    for (const structure::SampledPlan& sampled : p_.sampled) {
      const std::string name = "sample_" + std::to_string(rows.size() + 1);
      const equations::SampledSystem& sample = m_.samples[sampled.sample];
      std::vector<Item> items;
      const BlockContext context{&sampled.equations, &passive_, false, Group::Equations};
      std::vector<Item>& at_start = start_.samples.emplace_back();
      if (!sampled.overwrites.empty()) start_.give_up();
      for (const Block& block : sampled.blocks) add(block, context, items, &at_start);
      add_conditions(sampled.sample, items);
      program_.write({"model_" + name, true, false, 0, Group::Equations, ""}, program_.arrange(std::move(items)));
      std::string times = "void model_" + name + "_times(FmrData *m, double *period, double *offset) {\n  (void)m;\n";
      for (const auto& [part, e] : {std::pair("period", sample.every), std::pair("offset", sample.offset)}) {
        times += e ? "  model_" + name + "_" + part + "(m, " + part + ");\n" : std::string("  *") + part + " = NAN;\n";
        if (!e) continue;
        program_.write({"model_" + name + "_" + part, false, true, 0, Group::Equations, ""},
                       program_.arrange({{Item::Statement, Target::Out, 0, passive_(e), {}, {}, {}}}));
      }
      files_.add(Group::Equations, times + "}\n", 1);
      files_.declare("void model_" + name + "_times(FmrData *m, double *period, double *offset);\n");
      tables_ += c_table(name + "_state", slots(sampled.states)) + c_table(name + "_next", slots(sampled.next));
      rows.push_back("{" + std::to_string(sampled.states.size()) + ", " + name + "_state, " + name + "_next, model_" +
                     name + "_times, model_" + name + ", " + c_string(sample_name(sample)) + ", " +
                     computed_instants(sampled, name) + "}");
    }
    if (!rows.empty()) tables_ += c_table("FmrSample", "samples", rows);
    return std::to_string(rows.size()) + ", " + (rows.empty() ? "0" : "samples");
  }

  std::string sample_name(const equations::SampledSystem& sample) const {
    const std::string path = m_.path(sample.instance);
    return path.empty() ? m_.name : path;
  }

  // Conditions of the when clauses in a sampled system.
  void add_conditions(std::uint32_t sample, std::vector<Item>& items) {
    std::size_t number = 0;
    for (const equations::WhenClause& when : p_.events.whens)
      for (const equations::WhenBranch& branch : when.branches) {
        const Slot slot = layout_.condition[number++];
        if (slot > 0 && when.sample == static_cast<std::int32_t>(sample))
          items.push_back({Item::Statement, Target::Value, slot, passive_(branch.condition), {}, {}, {}});
      }
  }

  // ---- tables

  std::vector<std::uint32_t> slots(const std::vector<VarId>& variables) const {
    std::vector<std::uint32_t> found;
    for (const VarId v : variables) found.push_back(layout_.slot_of(v));
    return found;
  }

  std::string state_tables() {
    std::vector<std::string> roles;
    for (const unsigned char role : layout_.role) roles.push_back(std::to_string(role));
    std::string text = c_table("start", layout_.start) + c_table("unsigned char", "role", roles) +
                       c_table("negated", layout_.negated) + c_table("state", layout_.states) +
                       c_table("rate", layout_.rates) + c_table("input", layout_.inputs) +
                       c_table("pre_slots", words_.pre);
    std::vector<double> nominal;
    bool given = false;
    for (const VarId v : p_.selection.states) {
      const Expr e = m_.attributes_of(v).nominal;
      equations::Values values;
      values.variable = [&](VarId p) { return m_[p].value; };
      const double value = e ? std::fabs(equations::evaluate(e, values)) : 1;
      const bool usable = std::isfinite(value) && value > 0;
      given = given || (e && usable);
      nominal.push_back(usable ? value : 1);
    }
    if (given) {
      text += c_table("nominal", nominal);
      nominal_ = "nominal";
    }
    if (p_.selection.states.size() <= kMostNames && !p_.selection.states.empty()) {
      std::vector<std::string> names;
      for (const VarId v : p_.selection.states) names.push_back(c_string(texts_.state(v)));
      text += c_table("char *const", "state_name", names);
      state_names_ = "state_name";
    }
    if (const auto pattern = state_pattern(p_)) {
      state_entries_ = pattern->row.size();
      text += c_table("jacobian_column", pattern->column_start) + c_table("jacobian_row", pattern->row) +
              c_table("jacobian_colour", pattern->colour) + "static const FmrPattern jacobian = {" +
              std::to_string(pattern->size) + ", " + std::to_string(pattern->size) + ", " +
              std::to_string(pattern->row.size()) + ", jacobian_column, jacobian_row, " +
              std::to_string(pattern->colours) + ", jacobian_colour};\n";
      pattern_ = "&jacobian";
    }
    return text;
  }

  std::string block_lists() const {
    const auto list = [](const std::string& kind, const std::string& type, std::uint32_t count) {
      std::vector<std::string> names;
      for (std::uint32_t k = 0; k < count; ++k) names.push_back("&model_" + kind + "_" + std::to_string(k + 1));
      return c_table(type + " *const", kind + "_blocks", names);
    };
    return list("linear", "FmrLinearBlock", blocks_.linear()) +
           list("nonlinear", "FmrNonlinearBlock", blocks_.nonlinear());
  }

  std::string experiment() const {
    const equations::ExperimentSettings& e = m_.experiment;
    return c_number(e.tolerance) + ", " + c_number(e.start) + ", " + c_number(e.stop) + ", " +
           c_number(e.step.value_or((e.stop - e.start) / 500));
  }

  const SimulationPlan& p_;
  const equations::FlatModel& m_;
  const MemoryLayout& layout_;
  const CodeOptions& options_;
  Vocabulary words_;
  EquationTexts texts_;
  Files files_;
  Program program_;
  BlocksCode blocks_;
  StartTangents start_;
  Translator passive_;
  std::vector<bool> active_;  // by slot
  std::string tables_, nominal_ = "0", pattern_ = "0", state_names_ = "0";
  bool dynamic_tangent_ = false, output_tangent_ = false;
  bool usual_ = false;  // the system at the start is that of the simulation, behind start values
  std::size_t state_entries_ = 0;
};

}  // namespace

GeneratedCode generate(const SimulationPlan& plan, const MemoryLayout& layout, const CodeOptions& options,
                       const support::Sources& sources) {
  return Generator(plan, layout, options, sources).run();
}

}  // namespace fmugen::codegen
