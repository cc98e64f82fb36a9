// Which expressions differ only in their leaves: they can share the code of one loop.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "fmugen/codegen/translate.h"

namespace fmugen::codegen {

// Numbers shapes. Two expressions have the same shape if one becomes the other by exchanging leaves one for one, with
// leaves of the same kind; tables and delays count as leaves, numbers do not.
class Shapes {
 public:
  explicit Shapes(const Vocabulary& words) : words_(words) {}

  // The shape of e; its leaves, in the order that makes those of equal shapes correspond, are appended.
  std::uint32_t shape(Expr e, std::vector<Leaf>& leaves);
  std::size_t size() const { return numbers_.size(); }

 private:
  void describe(Expr e, std::vector<Leaf>& leaves, std::size_t first);
  void describe_number(Leaf leaf, std::vector<Leaf>& leaves, std::size_t first);
  void put(std::uint32_t value);

  const Vocabulary& words_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::string key_;
  std::vector<std::uint32_t> walk_, number_;  // by node: the walk that saw it last, its number there
  std::uint32_t walks_ = 0, count_ = 0;
};

}  // namespace fmugen::codegen
