// From lists of statements to C functions: loops over tables for what repeats, plain statements for the rest.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "fmugen/codegen/c_expression.h"
#include "fmugen/codegen/files.h"
#include "fmugen/codegen/shapes.h"

namespace fmugen::codegen {

enum class Target : std::uint8_t {
  Value,    // v[number] = value
  Out,      // out[number] = value; out is an argument of the function
  Subtract  // out[number] -= value
};

struct Item {  // a statement, or a loop of equations to be solved where it stands
  enum Kind : std::uint8_t { Statement, Linear, Nonlinear } kind = Statement;
  Target target = Target::Value;
  std::uint32_t number = 0;  // slot, index, or number of the block
  Expr value = nullptr;      // translated
  Origin origin = {};
  std::vector<Slot> reads, writes;  // of a block
};

struct Step {  // of a routine
  enum Kind : std::uint8_t { Run, Plain, Linear, Nonlinear } kind = Plain;
  std::uint32_t number = 0;           // of the kernel or block
  std::uint32_t first = 0, last = 0;  // Run: rows of the kernel's table; Plain: places in `plain`
};

struct Routine {
  std::vector<Item> items;
  std::vector<Step> steps;
  std::vector<std::uint32_t> plain;  // items written one by one, in order
};

struct FunctionSpec {
  std::string name;
  bool fails = false;       // int NAME(...), else void
  bool out = false;         // NAME(FmrData *m, double *out), else NAME(FmrData *m)
  std::uint32_t clear = 0;  // so many elements of out are set to zero first
  Group group = Group::Equations;
  std::string comment = {};
  bool start = false;       // tangents at the start, where parameters have some: start_tangents.h
};

class Program {
 public:
  Program(Vocabulary& words, const EquationTexts& texts, Files& files);

  // Sorts items by what they need of each other, equal shapes together.
  Routine arrange(std::vector<Item> items);

  // Whether every statement of it has a tangent (blocks are asked elsewhere).
  bool has_tangent(const Routine& routine);

  // Writes a function that computes a routine, or its tangents.
  void write(const FunctionSpec& spec, const Routine& routine) { write_function(spec, routine, false); }
  void write_tangent(const FunctionSpec& spec, const Routine& routine) { write_function(spec, routine, true); }

  std::size_t kernels() const { return kernels_.size(); }

  // After the last function: the kernels.
  void finish();

 private:
  struct Kernel {
    std::uint32_t shape = 0;
    Target target = Target::Value;
    Expr value = nullptr;  // of the first statement, whose leaves stand for all
    std::vector<Leaf> leaves;
    Origin origin;
    std::vector<std::uint32_t> rows;  // target, leaves of each statement
    bool value_wanted = false, tangent_wanted = false;
  };
  struct Body;

  std::uint32_t kernel_of(const Item& item, std::uint32_t shape, const std::vector<Leaf>& leaves);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> find_dependences(const std::vector<Item>& items,
                                                                        const std::vector<Leaf>& leaves,
                                                                        const std::vector<std::uint32_t>& start);
  bool leaves_gaps(const Routine& routine);
  void write_function(const FunctionSpec& spec, const Routine& routine, bool tangent);
  void write_body(const FunctionSpec& spec, const Routine& routine, std::size_t first, std::size_t last, bool tangent,
                  bool inlined);
  std::string write_chunk(const FunctionSpec& spec, const Routine& routine, std::uint32_t first, std::uint32_t last,
                          bool tangent);
  void write_plain(Body& body, const Routine& routine, std::uint32_t first, std::uint32_t last, bool tangent);
  void write_runs(Body& body, const std::vector<Step>& runs, bool tangent);
  std::string call_run(const Step& step, bool tangent);
  void write_kernel(std::uint32_t number);
  std::string kernel_loop(const Kernel& kernel, std::uint32_t number, bool tangent,
                          const std::vector<std::string>& column, bool table, const char* type, std::size_t width);
  std::string function_text(const FunctionSpec& spec, const Body& body);
  Expr expression(Expr value, bool tangent) { return tangent ? words_.tangent(value) : value; }

  Vocabulary& words_;
  const EquationTexts& texts_;
  Files& files_;
  Shapes shapes_;
  std::vector<Kernel> kernels_;
  std::vector<std::vector<std::uint32_t>> kernel_of_shape_;  // by shape, by target: number or kNone
  std::vector<std::uint32_t> writer_;                        // by slot, while a routine is arranged
  std::uint32_t chunks_ = 0;
};

}  // namespace fmugen::codegen
