// Expressions: immutable, hash-consed nodes. Two expressions built in one pool are the same value exactly when their
// pointers are equal, so results of passes can be memoised by node and equal subexpressions cost nothing.
//
// The constructors of ExprPool normalise lightly and locally: nested sums and products are flattened, numbers are
// folded (also 0*x, x**1, not true), like terms and equal factors that stand in one sum or product are collected at the
// place of the first. The order in which things were written is kept, so that a printed equation still looks like the
// model. `simplify` goes further (sorted operands, deeper rules).
//
// Sum:      add(2*x, -1*y, 3)         a difference is a sum with a term of coefficient -1
// Product:  mul(-1, x, pow(y, -1))    a quotient is a product with a power -1; a number comes first
//           mul(x, pow(3, -1))        x/3 stays a division: a numeric denominator comes last
//
// Nothing is distributed: 2*(a + b) and -(a + b) stay products, so a - (b + c) keeps its parentheses. Nothing is
// cancelled that could hide a division by zero: x/x and 1/(1/x) stay, x*x is x**2, x/y/y is x*y**(-2). A fold is made
// only if its result is a finite number (and not a zero by underflow): 1/0 and 1E300*1E300 stay as written.
// A sum or product of n operands is built in O(n) from one span; adding term by term copies the sum each time. Products
// of more than 64 factors are not flattened into others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace fmugen::equations {

enum class VarId : std::uint32_t {};
inline std::uint32_t index(VarId v) { return static_cast<std::uint32_t>(v); }

enum class Op : std::uint8_t {
  Number,        // number()
  Boolean,       // boolean()
  Variable,      // variable()
  Time,
  Add,           // two or more
  Mul,           // two or more
  Pow,           // base, exponent
  Call,          // function(): one of Function, with its arguments
  UserCall,      // callee(), result(): function or external function of the model, with its arguments
  TableCall,     // callee(): table of the model, with its arguments
  Der,           // one: time derivative (of a variable once a model is flat)
  Pre,           // one variable: value just before the event
  New,           // one variable: value at the next sampling instant
  Delay,         // expression, delay [, largest delay]
  NoEvent,       // one
  If,            // condition, then, else
  Less, LessEqual, Equal, Unequal,  // left, right ("greater" is built with sides exchanged)
  And, Or,       // two or more
  Not            // one
};

enum class Function : std::uint8_t {
  Sqrt, Exp, Ln, Log10, Sin, Cos, Tan, Asin, Acos, Atan, Atan2, Sinh, Cosh, Tanh,
  Abs, Sign, Int, Mod, Min, Max, Floor, Ceil
};
std::string_view name(Function f);                     // "sqrt"
bool function_named(std::string_view text, Function& f);  // "log" is Log10, as in SIMNON
int arity(Function f);                                 // -1: two or more (min, max)

class Node;
using Expr = const Node*;  // never null in a finished expression

class Node {
 public:
  Op op() const { return op_; }
  double number() const { return op_ == Op::Number ? number_ : 0; }
  bool boolean() const { return op_ == Op::Boolean && extra_ != 0; }
  VarId variable() const { return static_cast<VarId>(extra_); }
  Function function() const { return static_cast<Function>(extra_); }
  std::uint32_t callee() const { return extra_ & 0xffffff; }
  std::uint32_t result() const { return extra_ >> 24; }
  std::span<const Expr> children() const { return {operands(), count_}; }
  Expr child(std::size_t i) const { return operands()[i]; }
  std::size_t size() const { return count_; }
  std::uint32_t id() const { return id_; }             // order of creation: deterministic
  bool has_der() const { return flags_ & kHasDer; }
  bool has_variable() const { return flags_ & kHasVariable; }
  bool has_time() const { return flags_ & kHasTime; }
  bool may_contain(VarId v) const { return op_ != Op::Number && (variables_ & signature(v)) != 0; }  // false: does not
  bool is_number() const { return op_ == Op::Number; }
  bool is_number(double value) const { return op_ == Op::Number && number_ == value; }

 private:
  friend class ExprPool;
  static constexpr std::uint8_t kHasDer = 1, kHasVariable = 2, kHasTime = 4;
  static std::uint64_t signature(VarId v) { return std::uint64_t{1} << (index(v) * 0x9e3779b9u >> 26); }
  const Expr* operands() const { return reinterpret_cast<const Expr*>(this + 1); }  // they follow the node in the arena

  Op op_ = Op::Number;
  std::uint8_t flags_ = 0;
  std::uint32_t count_ = 0;
  std::uint32_t id_ = 0;
  std::uint32_t extra_ = 0;
  union {
    double number_ = 0;        // Number
    std::uint64_t variables_;  // others: one bit for each of 64 classes of variables that occur below
  };
};

class ExprPool {
 public:
  ExprPool();
  ~ExprPool();
  ExprPool(ExprPool&&) noexcept;
  ExprPool& operator=(ExprPool&&) noexcept;

  Expr number(double value);
  Expr boolean(bool value);
  Expr variable(VarId id);
  Expr time();
  Expr add(std::span<const Expr> terms);
  Expr add(Expr a, Expr b);
  Expr sub(Expr a, Expr b);
  Expr neg(Expr a);
  Expr mul(std::span<const Expr> factors);
  Expr mul(Expr a, Expr b);
  Expr div(Expr a, Expr b);
  Expr reciprocal(Expr a);  // 1/a, to be a factor of mul: of a number it is folded there, and x/3 stays a division
  Expr pow(Expr base, Expr exponent);
  Expr call(Function f, std::span<const Expr> arguments);
  Expr call(Function f, Expr argument);
  Expr user_call(std::uint32_t function, std::uint32_t result, std::span<const Expr> arguments);
  Expr table_call(std::uint32_t table, std::span<const Expr> arguments);
  Expr der(Expr a);       // der of a number is 0; der of a sum, product, ... stays: see total_derivative
  Expr pre(Expr variable);
  Expr next(Expr variable);  // New
  Expr delay(std::span<const Expr> arguments);  // by 0: the expression itself
  Expr no_event(Expr a);
  Expr if_then_else(Expr condition, Expr then_value, Expr else_value);
  Expr relation(Op op, Expr a, Expr b);  // Less, LessEqual, Equal, Unequal
  Expr logical(Op op, std::span<const Expr> operands);  // And, Or
  Expr negation(Expr a);  // Not

  // The same operation on other children, normalised again: how passes rebuild a node.
  Expr rebuild(Expr e, std::span<const Expr> children);

  std::size_t nodes() const;  // ids are 0 ... nodes() - 1
  std::size_t bytes() const;

 private:
  struct Store;
  std::unique_ptr<Store> store_;
};

}  // namespace fmugen::equations
