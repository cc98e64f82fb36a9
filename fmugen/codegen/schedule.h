// An order of computation in which things of one kind stand together.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace fmugen::codegen {

// Classes of items. Others, kFirstKernel and up, are kernels: the fewer changes between them, the better.
constexpr std::uint32_t kPlain = 0, kSolve = 1, kFirstKernel = 2;

// Orders items such that each comes after those it depends on; `dependences` are pairs of an item and one that needs
// it, without cycles (std::logic_error otherwise). Among the items that may come next, plain ones and blocks are taken
// first, in their given order; then all that can be of the kernel for which most are waiting.
std::vector<std::uint32_t> schedule(const std::vector<std::uint32_t>& classes,
                                    const std::vector<std::pair<std::uint32_t, std::uint32_t>>& dependences);

}  // namespace fmugen::codegen
