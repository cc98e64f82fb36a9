"""Values of formulas as the program prints them, and of the blocks of a plan."""
import math
import random
import re

TOKEN = re.compile(r'\s*(?:(\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?)|'
                   r'([A-Za-z_]\w*(?:\[[\d,]+\])?(?:\.[A-Za-z_]\w*(?:\[[\d,]+\])?)*)|(\*\*|[-+*/(),]))')
FUNCTIONS = {'sin': math.sin, 'cos': math.cos, 'exp': math.exp, 'sqrt': math.sqrt, 'abs': abs, 'max': max, 'min': min,
             'sign': lambda x: (x > 0) - (x < 0)}


class Values(dict):
    """Names that have no value yet get one at random, away from zero."""

    def __init__(self, seed=1, **given):
        super().__init__(**given)
        self.random = random.Random(seed)

    def __missing__(self, name):
        self[name] = self.random.uniform(0.5, 2)
        return self[name]


class Formula:
    """Recursive descent over sums, products, signs, powers and calls; der(x) is a name."""

    def __init__(self, text, values):
        self.tokens, self.values, self.next = [], values, 0
        at = 0
        text = text.strip()
        while at < len(text):
            match = TOKEN.match(text, at)
            if not match:
                raise ValueError(f'cannot read {text[at:]!r}')
            self.tokens.append(match.group(match.lastindex))
            at = match.end()

    def value(self):
        result = self.sum()
        if self.next != len(self.tokens):
            raise ValueError(f'{self.tokens[self.next]!r} was not expected')
        return result

    def take(self, *expected):
        if self.next < len(self.tokens) and self.tokens[self.next] in expected:
            self.next += 1
            return self.tokens[self.next - 1]
        return None

    def sum(self):
        result = self.product()
        while operator := self.take('+', '-'):
            other = self.product()
            result = result + other if operator == '+' else result - other
        return result

    def product(self):
        result = self.signed()
        while operator := self.take('*', '/'):
            other = self.signed()
            result = result * other if operator == '*' else result / other
        return result

    def signed(self):
        if self.take('-'):
            return -self.signed()
        base = self.primary()
        return base ** self.signed() if self.take('**') else base

    def primary(self):
        token = self.tokens[self.next]
        self.next += 1
        if token == '(':
            result = self.sum()
            self.close()
            return result
        if token[0].isdigit() or token[0] == '.':
            return float(token)
        if token == 'der':
            return self.values[self.derivative()]
        if self.take('('):
            arguments = [self.sum()]
            while self.take(','):
                arguments.append(self.sum())
            self.close()
            return FUNCTIONS[token](*arguments)
        return self.values[token]

    def derivative(self):
        if not self.take('('):
            raise ValueError('der without argument')
        name = self.tokens[self.next]
        self.next += 1
        if name == 'der':
            name = self.derivative()
        self.close()
        return f'der({name})'

    def close(self):
        if not self.take(')'):
            raise ValueError(') was expected')


def evaluate(text, values):
    return Formula(text, values).value()


def residual(equation, values):
    left, right = equation.split(' = ')
    return evaluate(left, values) - evaluate(right, values)


def solve_linear(equations, unknowns, values):
    """The unknowns from equations that are linear in them, by elimination with pivots."""
    for name in unknowns:
        values[name] = 0
    constant = [residual(equation, values) for equation in equations]
    rows = [[] for _ in equations]
    for name in unknowns:
        values[name] = 1
        for row, equation, c in zip(rows, equations, constant):
            row.append(residual(equation, values) - c)
        values[name] = 0
    rows = [row + [-c] for row, c in zip(rows, constant)]
    for k in range(len(rows)):
        pivot = max(range(k, len(rows)), key=lambda r: abs(rows[r][k]))
        rows[k], rows[pivot] = rows[pivot], rows[k]
        for r in range(len(rows)):
            if r != k:
                factor = rows[r][k] / rows[k][k]
                rows[r] = [a - factor * b for a, b in zip(rows[r], rows[k])]
    for k, name in enumerate(unknowns):
        values[name] = rows[k][-1] / rows[k][k]


def compute(plan, values):
    """All unknowns of a plan without nonlinear blocks, by its formulas where it has some."""
    for block in plan['blocks']:
        if len(block['solution']) == block['size']:
            for line in block['solution']:
                name, formula = line.split(' := ')
                values[name] = evaluate(formula, values)
        else:
            solve_linear(block['equations'], block['unknowns'], values)
    return values
