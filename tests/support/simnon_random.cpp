// A system is direct if its outputs use its inputs. The inputs of direct systems are assigned first, one system after
// the other, from outputs of systems that are not direct and of direct ones whose inputs are there already; those of
// the others follow, from any output. So no section OUTPUT meets an input that is undefined and used.
//
// States stay bounded: rates and new values pull back to zero and all they get from outside goes through SIN. Numbers
// that decide about instants are multiples of 1/32, so that what meets in theory meets in numbers; only T > c changes
// between them, since fmugen lets a sample at c see what holds right after c. States of continuous systems are
// overwritten in sections DYNAMICS, when nobody reads them any more.
#include "tests/support/simnon_random.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace fmugen::tests {

namespace {

struct Plan {
  std::string name;
  bool discrete = false, direct = false;
  int inputs = 0, outputs = 1, states = 1;
};

class Writer {
 public:
  explicit Writer(std::uint32_t seed) : random_(seed) {}

  std::string run() {
    const int count = 1 + pick(5);
    for (int k = 0; k < count; ++k) {
      Plan p;
      p.name = "S" + std::to_string(k + 1);
      p.discrete = pick(2) == 0;
      p.outputs = 1 + pick(2);
      p.states = 1 + pick(2);
      p.inputs = count == 1 ? 0 : 1 + pick(2);
      p.direct = count > 1 && pick(3) == 0;
      plans_.push_back(p);
    }
    if (count > 1 && std::none_of(plans_.begin(), plans_.end(), [](const Plan& p) { return !p.discrete; }))
      plans_[0].discrete = false;
    for (const Plan& p : plans_) write(p);
    if (count > 1) connect();
    return text_;
  }

