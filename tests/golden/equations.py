"""Compares equations up to what does not change them: their order, the order of terms, the side a term stands on, an
overall sign, E or e in numbers, and which pairs of a set of equal variables are written down.

    canonical('R1.I = E.I - 2*x')    ->  ('+2*x', '-E.I', '+R1.I') with the first sign made plus
    a = b, b = c                     equals   a = c, c = b
"""
import re
from collections import Counter

NAME = re.compile(r"[A-Za-z_][\w.]*(\[[\d, ]+\][\w.]*)*")


def terms(side):
    """The terms of a sum at the top level, each with its sign: 'a - b*(c + d)' -> [(1, 'a'), (-1, 'b*(c+d)')]."""
    found, depth, sign, text, before = [], 0, 1, '', ''
    for c in side.replace(' ', ''):
        depth += (c in '([') - (c in ')]')
        exponent = before in ('E', 'e') and re.search(r'(^|[^\w.])\d[\d.]*[Ee]$', text)
        if c in '+-' and depth == 0 and not exponent and (text == '' or before not in '*/('):
            if text:
                found.append((sign, text))
                sign, text = 1, ''
            sign = -sign if c == '-' else sign
        else:
            text += c
        before = c
    return found + [(sign, text)] if text else found


def canonical(equation):
    equation = re.sub(r'(\d)E', r'\1e', equation)
    left, right = equation.split(' = ', 1)
    parts = sorted((text, sign) for text, sign in
                   [(t, s) for s, t in terms(left)] + [(t, -s) for s, t in terms(right)] if text != '0')
    first = parts[0][1] if parts else 1
    return tuple(('+' if sign == first else '-') + text for text, sign in parts)


def equal_names(equation):
    """The two variables that an equation such as 'a = b' or 'a - b = 0' makes equal; None for any other."""
    parts = canonical(equation)
    names = [part[1:] for part in parts]
    return names if [p[0] for p in parts] == ['+', '-'] and all(map(NAME.fullmatch, names)) else None


def groups(equalities):
    """The sets of variables that are equal to each other."""
    leader = {}

    def find(name):
        while leader.setdefault(name, name) != name:
            name = leader[name]
        return name

    for a, b in equalities:
        leader[find(a)] = find(b)
    members = {}
    for name in leader:
        members.setdefault(find(name), []).append(name)
    return Counter(' = '.join(sorted(names)) for names in members.values())


def compare(expected, actual):
    """Lines that tell the difference between two lists of equations; none if they say the same."""
    lines = []
    for missing, found, sign in ((expected, actual, '-'), (actual, expected, '+')):
        others = Counter(canonical(e) for e in found if not equal_names(e))
        for equation in missing:
            if not equal_names(equation):
                key = canonical(equation)
                lines += [] if others[key] > 0 else [f'{sign} {equation}']
                others[key] -= 1
        sets = groups(filter(None, map(equal_names, missing))) - groups(filter(None, map(equal_names, found)))
        lines += [f'{sign} {equal}' for equal in sorted(sets)]
    if not lines and len(expected) != len(actual):
        lines = [f'{len(expected)} equations expected, {len(actual)} found: some are written twice']
    return lines
