// Private to ExprPool: where nodes live and how an existing one is found.
//
// Arena. Nodes never move and are freed together. Memory comes in pages of 1 MiB; a node larger than a page gets
// several neighbouring pages. A node's place is its word number, 32 bits wide (32 GiB in all), so that a slot of the
// table needs only 8 bytes:
//
//   slots_  [hash | place] [0 | 0] [hash | place] ...      open addressing, linear probing, at most 70 % full
//              |
//   pages_  [0] [1] [2] ...   page = place / words per page
//              |
//           ... | op flags count id extra number-or-signature | child child ... | next node ...
//
// A probe compares the stored hash first, so that a lookup that fails touches no node, and growing the table touches
// none either. Children are hashed by address: equal children are equal pointers. Variables are found by their number.
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "fmugen/equations/expr.h"

namespace fmugen::equations {

inline std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15u;  // 2**64 divided by the golden ratio: spreads neighbouring values
  return hash ^ hash >> 32;
}

inline std::uint32_t hash_operands(std::uint64_t seed, std::span<const Expr> operands) {
  std::uint64_t hash = seed;
  for (const Expr e : operands) hash = mix(hash, reinterpret_cast<std::uintptr_t>(e));
  return static_cast<std::uint32_t>(hash * 0x9e3779b97f4a7c15u >> 32);
}

// Numbers the different entries of a list 0, 1, 2, ... in order of first appearance. Short lists are scanned, long ones
// hashed, so the cost stays linear.
class FirstPlaces {
 public:
  static constexpr std::size_t kShort = 12;

  void start(std::size_t at_most) {
    hashes_.clear();
    table_.clear();
    if (at_most > kShort) table_.assign(std::bit_ceil(2 * at_most), kNone);
  }

  // The place of the first entry with this hash for which same(place) holds, else a new place.
  template <class Same>
  std::uint32_t place(std::uint32_t hash, Same same) {
    const auto fresh = static_cast<std::uint32_t>(hashes_.size());
    if (table_.empty()) {
      for (std::uint32_t i = 0; i < fresh; ++i)
        if (hashes_[i] == hash && same(i)) return i;
    } else {
      const std::size_t mask = table_.size() - 1;
      std::size_t slot = hash & mask;
      for (; table_[slot] != kNone; slot = (slot + 1) & mask)
        if (hashes_[table_[slot]] == hash && same(table_[slot])) return table_[slot];
      table_[slot] = fresh;
    }
    hashes_.push_back(hash);
    return fresh;
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;
  std::vector<std::uint32_t> hashes_, table_;
};

struct ExprPool::Store {
  Store();

  Expr intern(Op op, std::uint32_t extra, std::span<const Expr> children);
  Expr intern_number(double value);
  Expr number(double value) {  // -1, 0, 1, ... are asked for all the time
    if (!(value >= kSmallest && value < kSmallest + kSmall)) return intern_number(value);
    const int whole = static_cast<int>(value);
    return whole == value ? small_[whole - kSmallest] : intern_number(value);
  }
  Expr intern_variable(VarId id);

  struct Term {  // coefficient * product of the rest; a number has no rest
    double coefficient;
    Expr whole;        // as given; null once terms were joined
    Expr single;       // the rest if it is one expression,
    const Expr* tail;  // otherwise its factors, inside a product
    std::uint32_t count;
    std::span<const Expr> rest() const { return {count == 1 ? &single : tail, count}; }
  };
  struct Factor {  // base ** exponent
    Expr base;
    double exponent;
    Expr whole;  // as given; null once factors were joined
  };

  // Working storage of add, mul and logical, kept to save allocations. mul and pow may be called from add, not add
  // from mul.
  std::vector<Term> terms;
  std::vector<Expr> sum, scaled;
  std::vector<Factor> factors;
  std::vector<Expr> product, operands;
  FirstPlaces places;

  Expr time, yes, no;
  std::uint32_t nodes = 0;
  std::size_t bytes() const;

 private:
  struct Slot {
    std::uint32_t hash;
    std::uint32_t place;  // 0: empty
  };
  static constexpr std::uint32_t kPageBits = 17;  // words in a page
  static constexpr std::uint32_t kPageWords = 1u << kPageBits;

  static constexpr int kSmallest = -2, kSmall = 12;

  Node* at(std::uint32_t place) const;
  std::uint32_t allocate(std::size_t words);
  Expr create(Op op, std::uint32_t extra, std::span<const Expr> children, std::uint32_t& place);
  template <class Same, class Create>
  Expr find(std::uint32_t hash, Same same, Create create_node);
  void grow();

  std::vector<std::unique_ptr<std::uint64_t[]>> blocks_;
  std::vector<std::uint64_t*> pages_;
  std::uint64_t next_ = 0;  // first free word
  std::vector<Slot> slots_;
  std::size_t used_ = 0;
  std::vector<Expr> variables_;
  Expr small_[kSmall];
};

}  // namespace fmugen::equations
