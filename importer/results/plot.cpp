// Problem: a run of some ten variables and a hundred thousand points is to be seen at a glance.
//
// Method: curves of one unit and of similar size share a pane; panes stand one above the other with a common axis of
// time below the last. Within one pixel of width only the first, lowest, highest and last point of a curve are drawn,
// which looks the same and bounds the size of the picture:
//
//   title
//   [V]   | curve   curve     legend: name and colour
//   [A]   | curve             legend
//          0    2    4  time [s]
//
// Reference: SVG 1.1 (W3C), chapters 8 to 10.
#include "importer/results/plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "importer/results/axis.h"
#include "importer/results/number_text.h"

namespace importer::results {

namespace {

constexpr double kWidth = 960, kLeft = 78, kTop = 46, kPaneGap = 18, kBottom = 52, kRight = 14;
constexpr double kLegendLine = 18, kLegendMark = 43, kLetter = 7.2;  // height, space before a name, width of a letter
constexpr std::size_t kLegendLetters = 23;                           // longer names are shortened
constexpr std::size_t kMostInPane = 8;                               // more curves cannot be told apart
constexpr double kSimilar = 20;                                      // sizes up to this factor share an axis
constexpr std::array kColours = {"#1f5fa8", "#d1491c", "#2a8f4e", "#8a4fb0",
                                 "#c9921a", "#1a9aa8", "#c23b7a", "#666666"};

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  void include(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  double size() const { return low > high ? 0.0 : std::max(std::abs(low), std::abs(high)); }
};

Range range_of(const std::vector<double>& values) {
  Range range;
  for (const double v : values) range.include(v);
  return range;
}

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      default: result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return result;
}

// The beginning and the end of a name that is too long.
std::string shortened(const std::string& name, std::size_t letters) {
  std::vector<std::size_t> starts;  // of characters in UTF-8
  for (std::size_t i = 0; i < name.size(); ++i)
    if ((static_cast<unsigned char>(name[i]) & 0xC0) != 0x80) starts.push_back(i);
  if (starts.size() <= letters) return name;
  const std::size_t head = letters / 3, tail = letters - head - 1;
  return name.substr(0, starts[head]) + "\u2026" + name.substr(starts[starts.size() - tail]);
}

struct Frame {  // of one pane, in pixels
  double top = 0, height = 0, width = 0;
  Axis x, y;
  double at_x(double t) const { return kLeft + (t - x.low) / (x.high - x.low) * width; }
  double at_y(double v) const { return top + height - (v - y.low) / (y.high - y.low) * height; }
};

std::string pixel(double value) {
  std::string text = fixed_text(value, 1);
  if (text.size() > 2 && text.compare(text.size() - 2, 2, ".0") == 0) text.resize(text.size() - 2);
  return text;
}

class Picture {
 public:
  explicit Picture(const Plot& plot) : plot_(plot) {}

  std::string draw() {
    const auto panes = panes_of(plot_);
    const double wanted = panes.size() <= 1 ? 380 : panes.size() == 2 ? 230 : panes.size() == 3 ? 180 : 140;
    double height = kTop + kBottom - kPaneGap;
    std::vector<double> heights;
    for (const auto& pane : panes) {
      heights.push_back(std::max(wanted, 12 + kLegendLine * static_cast<double>(pane.size())));
      height += heights.back() + kPaneGap;
    }
    begin(height);
    const Range time = range_of(plot_.times);
    Frame frame{kTop, 0, kWidth - kLeft - legend_width(), make_axis(time.low, time.high, 8, false), {}};
    for (std::size_t i = 0; i < panes.size(); ++i) {
      frame.height = heights[i];
      draw_pane(frame, panes[i], i);
      if (i + 1 == panes.size()) draw_time_labels(frame);
      frame.top += frame.height + kPaneGap;
    }
    return text_ + "</svg>\n";
  }

 private:
  void begin(double height) {
    const std::string size = "width=\"" + pixel(kWidth) + "\" height=\"" + pixel(height) + "\"";
    text_ = "<svg xmlns=\"http://www.w3.org/2000/svg\" " + size + " viewBox=\"0 0 " + pixel(kWidth) + " " +
            pixel(height) + "\" font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\" font-size=\"12\">\n" +
            "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n" +
            label(kLeft, 27, "start", plot_.title, "font-size=\"16\" font-weight=\"bold\" fill=\"#222222\"");
  }

