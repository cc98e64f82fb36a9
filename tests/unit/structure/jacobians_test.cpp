// Patterns and entries of Jacobians, and their colouring.
#include <catch2/catch.hpp>

#include <cmath>
#include <map>
#include <set>

#include "fmugen/equations/evaluate.h"
#include "fmugen/equations/print.h"
#include "tests/unit/structure/graphs.h"
#include "tests/unit/structure/sorted_models.h"

namespace fmugen::structure {

namespace {

Sorted with_jacobians(const std::string& body) {
  Sorted result = sorted("model m\n" + body + "\nend\n");
  REQUIRE(result.messages == "");
  find_jacobians(result.plan);
  return result;
}

// "der(x): x u", one line for each row.
std::string rows_of(const Sorted& s, const std::vector<VarId>& rows, const SparseMatrix& matrix) {
  std::string text;
  std::size_t k = 0;
  for (std::uint32_t r = 0; r < matrix.rows; ++r) {
    text += s.plan.system.name(rows[r]) + ":";
    for (; k < matrix.entries.size() && matrix.entries[k].row == r; ++k)
      text += " " + s.plan.system.name(s.plan.jacobians.columns[matrix.entries[k].column]);
    text += "\n";
  }
  return text;
}
std::string derivatives_of(const Sorted& s) {
  return rows_of(s, s.plan.jacobians.derivative_rows, s.plan.jacobians.derivatives);
}
std::string outputs_of(const Sorted& s) { return rows_of(s, s.plan.jacobians.output_rows, s.plan.jacobians.outputs); }

// Entries in order, and no two columns of one colour in a row.
bool is_proper(const SparseMatrix& m) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
  for (std::size_t k = 0; k < m.entries.size(); ++k) {
    const Entry& e = m.entries[k];
    if (e.row >= m.rows || e.column >= m.columns || m.colour[e.column] >= m.colours) return false;
    if (k > 0 && std::pair(m.entries[k - 1].row, m.entries[k - 1].column) >= std::pair(e.row, e.column)) return false;
    if (!seen.emplace(e.row, m.colour[e.column]).second) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("dependencies through blocks") {
  const Sorted m = with_jacobians(
      " input u, v\n output y, z, w, c\n local x1, x2, a, b, p\n"
      " a = x1 + 2*x2\n der(x1) = a\n der(x2) = -x2 + u\n"
      " b + sin(p) = x2\n p + cos(b) = v\n y = p\n z = 3*x1\n w = x2\n c = 5");
  CHECK(m.names(m.plan.jacobians.columns) == std::vector<std::string>{"x1", "x2", "u", "v"});
  CHECK(derivatives_of(m) == "der(x1): x1 x2\nder(x2): x2 u\n");
  CHECK(outputs_of(m) == "y: x2 v\nz: x1\nw: x2\nc:\n");
  CHECK(is_proper(m.plan.jacobians.derivatives));
  CHECK(is_proper(m.plan.jacobians.outputs));
}

TEST_CASE("a state that is the derivative of another, and the past") {
  const Sorted m =
      with_jacobians(" output y\n local s, v, d\n der(s) = v\n der(v) = -s + d\n d = delay(v, 1)\n y = s + d");
  CHECK(derivatives_of(m) == "der(s): v\nder(v): s\n");
  CHECK(outputs_of(m) == "y: s\n");
}

TEST_CASE("derivatives of residuals") {
  const Sorted m =
      with_jacobians(" parameter a = 2\n local x, y, z\n der(x) = -a*x*y\n 3*y + sin(x) = y\n z = abs(x)*z + sign(y)");
  const equations::Names names = equations::names_of(m.plan.system.model);
  std::string text;
  for (const Entry& e : m.plan.jacobians.residuals.entries)
    text += std::to_string(e.row) + " " + m.plan.system.name(m.plan.jacobians.residual_columns[e.column]) + " " +
            equations::to_text(e.value, names) + "\n";
  std::multiset<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    lines.insert(text.substr(at, end - at));
    at = end + 1;
  }
  CHECK(lines.contains("0 der(x) 1"));
  CHECK(lines.contains("0 x a*y"));
  CHECK(lines.contains("0 y a*x"));
  CHECK(lines.contains("1 y 2"));
  CHECK(lines.contains("1 x cos(x)"));
  CHECK(lines.contains("2 z 1 - abs(x)"));
  CHECK(lines.size() == 7);
  CHECK(is_proper(m.plan.jacobians.residuals));
}

TEST_CASE("derivatives of residuals agree with differences") {
  const Sorted m = with_jacobians(
      " parameter a = 0.7\n local x, y, z, w\n der(x) = -a*x*y**2 + exp(-x)/(1 + y**2)\n y*z + sin(x*y)*z**2 = w - "
      "3*z\n"
      " w*(x - y)*(x - z) = sqrt(4 + z)*x\n z*w*y + (if x > 0 then x*y else y) = max(x, 2*w)*1.5");
  const System& s = m.plan.system;
  std::vector<double> value(s.model.variables.size());
  for (std::size_t v = 0; v < value.size(); ++v) value[v] = 0.3 + 0.17 * static_cast<double>(v);
  equations::Values values;
  values.variable = [&](VarId v) { return value[index(v)]; };
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> exact;
  for (const Entry& e : m.plan.jacobians.residuals.entries)
    exact[{e.row, e.column}] = equations::evaluate(e.value, values);
  for (std::uint32_t r = 0; r < s.equations.size(); ++r)
    for (std::uint32_t c = 0; c < m.plan.jacobians.residual_columns.size(); ++c) {
      double& x = value[index(m.plan.jacobians.residual_columns[c])];
      const double kept = x, h = 1e-6;
      const auto residual = [&](double at) {
        x = at;
        return equations::evaluate(s.equations[r].left, values) - equations::evaluate(s.equations[r].right, values);
      };
      const double slope = (residual(kept + h) - residual(kept - h)) / (2 * h);
      x = kept;
      const double found = exact.contains({r, c}) ? exact.at({r, c}) : 0;
      INFO(r << " " << s.name(m.plan.jacobians.residual_columns[c]));
      CHECK(found == Approx(slope).margin(1e-7));
    }
}

TEST_CASE("few colours suffice for neighbours") {
  const int n = 500;
  std::string text =
      " output y\n local x0, x" + std::to_string(n + 1) + "\n x0 = 1\n x" + std::to_string(n + 1) + " = 2\n";
  std::string sum = "0";
  for (int k = 1; k <= n; ++k) {
    const std::string i = std::to_string(k), before = std::to_string(k - 1), after = std::to_string(k + 1);
    text += " local x" + i + "\n der(x" + i + ") = x" + before + " - 2*x" + i + " + x" + after + "\n";
    sum += " + x" + i;
  }
  const Sorted m = with_jacobians(text + " y = " + sum);
  const Jacobians& j = m.plan.jacobians;
  CHECK(j.derivatives.entries.size() == 3 * n - 2);
  CHECK(j.derivatives.colours == 3);
  CHECK(j.outputs.entries.size() == n);
  CHECK(j.outputs.colours == n);
  CHECK(is_proper(j.derivatives));
  CHECK(is_proper(j.outputs));
  CHECK(is_proper(j.residuals));
}

TEST_CASE("what becomes dense is given up") {
  const int n = 1500;  // a(k) depends on k states: half of n**2 entries
  std::string text = " local a0\n a0 = 0\n";
  for (int k = 1; k <= n; ++k) {
    const std::string i = std::to_string(k);
    text += " local a" + i + ", x" + i + "\n a" + i + " = a" + std::to_string(k - 1) + " + x" + i + "\n der(x" + i +
            ") = -a" + i + "\n";
  }
  const Sorted m = with_jacobians(text);
  const Jacobians& j = m.plan.jacobians;
  CHECK(j.derivative_rows.size() == n);
  CHECK(j.derivatives.rows == 0);
  CHECK(j.derivatives.entries.empty());
  CHECK(j.residuals.rows == m.plan.system.equations.size());
  CHECK(is_proper(j.residuals));
}

TEST_CASE("long sums are differentiated, other long terms are not") {
  const int n = 600;
  std::string text = " local s, q\n", sum = "0";
  for (int k = 1; k <= n; ++k) {
    text += " local x" + std::to_string(k) + "\n der(x" + std::to_string(k) + ") = 1\n";
    sum += " + 2*x" + std::to_string(k);
  }
  const Sorted m = with_jacobians(text + " s = " + sum + "\n q = sin(" + sum + ")");
  std::size_t formulas = 0, unknown = 0;
  for (const Entry& e : m.plan.jacobians.residuals.entries) ++(e.value ? formulas : unknown);
  CHECK(unknown == n);
  CHECK(formulas == 2 * n + 2);
}

TEST_CASE("random models: patterns against reachability, colouring proper") {
  Chance chance(5);
  for (int round = 0; round < 60; ++round) {
    const std::uint32_t n = 1 + chance.below(120);
    std::string text = " output y\n";
    std::vector<std::set<std::uint32_t>> depends(n), rate(n);
    for (std::uint32_t k = 0; k < n; ++k) {
      text += " local x" + std::to_string(k) + ", a" + std::to_string(k) + "\n";
      std::string a = "1", d = "1";
      for (int j = 0; j < 3; ++j) {
        const std::uint32_t x = chance.below(n), other = k == 0 ? 0 : chance.below(k);
        a += " + sin(x" + std::to_string(x) + ")";
        depends[k].insert(x);
        if (k > 0 && chance.percent(40)) {
          a += " + cos(a" + std::to_string(other) + ")";
          depends[k].insert(depends[other].begin(), depends[other].end());
        }
      }
      d += " + exp(a" + std::to_string(k) + ")";
      rate[k] = depends[k];
      text += " a" + std::to_string(k) + " = " + a + "\n der(x" + std::to_string(k) + ") = " + d + "\n";
    }
    text += " y = a" + std::to_string(n - 1);
    const Sorted m = with_jacobians(text);
    const Jacobians& j = m.plan.jacobians;
    REQUIRE(is_proper(j.derivatives));
    REQUIRE(is_proper(j.outputs));
    REQUIRE(is_proper(j.residuals));
    std::vector<std::set<std::string>> found(n);
    for (const Entry& e : j.derivatives.entries) found[e.row].insert(m.plan.system.name(j.columns[e.column]));
    for (std::uint32_t r = 0; r < n; ++r) {
      const std::string name = m.plan.system.name(j.columns[r]);  // "x12"
      std::set<std::string> expected;
      for (const std::uint32_t x : rate[std::stoul(name.substr(1))]) expected.insert("x" + std::to_string(x));
      CHECK(found[r] == expected);
    }
    CHECK(j.outputs.entries.size() == depends[n - 1].size());
  }
}

}  // namespace fmugen::structure
