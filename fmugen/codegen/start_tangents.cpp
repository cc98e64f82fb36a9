// Tangents through the system at the start.
//
// While a simulation runs only states, inputs and time have tangents, which keeps the Jacobians of the integrators cheap.
// At the start parameters have them, too, so the same statements and loops are differentiated a second time, with every
// variable active. These functions run seldom and are not optimised. Loops keep their numbers: the run time solves
// with the factors it has, by the implicit function theorem.
//
//   R*i = u              di := (du - dR*i)/R
//   A*x = b              A*dx = d(b - A*x), x held: one statement a row
//   r(x, p) = 0          r_x*dx = -r_p*dp: the function gives d(r) for any tangents of x and p
//
// What is delayed is constant before the start, so the tangent of delay(u, T) there is that of u; the run time keeps value
// and tangent behind those of the variables, at `values` + k. pre(x) of a variable that keeps its start value is x.
#include "fmugen/codegen/start_tangents.h"

#include "fmugen/codegen/c_text.h"

namespace fmugen::codegen {

using structure::Block;
using structure::BlockKind;

namespace {

TranslateOptions everything(const Vocabulary& words) {
  TranslateOptions options;
  options.active = [&words](VarId v) {
    const equations::Variable& variable = words.plan.system.model[v];
    return variable.kind != equations::VariableKind::Constant && variable.frozen == equations::Frozen::No &&
           !words.plan.system.alias[index(v)].constant;
  };
  options.start = true;
  return options;
}

}  // namespace

StartTangents::StartTangents(Vocabulary& words, Program& program)
    : words_(words), program_(program), translate_(words, everything(words)) {}

void StartTangents::add(Slot slot, Expr value, std::vector<Item>& to) {
  to.push_back({Item::Statement, Target::Value, slot, translate_(value), {}, {}, {}});
}

void StartTangents::add_assignments(const Block& block, std::span<const Item> made, std::vector<Item>& to) {
  std::vector<Origin> origins;
  for (const Item& item : made)
    if (item.kind == Item::Statement) origins.push_back(item.origin);
  for (std::size_t k = 0; k < block.assignments.size(); ++k) {
    const Place place = words_.layout.place[index(block.assignments[k].unknown)];
    Expr value = translate_(block.assignments[k].value);
    if (place.sign < 0) value = words_.pool.neg(value);
    const Origin origin = k < origins.size() ? origins[k] : Origin{};
    to.push_back({Item::Statement, Target::Value, place.slot, value, origin, {}, {}});
  }
}

void StartTangents::add(const Block& block, std::span<const Item> made, std::vector<Item>& to) {
  for (const Item& item : made) {
    if (item.kind == Item::Statement) continue;
    to.push_back(item);
    if (item.kind == Item::Linear)
      write_linear(block, item.number);
    else
      write_nonlinear(block, item.number);
  }
  if (block.kind != BlockKind::Nonlinear) add_assignments(block, made, to);
}

// The tangents of some statements, as a function; "0" if there are none.
std::string StartTangents::write(const std::string& name, std::vector<Item> items, bool out, std::uint32_t clear) {
  const Routine routine = program_.arrange(std::move(items));
  if (!program_.has_tangent(routine)) {
    complete_ = false;
    return "0";
  }
  FunctionSpec spec{name, true, out, clear, Group::Seldom, out ? "" : "tangents at the start"};
  spec.start = true;
  program_.write_tangent(spec, routine);
  return name;
}

void StartTangents::write_linear(const Block& block, std::uint32_t number) {
  equations::ExprPool& pool = words_.pool;
  const auto n = static_cast<std::uint32_t>(block.tearing.size());
  std::vector<std::vector<Expr>> terms(n);
  for (std::uint32_t r = 0; r < n; ++r) terms[r].push_back(translate_(block.right[r]));
  for (const structure::Entry& e : block.matrix) {
    const Slot slot = words_.layout.slot_of(block.tearing[e.column]);
    const Expr x = pool.variable(code({LeafKind::Passive, slot}));
    terms[e.row].push_back(pool.neg(pool.mul(translate_(e.value), x)));
  }
  std::vector<Item> rows;
  for (std::uint32_t r = 0; r < n; ++r)
    rows.push_back({Item::Statement, Target::Out, r, pool.add(terms[r]), {}, {}, {}});
  linear_[number] = write("model_linear_" + std::to_string(number + 1) + "_start", std::move(rows), true, n);
}

void StartTangents::write_nonlinear(const Block& block, std::uint32_t number) {
  std::vector<Item> body;
  add_assignments(block, {}, body);
  const auto n = static_cast<std::uint32_t>(block.residuals.size());
  for (std::uint32_t k = 0; k < n; ++k)
    body.push_back({Item::Statement, Target::Out, k, translate_(block.residuals[k]), {}, {}, {}});
  nonlinear_[number] = write("model_nonlinear_" + std::to_string(number + 1) + "_start", std::move(body), true, n);
}

std::string StartTangents::finish(std::uint32_t linear, std::uint32_t nonlinear, std::string& tables) {
  std::vector<std::string> sampled, linear_rows, nonlinear_rows;
  for (std::size_t k = 0; k < samples.size(); ++k)
    sampled.push_back(write("model_sample_" + std::to_string(k + 1) + "_start", std::move(samples[k]), false, 0));
  std::vector<Item> delayed;
  for (std::uint32_t k = 0; k < words_.delays.size(); ++k)
    delayed.push_back({Item::Statement, Target::Out, k, translate_(words_.delays[k]->child(0)), {}, {}, {}});
  const auto delays = static_cast<std::uint32_t>(delayed.size());
  const std::string remembered = delays == 0 ? "0" : write("model_delayed_start", std::move(delayed), true, delays);
  const std::string first = write("model_parameters_start", std::move(parameters), false, 0),
                    second = write("model_initial_start", std::move(initial), false, 0);
  if (!complete_) return "0";
  for (std::uint32_t k = 0; k < linear; ++k) linear_rows.push_back(linear_.contains(k) ? linear_[k] : "0");
  for (std::uint32_t k = 0; k < nonlinear; ++k) nonlinear_rows.push_back(nonlinear_.contains(k) ? nonlinear_[k] : "0");
  const auto list = [&](const std::string& name, const std::vector<std::string>& rows, const char* arguments) {
    if (rows.empty()) return std::string("0");
    std::string text = "static int (*const " + name + "[])(" + arguments + ") = {";
    for (std::size_t k = 0; k < rows.size(); ++k) text += (k ? (k % 4 ? ", " : ",\n  ") : "") + rows[k];
    tables += text + "};\n";
    return name;
  };
  const std::string s = list("sample_start", sampled, "FmrData *"),
                    l = list("linear_start", linear_rows, "FmrData *, double *"),
                    r = list("nonlinear_start", nonlinear_rows, "FmrData *, double *");
  tables += "static const FmrStartTangents start_tangents = {" + first + ", " + second + ", " + s + ", " + remembered +
            ",\n  " + l + ", " + r + "};\n";
  return "&start_tangents";
}

}  // namespace fmugen::codegen