  double legend_width() const {
    std::size_t letters = 0;
    for (const Curve& curve : plot_.curves) letters = std::max(letters, std::min(curve.name.size(), kLegendLetters));
    return kLegendMark + kLetter * static_cast<double>(letters) + kRight;
  }

  static std::string label(double x, double y, const char* anchor, const std::string& words,
                           const std::string& attributes = "fill=\"#444444\"") {
    return "<text x=\"" + pixel(x) + "\" y=\"" + pixel(y) + "\" text-anchor=\"" + anchor + "\" " + attributes + ">" +
           escaped(words) + "</text>\n";
  }

  static std::string line(double x1, double y1, double x2, double y2, const char* colour) {
    return "<line x1=\"" + pixel(x1) + "\" y1=\"" + pixel(y1) + "\" x2=\"" + pixel(x2) + "\" y2=\"" + pixel(y2) +
           "\" stroke=\"" + colour + "\"/>\n";
  }

  void draw_pane(Frame& frame, const std::vector<std::size_t>& curves, std::size_t number) {
    Range range;
    for (const std::size_t c : curves)
      for (const double v : plot_.curves[c].values) range.include(v);
    frame.y = make_axis(range.low, range.high, std::max(2, static_cast<int>(frame.height / 45)), true);
    draw_grid(frame);
    const std::string clip = "pane" + std::to_string(number);
    const std::string box = "x=\"" + pixel(kLeft) + "\" y=\"" + pixel(frame.top) + "\" width=\"" + pixel(frame.width) +
                            "\" height=\"" + pixel(frame.height) + "\"";
    text_ += "<clipPath id=\"" + clip + "\"><rect " + box + "/></clipPath>\n<g clip-path=\"url(#" + clip +
             ")\" fill=\"none\" stroke-width=\"1.6\" stroke-linejoin=\"round\">\n";
    for (std::size_t i = 0; i < curves.size(); ++i)
      text_ += "<path stroke=\"" + std::string(kColours[i % kColours.size()]) + "\" d=\"" +
               path(frame, plot_.curves[curves[i]]) + "\"/>\n";
    text_ += "</g>\n<rect " + box + " fill=\"none\" stroke=\"#888888\"/>\n";
    draw_legend(frame, curves);
    const std::string& unit = plot_.curves[curves.front()].unit;
    const std::string words = !unit.empty() ? "[" + unit + "]" : curves.size() == 1 ? plot_.curves[curves[0]].name : "";
    const double middle = frame.top + frame.height / 2;
    text_ += label(18, middle, "middle", shortened(words, static_cast<std::size_t>(frame.height / 8)),
                   "fill=\"#222222\" transform=\"rotate(-90 18 " + pixel(middle) + ")\"");
  }

  void draw_grid(const Frame& frame) {
    for (const double tick : frame.x.ticks)
      text_ += line(frame.at_x(tick), frame.top, frame.at_x(tick), frame.top + frame.height, "#e8e8e8");
    for (std::size_t i = 0; i < frame.y.ticks.size(); ++i) {
      const double y = frame.at_y(frame.y.ticks[i]);
      const bool zero = frame.y.ticks[i] == 0.0;
      text_ += line(kLeft, y, kLeft + frame.width, y, zero ? "#bbbbbb" : "#e8e8e8");
      text_ += label(kLeft - 7, y + 4, "end", frame.y.labels[i]);
    }
    if (frame.y.exponent != 0)
      text_ += label(kLeft + 2, frame.top - 4, "start", "\u00d710^" + std::to_string(frame.y.exponent),
                     "fill=\"#444444\" font-size=\"11\"");
  }

  void draw_time_labels(const Frame& frame) {
    const double bottom = frame.top + frame.height;
    for (std::size_t i = 0; i < frame.x.ticks.size(); ++i) {
      const double x = frame.at_x(frame.x.ticks[i]);
      text_ += line(x, bottom, x, bottom + 4, "#888888") + label(x, bottom + 18, "middle", frame.x.labels[i]);
    }
    const std::string factor = frame.x.exponent ? " \u00d710^" + std::to_string(frame.x.exponent) : "";
    text_ += label(kLeft + frame.width / 2, bottom + 38, "middle", "time" + factor + " [s]", "fill=\"#222222\"");
  }

