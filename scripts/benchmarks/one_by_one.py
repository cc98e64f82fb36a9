"""The models of `scripts/bench build`: every component is declared and connected by a line of its own, as a schematic
editor or another program would write it, so that nothing can be learnt from arrays and loops.

RC circuit as in the comparison of equation-based tools by SciML (all values 1, a sine of 0.05 Hz); rod, transmission
line, heat exchanger and distribution system of the ScalableTestSuite (F. Casella), as in models.py."""
import dataclasses
import math

from models import DISTRIBUTED, loaded_line, rod


@dataclasses.dataclass
class Family:
    name: str
    per_unit: float      # equations per unit of size, or of its square
    square: bool
    text: object         # of a size
    stop: float
    interval: float
    expected: object     # output y at the end, as a function of the size; None where it is not known
    allowed: float
    most_simulated: int  # equations up to which it is simulated; beyond, it is not the build that takes the time

    def size(self, equations):
        size = equations/self.per_unit
        return max(4, round(math.sqrt(size) if self.square else size))


def rc(n):
    lines = ['use electrical', 'model rc', '  submodel (supply) E', '  output y']
    for i in range(1, n + 1):
        lines.append(f'  submodel (resistor) R{i}(R = 1)')
        lines.append(f'  submodel (capacitor) C{i}(C = 1)')
    lines += ['  E.V = sin(0.1*3.14159265358979*time)', '  connect E:A at R1:A']
    for i in range(1, n + 1):
        lines.append(f'  connect R{i}:B at C{i}:A, C{i}:B at E:B')
        if i < n:
            lines.append(f'  connect R{i}:B at R{i + 1}:A')
    return lines + ['  y = C1.V', '  experiment start 0 stop 10 step 0.02 tolerance 1E-6', 'end']


def heat(n):
    length, cp, conductivity, rho, area = 0.2, 910, 237, 2712, 0.05
    lines = ['use thermal', 'model heat', '  submodel (ambient) left(T0 = 330), right(T0 = 300)', '  output y']
    for i in range(1, n):
        lines.append(f'  submodel (heatconductor) conductor{i}(G = {conductivity*area*(n - 1)/length!r})')
    for i in range(1, n - 1):
        lines.append(f'  submodel (heatcapacity) body{i}(C = {cp*rho*length*area/(n - 2)!r})')
    lines.append(f'  connect left at conductor1:A, right at conductor{n - 1}:B')
    for i in range(1, n - 1):
        lines.append(f'  connect conductor{i}:B at body{i} at conductor{i + 1}:A')
        lines.append(f'  initial body{i}.T = 273.15')
    return lines + [f'  y = body{(n - 2)//2}.T', '  experiment start 0 stop 350 step 0.7 tolerance 1E-6', 'end']


def line(n):
    length, r, l, c, w = 100, 48e-6, 253e-9, 101e-12, 5e6
    lines = ['use electrical', 'model line', '  submodel (supply) E', f'  submodel (resistor) load(R = {math.sqrt(l/c)!r})',
             '  local filtered, slope', '  output y']
    for i in range(1, n + 1):
        lines.append(f'  submodel (resistor) R{i}(R = {r*length/n!r})')
        lines.append(f'  submodel (coil) L{i}(L = {l*length/n!r})')
        lines.append(f'  submodel (capacitor) C{i}(C = {c*length/n!r})')
    lines += ['  der(filtered) = slope', f'  der(slope) = {w!r}*({w!r}*(1 - filtered) - 2*slope)', '  E.V = filtered',
              '  connect E:A at R1:A', f'  connect L{n}:B at load:A, load:B at E:B']
    for i in range(1, n + 1):
        lines.append(f'  connect R{i}:B at L{i}:A, L{i}:B at C{i}:A, C{i}:B at E:B')
        if i < n:
            lines.append(f'  connect L{i}:B at R{i + 1}:A')
    return lines + ['  y = load.V', '  experiment start 0 stop 4E-6 step 2E-9 tolerance 1E-8', 'end']


