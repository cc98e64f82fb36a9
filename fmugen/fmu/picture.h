// model.png: the icon that tools show for an FMU.
#pragma once

#include <cstddef>
#include <string>

namespace fmugen::fmu {

struct Icon {
  std::string name;      // of the model; what does not fit is left out
  std::size_t left = 0;  // connections drawn at the left side, and at the right
  std::size_t right = 0;
};

// The bytes of a PNG file, 192 x 144.
std::string draw_icon(const Icon& icon);

}  // namespace fmugen::fmu