 private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<std::uint32_t>(n)); }
  std::string number(double low, double high) {  // multiples of 1/32
    const int steps = static_cast<int>((high - low) * 32);
    const double x = low + pick(steps + 1) / 32.;
    return x < 0 ? "(-" + exact(-x) + ")" : exact(x);
  }
  // No instant: whether T > c holds at c itself is a matter of taste.
  std::string between(double low, double high) {
    return exact(low + pick(static_cast<int>((high - low) * 32)) / 32. + 1. / 64);
  }
  static std::string exact(double x) {
    std::string text = std::to_string(static_cast<int>(std::floor(x)));
    double rest = x - std::floor(x);
    if (rest == 0) return text;
    text += ".";
    for (int digit = 0; digit < 6 && rest > 0; ++digit) {
      rest *= 10;
      text += std::to_string(static_cast<int>(std::floor(rest)));
      rest -= std::floor(rest);
    }
    return text;
  }
  void line(const std::string& text) { text_ += text + "\n"; }
  void list(const char* type, const char* letter, int count) {
    if (count == 0) return;
    std::string text = type;
    for (int k = 1; k <= count; ++k) text += std::string(" ") + letter + std::to_string(k);
    line(text);
  }
  std::string of(const char* letter, int count) { return letter + std::to_string(1 + pick(count)); }

  // Something of the argument, about as large as it.
  std::string shaped(const std::string& x) {
    switch (pick(11)) {
      case 0: return "SIN(" + x + ")";
      case 1: return "ATAN(" + x + ")";
      case 2: return "ATAN2(" + x + ",2)";
      case 3: return "MAX(-1,MIN(" + x + ",1))";
      case 4: return "(SQRT(1+(" + x + ")^2)-1)";
      case 5: return "(1-EXP(-(" + x + ")*(" + x + ")))";
      case 6: return "LN(1+ABS(" + x + "))";
      case 7: return "LOG(1+ABS(" + x + "))";
      case 8: return "(IF " + x + ">0 THEN " + x + " ELSE 0.5*(" + x + "))";
      case 9: return "COS(" + x + ")/2";
      default: return "(" + x + ")";
    }
  }

  // A condition on time, alone or with others that change at the same instants.
  std::string condition() {
    switch (pick(5)) {
      case 0: return "T<" + number(0.5, 3);
      case 1: return "T>" + between(0.5, 3);
      case 2: return "NOT T<" + number(0.5, 2) + " AND T<" + number(2, 4);
      case 3: return "T<" + number(0.5, 1) + " OR T>" + between(2, 3);
      default: return "SW";
    }
  }

  std::string source(const Plan& p, bool inputs) {
    if (inputs && p.inputs > 0 && pick(2) == 0) return of("U", p.inputs);
    return of("X", p.states);
  }

  void write(const Plan& p) {
    line(std::string(p.discrete ? "DISCRETE" : "CONTINUOUS") + " SYSTEM " + p.name);
    list("INPUT", "U", p.inputs);
    list("OUTPUT", "Y", p.outputs);
    const bool counts = p.discrete && pick(3) == 0;
    list("STATE", "X", p.states);
    list(p.discrete ? "NEW" : "DER", "F", p.states);
    if (counts) line("STATE N\nNEW NN");
    line("TIME T");
    if (p.discrete) line("TSAMP TS");
    write_initial(p);
    line("OUTPUT");
    line("A=" + shaped(source(p, p.direct)));
    if (pick(3) == 0) line("A=A+" + number(0, 1));  // once more
    line("B=" + condition());
    for (int k = 1; k <= p.outputs; ++k)
      line("Y" + std::to_string(k) + "=IF B THEN " + shaped(source(p, p.direct)) + " ELSE A+" + number(-1, 1));
    write_dynamics(p, counts);
    line("SW:" + std::string(pick(2) == 0 ? "0.5" : "0"));
    if (pick(2) == 0) line(std::string("X1:") + (pick(2) == 0 ? "-" : "") + number(0, 1));
    line("END\n");
  }

  void write_initial(const Plan& p) {
    const bool state = p.states > 1 && pick(2) == 0;  // X1 may have a constant
    const bool first = p.discrete && pick(2) == 0, output = p.discrete && pick(2) == 0;
    if (!state && !first && !output) return;
    line("INITIAL");
    line("C=" + number(0.5, 1) + "*2");
    if (state) line("X2=C-" + number(0, 2) + "+T");
    if (output) line("Y1=C/4");
    if (first) line("TS=T+" + number(0.125, 1));
  }

  void write_dynamics(const Plan& p, bool counts) {
    line("DYNAMICS");
    for (int k = 1; k <= p.states; ++k) {
      const std::string n = std::to_string(k), outside = "SIN(" + source(p, true) + "+" + number(-1, 1) + ")";
      if (p.discrete)
        line("F" + n + "=" + number(0.25, 0.75) + "*X" + n + "+" + outside + "/2");
      else
        line("F" + n + "=-" + number(0.5, 2) + "*X" + n + "+" + outside);
    }
    if (!p.discrete) return;
    if (counts) line("NN=N+1");
    const std::string gap = number(0.125, 1);
    switch (pick(3)) {
      case 0: line("TS=T+" + gap); break;
      case 1: line("TS=TS+DT\nDT:" + gap); break;
      default: line(counts ? "TS=T+" + gap + "*(1+MOD(N,3)+INT(N/4))" : "TS=T+(IF T>2.015625 THEN 2 ELSE 1)*" + gap);
    }
    overwrite(p);
  }

  // Each continuous state is overwritten by one system at most.
  void overwrite(const Plan& p) {
    for (const Plan& other : plans_) {
      const std::string target = "X1[" + other.name + "]";
      if (other.discrete || pick(3) != 0 || text_.find("\n" + target + "=") != std::string::npos) continue;
      line(target + "=" + number(-1, 1) + "+" + of("X", p.states) + "/4");
      return;
    }
  }

  std::string any_output(const std::vector<const Plan*>& known) {
    const Plan& p = *known[static_cast<std::size_t>(pick(static_cast<int>(known.size())))];
    return of("Y", p.outputs) + "[" + p.name + "]";
  }

  void assign(const Plan& p, const std::vector<const Plan*>& known) {
    for (int k = 1; k <= p.inputs; ++k) {
      std::string value = known.empty() ? "SIN(T)" : any_output(known);
      if (pick(3) == 0) {
        const Plan& other = plans_[static_cast<std::size_t>(pick(static_cast<int>(plans_.size())))];
        value += "+" + of("X", other.states) + "[" + other.name + "]/2";
      }
      if (pick(3) == 0) value += "+W";
      line("U" + std::to_string(k) + "[" + p.name + "]=" + value);
    }
  }

  void connect() {
    line("CONNECTING SYSTEM CON\nTIME T");
    line("W=IF T<" + number(1, 2) + " THEN 0 ELSE " + number(0, 1));
    std::vector<const Plan*> known, direct;
    for (const Plan& p : plans_) (p.direct ? direct : known).push_back(&p);
    std::shuffle(direct.begin(), direct.end(), random_);
    std::vector<const Plan*> others = known;
    for (const Plan* p : direct) {
      assign(*p, known);
      known.push_back(p);
    }
    for (const Plan* p : others) assign(*p, known);
    line("END");
  }

  std::mt19937 random_;
  std::vector<Plan> plans_;
  std::string text_;
};

}  // namespace

std::string random_simnon(std::uint32_t seed) { return Writer(seed).run(); }

}  // namespace fmugen::tests
