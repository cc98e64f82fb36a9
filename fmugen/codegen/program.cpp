// Arranges statements and writes functions.
//
// Statements of one shape, four or more of them, become a kernel: one loop over a table of the places it reads and
// writes. All routines share a kernel, each has its rows. What is left is written out, up to a hundred statements in a
// function, so that no compiler chokes on it. A routine of few statements contains them; a longer one calls chunks:
//
//   int model_dynamic(FmrData *m) {
//     model_kernel_1(m, 0, 500);                               500 times C.C*der(C.v) = C.i
//     model_chunk_1(m);
//     if (fmr_solve_linear(m, &model_linear_1)) return 1;
//     return 0;
//   }
#include "fmugen/codegen/program.h"

#include <algorithm>
#include <set>

#include "fmugen/codegen/c_text.h"
#include "fmugen/codegen/schedule.h"

namespace fmugen::codegen {

using structure::kNone;

namespace {

constexpr std::uint32_t kRepetitions = 4;  // statements of one shape that make a kernel
constexpr std::uint32_t kChunk = 100;      // statements in a function
constexpr std::size_t kSteps = 400;        // steps in a function
constexpr std::size_t kFewRuns = 8;        // more calls of kernels in a row are made by a loop over a table
constexpr std::size_t kTargets = 3;

bool reads_slot(const Leaf& leaf) { return leaf.kind == LeafKind::Value || leaf.kind == LeafKind::Passive; }

}  // namespace

Program::Program(Vocabulary& words, const EquationTexts& texts, Files& files)
    : words_(words), texts_(texts), files_(files), shapes_(words), writer_(words.layout.slots, kNone) {}

// ---- arranging ------------------------------------------------------------------------------------------------------

std::uint32_t Program::kernel_of(const Item& item, std::uint32_t shape, const std::vector<Leaf>& leaves) {
  if (kernel_of_shape_.size() <= shape) kernel_of_shape_.resize(shape + 1);
  auto& by_target = kernel_of_shape_[shape];
  if (by_target.empty()) by_target.assign(kTargets, kNone);
  std::uint32_t& number = by_target[static_cast<std::size_t>(item.target)];
  if (number == kNone) {
    number = static_cast<std::uint32_t>(kernels_.size());
    kernels_.push_back({shape, item.target, item.value, leaves, item.origin, {}, false, false});
  }
  return number;
}

// Pairs of an item and one that reads what it writes. `start`: by item, where its leaves begin.
std::vector<std::pair<std::uint32_t, std::uint32_t>> Program::find_dependences(
    const std::vector<Item>& items, const std::vector<Leaf>& leaves, const std::vector<std::uint32_t>& start) {
  const auto n = static_cast<std::uint32_t>(items.size());
  std::vector<std::pair<std::uint32_t, std::uint32_t>> dependences;
  for (std::uint32_t k = 0; k < n; ++k) {
    if (items[k].kind == Item::Statement && items[k].target == Target::Value) writer_[items[k].number] = k;
    for (const Slot slot : items[k].writes) writer_[slot] = k;
  }
  const auto needs = [&](std::uint32_t k, Slot slot) {
    if (slot >= writer_.size()) return;  // a delayed value
    if (const std::uint32_t other = writer_[slot]; other != kNone && other != k) dependences.emplace_back(other, k);
  };
  for (std::uint32_t k = 0; k < n; ++k) {
    for (std::uint32_t j = start[k]; j < start[k + 1]; ++j)
      if (reads_slot(leaves[j])) needs(k, leaves[j].number);
    for (const Slot slot : items[k].reads) needs(k, slot);
  }
  for (std::uint32_t k = 0; k < n; ++k) {
    if (items[k].kind == Item::Statement && items[k].target == Target::Value) writer_[items[k].number] = kNone;
    for (const Slot slot : items[k].writes) writer_[slot] = kNone;
  }
  return dependences;
}

Routine Program::arrange(std::vector<Item> items) {
  const auto n = static_cast<std::uint32_t>(items.size());
  std::vector<std::uint32_t> shape(n, kNone), start(n + 1, 0), count;
  std::vector<Leaf> leaves;
  for (std::uint32_t k = 0; k < n; ++k) {
    start[k] = static_cast<std::uint32_t>(leaves.size());
    if (items[k].kind != Item::Statement) continue;
    shape[k] = shapes_.shape(items[k].value, leaves) * kTargets + static_cast<std::uint32_t>(items[k].target);
    if (count.size() <= shape[k]) count.resize(shape[k] + 1, 0);
    ++count[shape[k]];
  }
  start[n] = static_cast<std::uint32_t>(leaves.size());

  std::vector<std::uint32_t> classes(n, kPlain);
  for (std::uint32_t k = 0; k < n; ++k) {
    if (items[k].kind != Item::Statement)
      classes[k] = kSolve;
    else if (count[shape[k]] >= kRepetitions)
      classes[k] = kFirstKernel +
                   kernel_of(items[k], shape[k] / kTargets, {leaves.begin() + start[k], leaves.begin() + start[k + 1]});
  }

  Routine routine;
  for (const std::uint32_t k : schedule(classes, find_dependences(items, leaves, start))) {
    if (classes[k] == kSolve) {
      routine.steps.push_back({items[k].kind == Item::Linear ? Step::Linear : Step::Nonlinear, items[k].number, 0, 0});
      continue;
    }
    const bool plain = classes[k] == kPlain;
    const std::uint32_t kernel = plain ? 0 : classes[k] - kFirstKernel;
    const Step::Kind kind = plain ? Step::Plain : Step::Run;
    const auto place =
        plain ? static_cast<std::uint32_t>(routine.plain.size())
              : static_cast<std::uint32_t>(kernels_[kernel].rows.size() / (kernels_[kernel].leaves.size() + 1));
    if (routine.steps.empty() || routine.steps.back().kind != kind || routine.steps.back().number != kernel)
      routine.steps.push_back({kind, kernel, place, place});
    ++routine.steps.back().last;
    if (plain) {
      routine.plain.push_back(k);
      continue;
    }
    kernels_[kernel].rows.push_back(items[k].number);
    for (std::uint32_t j = start[k]; j < start[k + 1]; ++j) kernels_[kernel].rows.push_back(leaves[j].number);
  }
  routine.items = std::move(items);
  return routine;
}

bool Program::has_tangent(const Routine& routine) {
  for (const std::uint32_t k : routine.plain)
    if (!words_.tangent(routine.items[k].value)) return false;
  for (const Step& step : routine.steps)
    if (step.kind == Step::Run && !words_.tangent(kernels_[step.number].value)) return false;
  return true;
}

// Whether the tangent of something that goes to `out` is zero, so that nothing is written there.
bool Program::leaves_gaps(const Routine& routine) {
  const auto is_gap = [&](Target target, Expr value) {
    return target != Target::Value && words_.tangent(value)->is_number(0);
  };
  return std::any_of(routine.plain.begin(), routine.plain.end(),
                     [&](std::uint32_t k) { return is_gap(routine.items[k].target, routine.items[k].value); }) ||
         std::any_of(routine.steps.begin(), routine.steps.end(), [&](const Step& step) {
           return step.kind == Step::Run && is_gap(kernels_[step.number].target, kernels_[step.number].value);
         });
}

// ---- functions ------------------------------------------------------------------------------------------------------

// The body of a function, and which of the variables that stand at its beginning it uses.
struct Program::Body {
  Body(const Vocabulary& words, bool in_tangent)
      : model(words.plan.system.model),
        layout(words.layout),
        tangent(in_tangent),
        writer(words, [this](Leaf leaf) { return text(leaf); }) {
    reserve_functions(names, model);
  }