def exchanger(n):
    lines = ['''model type segment
  parameter l
  input A0, B0, w
  local A(start=300), W(start=300), B(start=300), QA, QB
  1000*l*5E-5*4200*der(A) = w*4200*(A0 - A) + QA
  1000*l*5E-5*4200*der(B) = 4200*(B0 - B) - QB
  QA = (W - (A0 + A)/2)*4000*0.1*l
  QB = ((B0 + B)/2 - W)*10000*0.1*l
  200*l*der(W) = QB - QA
end
model exchanger
  local wA, TA
  output y
  wA = if time < 15 then 1 else 1.1
  TA = if time < 8 then 300 else 301''']
    for i in range(1, n):
        lines.append(f'  submodel (segment) s{i}(l = {10/(n - 1)!r})')
    for i in range(1, n):
        before = 'TA' if i == 1 else f's{i - 1}.A'
        behind = '310' if i == n - 1 else f's{i + 1}.B'
        lines += [f'  s{i}.w = wA', f'  s{i}.A0 = {before}', f'  s{i}.B0 = {behind}']
    return lines + [f'  y = s{n - 1}.A', '  experiment start 0 stop 20 step 0.04 tolerance 1E-8', 'end']


def distribution(n):
    lines = ['use electrical', 'model distribution', '  submodel (supply) E', '  output y']
    for i in range(1, n + 1):
        lines.append(f'  submodel (resistor) P{i}(R = {1/(2*n**4)!r})')
        for j in range(1, n + 1):
            lines.append(f'  submodel (resistor) S{i}_{j}(R = {1/(2*n**2)!r})')
            lines.append(f'  submodel (resistor) L{i}_{j}(R = 1)')
    lines += ['  E.V = 600*time', '  connect E:A at P1:A']
    for i in range(1, n + 1):
        if i < n:
            lines.append(f'  connect P{i}:B at P{i + 1}:A')
        lines.append(f'  connect P{i}:B at S{i}_1:A')
        for j in range(1, n + 1):
            if j < n:
                lines.append(f'  connect S{i}_{j}:B at S{i}_{j + 1}:A')
            lines.append(f'  connect S{i}_{j}:B at L{i}_{j}:A, L{i}_{j}:B at E:B')
    return lines + [f'  y = L{n}_{n}.V', '  experiment start 0 stop 1 step 0.001', 'end']


def first_capacitor(n):
    """Its voltage at the time 10, by Runge and Kutta; what lies behind 60 cells is not felt by then."""
    cells = min(n, 60)

    def rates(t, v):
        source = math.sin(0.1*3.14159265358979*t)
        return [(v[i - 1] if i > 0 else source) - v[i] - (v[i] - v[i + 1] if i + 1 < cells else 0) for i in range(cells)]

    v, steps = [0.0]*cells, 500
    h = 10/steps
    for k in range(steps):
        a = rates(h*k, v)
        b = rates(h*(k + 0.5), [x + 0.5*h*r for x, r in zip(v, a)])
        c = rates(h*(k + 0.5), [x + 0.5*h*r for x, r in zip(v, b)])
        d = rates(h*(k + 1), [x + h*r for x, r in zip(v, c)])
        v = [x + h/6*(p + 2*q + 2*r + s) for x, p, q, r, s in zip(v, a, b, c, d)]
    return v[0]


FAMILIES = [
    Family('rc', 8, False, rc, 10, 0.02, first_capacitor, 1e-4, 2_000_000),
    Family('heat', 5, False, heat, 350, 0.7, rod, 2e-3, 2_000_000),
    Family('line', 12, False, line, 4e-6, 2e-9, loaded_line, 2e-5, 200_000),
    Family('exchanger', 8, False, exchanger, 20, 0.04, lambda n: 304.373927 if n > 300 else None, 2e-5, 20_000),
    Family('distribution', 8, True, distribution, 1, 0.001, DISTRIBUTED.get, 1e-6, 2_000_000),
]
