// Problem: an axis is read easily if its ticks are round numbers and its labels short.
//
// Method: the distance of ticks is 1, 2 or 5 times a power of ten, whichever comes nearest to the number wanted. Labels
// have the decimals that this distance needs. Very large and very small numbers share a factor, a multiple of 10^3:
//
//   0 .. 0.93, 5 ticks    distance 0.2     0.0 0.2 0.4 0.6 0.8
//   0 .. 2.4E6, 4 ticks   distance 5E5     0.0 0.5 1.0 1.5 2.0   times 10^6
//
// Values that differ by rounding only are shown as a constant, with an axis as wide as their size.
#include "importer/results/axis.h"

#include <algorithm>
#include <cmath>

#include "importer/results/number_text.h"

namespace importer::results {

namespace {

constexpr double kRounding = 1e-9;    // of the size: less than this is no change worth showing
constexpr double kMargin = 0.06;      // of the height, above and below curves
constexpr double kLargePlain = 1e5;   // from here on labels get a factor
constexpr double kSmallPlain = 1e-3;  // and up to here
constexpr int kMostTicks = 50;
constexpr double kLargest = 1e300;  // so that differences stay finite

// 1, 2 or 5 times a power of ten.
double round_distance(double distance) {
  const double power = std::pow(10.0, std::floor(std::log10(distance)));
  const double digit = distance / power;
  return (digit < 1.5 ? 1.0 : digit < 3.5 ? 2.0 : digit < 7.5 ? 5.0 : 10.0) * power;
}

}  // namespace

Axis make_axis(double low, double high, int count, bool margin) {
  if (!std::isfinite(low)) low = 0.0;
  if (!std::isfinite(high)) high = low;
  low = std::clamp(low, -kLargest, kLargest);
  high = std::clamp(high, low, kLargest);
  const double size = std::max(std::abs(low), std::abs(high));
  if (high - low <= kRounding * size || size < 1e-290) {
    const double half = size < 1e-290 ? 1.0 : 0.5 * size;
    low -= half;
    high += half;
  } else if (margin) {
    const double more = kMargin * (high - low);
    low -= more;
    high += more;
  }
  Axis axis{low, high, 0, {}, {}};
  const double distance = round_distance((high - low) / std::max(count, 1));
  const double shown = std::max(std::abs(low), std::abs(high));  // numbers too small to be told apart are shown as zero
  if (shown >= kLargePlain || shown <= kSmallPlain)
    axis.exponent = 3 * static_cast<int>(std::floor(std::log10(shown) / 3.0));
  const double factor = std::pow(10.0, -axis.exponent);
  const int decimals = std::clamp(-static_cast<int>(std::floor(std::log10(distance * factor) + 1e-9)), 0, 12);
  const double first = std::ceil(low / distance - kRounding);
  for (int i = 0; i < kMostTicks; ++i) {
    const double tick = (first + i) * distance;
    if (tick > high + kRounding * distance) break;
    axis.ticks.push_back(tick);
    axis.labels.push_back(fixed_text(tick * factor, decimals));
  }
  return axis;
}

}  // namespace importer::results