  std::string text(Leaf leaf) {
    switch (leaf.kind) {
      case LeafKind::Value:
      case LeafKind::Passive: uses_v = true; return "v[" + name(leaf.number) + "]";
      case LeafKind::Tangent: uses_d = true; return "d[" + name(leaf.number) + "]";
      case LeafKind::Held: uses_m = true; return "m->held[" + std::to_string(leaf.number) + "]";
      case LeafKind::Pre: uses_m = true; return "m->pre[" + std::to_string(leaf.number) + "]";
      case LeafKind::Late: uses_m = true; return "m->late";
      case LeafKind::Local: return "x" + std::to_string(leaf.number);
      case LeafKind::Table:
      case LeafKind::Delay: uses_m = true; return std::to_string(leaf.number);
    }
    return "";
  }
  const std::string& name(Slot slot) {
    slots.insert(slot);
    return names.name(slot, slot == 0                         ? "time"
                            : slot >= layout.slots            ? "delay_" + std::to_string(slot - layout.slots + 1)
                            : slot < layout.first_condition() ? model.name_of(layout.variable[slot])
                                                              : "condition_" + std::to_string(slot));
  }
  void line(const std::string& text_of_line) { text_lines += "  " + text_of_line + "\n"; }

  const equations::FlatModel& model;
  const MemoryLayout& layout;
  bool tangent, uses_v = false, uses_d = false, uses_m = false;
  std::string text_lines;
  std::set<Slot> slots;
  CNames names;
  CWriter writer;
};

std::string Program::function_text(const FunctionSpec& spec, const Body& body) {
  std::string out;
  if (!spec.comment.empty()) out += c_comment(spec.comment) + "\n";
  out += std::string(spec.fails ? "int " : "void ") + spec.name + "(FmrData *m" + (spec.out ? ", double *out)" : ")");
  files_.declare(out.substr(out.rfind(spec.fails ? "int " : "void ")) + ";\n");
  out += " {\n";
  if (!body.slots.empty()) {
    std::string names = "  enum {";
    std::size_t line = names.size();
    const char* separator = "";
    for (const Slot slot : body.slots) {
      const std::string one = const_cast<CNames&>(body.names).name(slot, "") + " = " + std::to_string(slot);
      names += separator;
      line += one.size() + 2;
      names += line > 116 ? "\n    " : " ";
      if (line > 116) line = 4 + one.size();
      names += one;
      separator = ",";
    }
    out += names + " };\n";
  }
  if (body.uses_v) out += "  double *const v = m->v;\n";
  if (body.uses_d) out += "  double *const d = m->d;\n";
  if (!body.uses_v && !body.uses_d && !body.uses_m) out += "  (void)m;\n";
  if (spec.clear > 0)
    out += "  for (unsigned n = 0; n < " + std::to_string(spec.clear) + "; ++n) out[n] = 0;\n";
  else if (spec.out && body.text_lines.find("out") == std::string::npos)
    out += "  (void)out;\n";
  out += body.text_lines;
  if (spec.fails) out += "  return 0;\n";
  return out + "}\n";
}

void Program::write_function(const FunctionSpec& asked, const Routine& routine, bool tangent) {
  FunctionSpec spec = asked;
  if (tangent && !leaves_gaps(routine)) spec.clear = 0;
  const bool inlined = routine.plain.size() <= kChunk;
  if (routine.steps.size() <= kSteps) return write_body(spec, routine, 0, routine.steps.size(), tangent, inlined);
  // Runs of kernels are written as tables, so what counts are the other steps.
  std::vector<std::size_t> ends;
  std::size_t others = 0;
  for (std::size_t s = 0; s < routine.steps.size(); ++s) {
    if (routine.steps[s].kind != Step::Run && ++others % kSteps == 0) ends.push_back(s + 1);
  }
  if (ends.empty()) return write_body(spec, routine, 0, routine.steps.size(), tangent, inlined);
  if (ends.back() != routine.steps.size()) ends.push_back(routine.steps.size());
  Body body(words_, tangent);
  body.uses_m = true;
  std::size_t first = 0;
  for (std::size_t part = 0; part < ends.size(); ++part) {
    FunctionSpec sub = spec;
    sub.name += "_part_" + std::to_string(part + 1);
    sub.fails = true;
    sub.clear = 0;
    write_body(sub, routine, first, ends[part], tangent, inlined);
    body.line("if (" + sub.name + (spec.out ? "(m, out)) return" : "(m)) return") + (spec.fails ? " 1;" : ";"));
    first = ends[part];
  }
  files_.add(spec.group, function_text(spec, body), ends.size());
}

void Program::write_body(const FunctionSpec& spec, const Routine& routine, std::size_t first, std::size_t last,
                         bool tangent, bool inlined) {
  Body body(words_, tangent);
  if (inlined) {
    std::vector<Expr> expected;
    for (std::size_t s = first; s < last; ++s)
      for (std::uint32_t k = routine.steps[s].first; routine.steps[s].kind == Step::Plain && k < routine.steps[s].last;
           ++k)
        expected.push_back(expression(routine.items[routine.plain[k]].value, tangent));
    body.writer.expect(expected);
  }
  std::vector<Step> runs;
  const auto flush = [&] {
    write_runs(body, runs, tangent);
    runs.clear();
  };
  for (std::size_t s = first; s < last; ++s) {
    const Step& step = routine.steps[s];
    if (step.kind == Step::Run) {
      runs.push_back(step);
      continue;
    }
    flush();
    if (step.kind == Step::Plain && inlined) {
      write_plain(body, routine, step.first, step.last, tangent);
    } else if (step.kind == Step::Plain) {
      for (std::uint32_t k = step.first; k < step.last; k += kChunk)
        body.line(write_chunk(spec, routine, k, std::min(k + kChunk, step.last), tangent));
      body.uses_m = true;
    } else {
      const std::string kind = step.kind == Step::Linear ? "linear" : "nonlinear";
      body.line("if (fmr_" + std::string(spec.start ? "start_tangent_" : tangent ? "tangent_" : "solve_") + kind + "(m, &model_" + kind + "_" +
                std::to_string(step.number + 1) + ")) return" + (spec.fails ? " 1;" : ";"));
      body.uses_m = true;
    }
  }
  flush();
  files_.add(spec.group, function_text(spec, body), inlined ? routine.plain.size() + last - first : last - first);
}

std::string Program::write_chunk(const FunctionSpec& spec, const Routine& routine, std::uint32_t first,
                                 std::uint32_t last, bool tangent) {
  Body body(words_, tangent);
  std::vector<Expr> expected;
  for (std::uint32_t k = first; k < last; ++k)
    expected.push_back(expression(routine.items[routine.plain[k]].value, tangent));
  body.writer.expect(expected);
  write_plain(body, routine, first, last, tangent);
  FunctionSpec chunk;
  chunk.name = "model_chunk_" + std::to_string(++chunks_);
  chunk.out = spec.out;
  files_.add(spec.group, function_text(chunk, body), last - first);
  return chunk.name + (spec.out ? "(m, out);" : "(m);");
}

void Program::write_plain(Body& body, const Routine& routine, std::uint32_t first, std::uint32_t last, bool tangent) {
  for (std::uint32_t k = first; k < last; ++k) {
    const Item& item = routine.items[routine.plain[k]];
    const Expr value = expression(item.value, tangent);
    if (tangent && value->is_number(0)) continue;
    if (item.origin.known()) body.line(c_comment(texts_.text(item.origin)));
    std::string target = "out[" + std::to_string(item.number) + "]";
    if (item.target == Target::Value) {
      target = (tangent ? "d[" : "v[") + body.name(item.number) + "]";
      (tangent ? body.uses_d : body.uses_v) = true;
    }
    const std::string text = body.writer.write(value, body.text_lines);
    body.line(target + (item.target == Target::Subtract ? " -= " : " = ") + text + ";");
  }
}

std::string Program::call_run(const Step& step, bool tangent) {
  const bool out = kernels_[step.number].target != Target::Value;
  return "model_kernel_" + std::to_string(step.number + 1) + (tangent ? "_tangent" : "") +
         (out ? "(m, out, " : "(m, ") + std::to_string(step.first) + ", " + std::to_string(step.last) + ");";
}

// Calls of kernels: one by one, or many from a table.
void Program::write_runs(Body& body, const std::vector<Step>& runs, bool tangent) {
  std::vector<Step> table, direct;
  for (const Step& step : runs) {
    if (tangent) {
      if (words_.tangent(kernels_[step.number].value)->is_number(0)) continue;
      kernels_[step.number].tangent_wanted = true;
    }
    if (!tangent) kernels_[step.number].value_wanted = true;
    const bool listed = runs.size() > kFewRuns && kernels_[step.number].target == Target::Value;
    (listed ? table : direct).push_back(step);
  }
  // What goes to `out` reads values and is read by nobody, so it may come last.
  if (!table.empty()) {
    std::vector<std::uint32_t> used;
    for (const Step& step : table) used.push_back(step.number);
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
    std::vector<std::uint32_t> rows;
    for (const Step& step : table) {
      rows.push_back(
          static_cast<std::uint32_t>(std::lower_bound(used.begin(), used.end(), step.number) - used.begin()));
      rows.push_back(step.first);
      rows.push_back(step.last);
    }
    std::string kernels;
    for (const std::uint32_t number : used)
      kernels +=
          (kernels.empty() ? "" : ", ") + ("model_kernel_" + std::to_string(number + 1)) + (tangent ? "_tangent" : "");
    body.line("{");
    body.line("  static void (*const kernels[])(FmrData *, unsigned, unsigned) = {" + kernels + "};");
    body.text_lines += "    " + c_table("run", rows);
    body.line("  for (unsigned n = 0; n < " + std::to_string(rows.size()) +
              "; n += 3) kernels[run[n]](m, run[n + 1], run[n + 2]);");
    body.line("}");
  }
  for (const Step& step : direct) body.line(call_run(step, tangent));
  if (!runs.empty()) body.uses_m = true;
}

}  // namespace fmugen::codegen
