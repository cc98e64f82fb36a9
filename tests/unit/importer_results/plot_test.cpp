#include <catch2/catch.hpp>
#include <cmath>

#include "importer/results/plot.h"

using namespace importer::results;

namespace {

using Panes = std::vector<std::vector<std::size_t>>;

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("curves of one unit and of similar size share a pane") {
  Plot plot{"", {0, 1}, {}};
  plot.curves = {{"U1", "V", "", false, {0, 5}},   {"I", "A", "", false, {0, 5}}, {"U2", "V", "", false, {1, 2}},
                 {"U3", "V", "", false, {0, 1e4}}, {"on", "", "", true, {0, 1}},  {"x", "", "", false, {0, 1}},
                 {"zero", "V", "", false, {0, 0}}};
  CHECK(panes_of(plot) == Panes{{0, 2, 6}, {1}, {3}, {4}, {5}});
}

TEST_CASE("a pane holds eight curves") {
  Plot plot{"", {0, 1}, std::vector<Curve>(9, {"x", "", "", false, {0, 1}})};
  CHECK(panes_of(plot) == Panes{{0, 1, 2, 3, 4, 5, 6, 7}, {8}});
}

TEST_CASE("a picture names its curves, units and axes") {
  const std::string picture = svg({"a < b", {0, 5, 10}, {{"tank.h", "m", "level & more", false, {0, 1, 3}}}});
  CHECK(has(picture, ">a &lt; b</text>"));
  CHECK(has(picture, ">tank.h</text>"));
  CHECK(has(picture, "<title>tank.h: level &amp; more</title>"));
  CHECK(has(picture, ">[m]</text>"));
  CHECK(has(picture, ">time [s]</text>"));
  CHECK(has(picture, ">10</text>"));
}

TEST_CASE("steps are drawn as steps and gaps as gaps") {
  const double nan = std::nan("");
  const std::string steps = svg({"", {0, 10}, {{"n", "", "", true, {0, 1}}}});
  const std::string d = steps.substr(steps.find(" d=\"M") + 4);
  const std::string path = d.substr(0, d.find('"', 1));
  CHECK(std::count(path.begin(), path.end(), 'L') == 2);
  const std::string gap = svg({"", {0, 1, 2, 3, 4}, {{"x", "", "", false, {0, 1, nan, 1, 2}}}});
  const std::string e = gap.substr(gap.find(" d=\"M") + 4);
  const std::string parts = e.substr(0, e.find('"', 1));
  CHECK(std::count(parts.begin(), parts.end(), 'M') == 2);
}

TEST_CASE("many points make no large picture and keep their extremes") {
  Plot plot{"", {}, {{"x", "", "", false, {}}}};
  for (int i = 0; i < 300'000; ++i) {
    plot.times.push_back(i);
    plot.curves[0].values.push_back(i == 150'001 ? 1.0 : 0.0);
  }
  const std::string picture = svg(plot);
  CHECK(picture.size() < 100'000);
  CHECK(has(picture, "L"));
  const std::string peak = svg({"", {0, 1}, {{"x", "", "", false, {0, 1}}}});
  const std::string y = peak.substr(peak.find('L', peak.find(" d=\"M")));
  const std::string height = y.substr(y.find(' '), y.find('"') - y.find(' '));
  CHECK(has(picture, height));  // the single peak reaches as high as a curve that ends there
}

TEST_CASE("a plot of nothing is a picture") {
  CHECK(has(svg({"", {}, {}}), "</svg>"));
  CHECK(has(svg({"", {1}, {{"x", "", "", false, {2}}}}), "</svg>"));
}
