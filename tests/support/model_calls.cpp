// Functions are run statement by statement. A table of one argument is a polynomial a + b*u + c*u**2 + d*u**3 in each
// interval, u from its left end, whose coefficients follow from values and, if it is cubic, slopes at both ends; a table of
// two arguments is one whose values are those of its rows. External functions are compiled to a shared library, once for
// each file.
//
// Slopes of cubic tables: F. N. Fritsch, J. Butland, SIAM J. Sci. Stat. Comput. 5 (1984).
#include "tests/support/model_calls.h"

#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <stdexcept>

#include "fmugen/equations/evaluate.h"

namespace fmugen::tests {

using namespace equations;

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

struct Frame {
  const FlatModel& model;
  std::vector<double> local;

  double operator()(Expr e) const {
    Values values;
    values.variable = [this](VarId v) { return local[index(v)]; };
    values.function = [this](std::uint32_t f, std::uint32_t r, std::span<const double> x) {
      return function_result(model, f, r, x);
    };
    values.table = [this](std::uint32_t t, std::span<const double> x) { return table_value(model, t, x); };
    return evaluate(e, values);
  }

  void run(const std::vector<FunctionStep>& steps) {
    for (const FunctionStep& step : steps) switch (step.kind) {
        case FunctionStepKind::Assign: local[step.target] = (*this)(step.value); break;
        case FunctionStepKind::If:
          for (const FunctionChoice& choice : step.choices) {
            if (choice.condition && (*this)(choice.condition) == 0) continue;
            run(choice.body);
            break;
          }
          break;
        case FunctionStepKind::For:
          for (double k = (*this)(step.from), last = (*this)(step.to); k <= last; ++k) {
            local[step.target] = k;
            run(step.body);
          }
          break;
      }
  }
};

void* compiled(const std::string& file) {
  static std::map<std::string, void*> libraries;
  void*& library = libraries[file];
  if (library) return library;
  std::string folder = (std::filesystem::temp_directory_path() / "calls_XXXXXX").string();
  if (!mkdtemp(folder.data())) throw std::runtime_error("no folder for the library of '" + file + "'");
  const std::string path = folder + "/external.so";
  const int failed = std::system(("cc -O1 -shared -fPIC -o '" + path + "' '" + file + "' -lm").c_str());
  if (!failed) library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  std::filesystem::remove_all(folder);
  if (!library) throw std::runtime_error("'" + file + "' cannot be compiled or loaded");
  return library;
}

double external_result(const FunctionDefinition& f, std::span<const double> x) {
  if (f.results != 1 || x.empty() || x.size() > 3) throw std::runtime_error("tests cannot call '" + f.name + "'");
  void* symbol = dlsym(compiled(f.file), f.name.c_str());
  if (!symbol) throw std::runtime_error("'" + f.file + "' has no function '" + f.name + "'");
  if (x.size() == 1) return reinterpret_cast<double (*)(double)>(symbol)(x[0]);
  if (x.size() == 2) return reinterpret_cast<double (*)(double, double)>(symbol)(x[0], x[1]);
  return reinterpret_cast<double (*)(double, double, double)>(symbol)(x[0], x[1], x[2]);
}

double monotone_slope(const std::vector<double>& x, const std::vector<double>& f, std::size_t i) {
  const std::size_t n = x.size();
  const auto secant = [&](std::size_t k) { return (f[k + 1] - f[k]) / (x[k + 1] - x[k]); };
  if (n == 2) return secant(0);
  if (i > 0 && i + 1 < n) {
    const double before = x[i] - x[i - 1], after = x[i + 1] - x[i], d0 = secant(i - 1), d1 = secant(i);
    if (d0 * d1 <= 0) return 0;
    return 3 * (before + after) / ((2 * after + before) / d0 + (after + 2 * before) / d1);
  }
  const double near = i == 0 ? secant(0) : secant(n - 2), far = i == 0 ? secant(1) : secant(n - 3);
  const double h = i == 0 ? x[1] - x[0] : x[n - 1] - x[n - 2], next = i == 0 ? x[2] - x[1] : x[n - 2] - x[n - 3];
  const double slope = near + h * (near - far) / (h + next);
  if (slope * near <= 0) return 0;
  return near * far < 0 && std::abs(slope) > 3 * std::abs(near) ? 3 * near : slope;
}

// The derivative of this order at `at`.
double interpolate(const TableData& t, const std::vector<double>& x, const std::vector<double>& f, double at,
                   std::uint32_t order) {
  const std::size_t n = x.size();
  if (n == 1) return order == 0 ? f[0] : 0;
  const bool outside = at < x.front() || at > x.back();
  if (outside && t.extrapolation == Extrapolation::Error) return kNone;
  const auto above = static_cast<std::size_t>(std::upper_bound(x.begin(), x.end(), at) - x.begin());
  const std::size_t k = std::clamp<std::size_t>(above, 1, n - 1) - 1;
  const double h = x[k + 1] - x[k], rise = (f[k + 1] - f[k]) / h;
  double a[4] = {f[k], rise, 0, 0}, u = at - x[k];
  if (t.interpolation == Interpolation::Constant) a[1] = 0, a[0] = at >= x.back() ? f[n - 1] : f[k];
  if (t.interpolation == Interpolation::Cubic) {
    const double left = monotone_slope(x, f, k), right = monotone_slope(x, f, k + 1);
    a[1] = left;
    a[2] = (3 * rise - 2 * left - right) / h;
    a[3] = (left + right - 2 * rise) / (h * h);
    if (outside && t.extrapolation == Extrapolation::Linear) {
      const double end = u > 0 ? right : left;
      a[0] = u > 0 ? f[k + 1] - end * h : f[k];
      a[1] = end;
      a[2] = a[3] = 0;
    }
  }
  if (outside && t.extrapolation == Extrapolation::Hold) a[0] = u > 0 ? f[n - 1] : f[0], a[1] = a[2] = a[3] = 0;
  if (order == 0) return a[0] + u * (a[1] + u * (a[2] + u * a[3]));
  if (order == 1) return a[1] + u * (2 * a[2] + u * 3 * a[3]);
  return 2 * a[2] + 6 * a[3] * u;
}

}  // namespace

double function_result(const FlatModel& model, std::uint32_t function, std::uint32_t result,
                       std::span<const double> x) {
  const FunctionDefinition& f = model.functions[function];
  if (f.external) return external_result(f, x);
  Frame frame{model, {x.begin(), x.end()}};
  frame.local.resize(f.variables.size(), kNone);
  frame.run(f.body);
  return frame.local[f.arguments + result];
}

double table_value(const FlatModel& model, std::uint32_t table, std::span<const double> x) {
  const TableData& derived = model.tables[table];
  const TableData& t = derived.derivative_of == kNoTangent ? derived : model.tables[derived.derivative_of];
  if (t.y.empty()) return interpolate(t, t.x, t.values, x[0], derived.order_x);
  if (t.interpolation == Interpolation::Cubic) throw std::runtime_error("tests do not know this kind of table");
  std::vector<double> column;
  for (std::size_t i = 0; i < t.x.size(); ++i) {
    const auto first = t.values.begin() + static_cast<std::ptrdiff_t>(i * t.y.size());
    const std::vector<double> row(first, first + static_cast<std::ptrdiff_t>(t.y.size()));
    column.push_back(interpolate(t, t.y, row, x[1], derived.order_y));
  }
  return interpolate(t, t.x, column, x[0], derived.order_x);
}

}  // namespace fmugen::tests