  void draw_legend(const Frame& frame, const std::vector<std::size_t>& curves) {
    const double legend = kLeft + frame.width + 16;
    for (std::size_t i = 0; i < curves.size(); ++i) {
      const Curve& curve = plot_.curves[curves[i]];
      const double y = frame.top + 11 + kLegendLine * static_cast<double>(i);
      text_ +=
          "<g>" + (curve.description.empty() && curve.name.size() <= kLegendLetters
                       ? std::string()
                       : "<title>" + escaped(curve.name + (curve.description.empty() ? "" : ": ") + curve.description) +
                             "</title>");
      text_ += "<line x1=\"" + pixel(legend) + "\" y1=\"" + pixel(y) + "\" x2=\"" + pixel(legend + 20) + "\" y2=\"" +
               pixel(y) + "\" stroke=\"" + kColours[i % kColours.size()] + "\" stroke-width=\"2.4\"/>";
      text_ += label(legend + 27, y + 4, "start", shortened(curve.name, kLegendLetters), "fill=\"#222222\"");
      text_ += "</g>\n";
    }
  }

  void move(std::string& out, double x, double y, bool pen_down) {
    out += pen_down ? 'L' : 'M';
    out += pixel(x);
    out += ' ';
    out += pixel(y);
  }

  // The points of one column of pixels are replaced by their first, extreme and last ones. A gap where values are not
  // finite.
  std::string path(const Frame& frame, const Curve& curve) {
    std::string out;
    bool pen_down = false;
    const std::size_t count = std::min(plot_.times.size(), curve.values.size());
    double last_y = 0.0;
    for (std::size_t i = 0; i < count;) {
      if (!std::isfinite(curve.values[i])) {
        pen_down = false;
        ++i;
        continue;
      }
      const double x = frame.at_x(plot_.times[i]);
      double low = frame.at_y(curve.values[i]), high = low, end = low;
      const double begin = low;
      std::size_t j = i + 1;
      for (; j < count && std::isfinite(curve.values[j]) && frame.at_x(plot_.times[j]) < x + 0.5; ++j) {
        end = frame.at_y(curve.values[j]);
        low = std::min(low, end);
        high = std::max(high, end);
      }
      if (pen_down && curve.steps) move(out, x, last_y, true);
      move(out, x, begin, pen_down);
      pen_down = true;
      if (low < std::min(begin, end)) move(out, x, low, true);
      if (high > std::max(begin, end)) move(out, x, high, true);
      if (j > i + 1) move(out, frame.at_x(plot_.times[j - 1]), end, true);
      last_y = end;
      i = j;
    }
    return out;
  }

  const Plot& plot_;
  std::string text_;
};

}  // namespace

std::vector<std::vector<std::size_t>> panes_of(const Plot& plot) {
  struct Pane {
    std::string unit;
    bool steps;
    double size;
  };
  std::vector<Pane> heads;
  std::vector<std::vector<std::size_t>> panes;
  for (std::size_t c = 0; c < plot.curves.size(); ++c) {
    const Curve& curve = plot.curves[c];
    const double size = range_of(curve.values).size();
    const auto fits = [&](std::size_t p) {
      const double large = std::max(size, heads[p].size), small = std::min(size, heads[p].size);
      return heads[p].unit == curve.unit && heads[p].steps == curve.steps && panes[p].size() < kMostInPane &&
             (small == 0.0 || large <= kSimilar * small);
    };
    std::size_t p = 0;
    while (p < panes.size() && !fits(p)) ++p;
    if (p == panes.size()) {
      heads.push_back({curve.unit, curve.steps, size});
      panes.emplace_back();
    }
    heads[p].size = std::max(heads[p].size, size);
    panes[p].push_back(c);
  }
  return panes;
}

std::string svg(const Plot& plot) { return Picture(plot).draw(); }

}  // namespace importer::results
