#!/usr/bin/env python3
"""The golden runner must notice everything it is there to notice. The program is a stand-in: a shell script that prints
the model to standard output, or, if it begins with 'bad', to standard error."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import equations

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = '''#!/bin/sh
case "$(head -c 3 "$2")" in
  bad) cat "$2" >&2; exit 1 ;;
  war) echo "$2: warning" >&2 ;;
esac
shift 2
[ "$1" != --format ] || { echo '{"equations": [{"text": "a = b"}, {"text": "x - 2*y = 0"}]}'; exit 0; }
[ $# -eq 0 ] || echo "options: $*"
echo done
'''


class Runner(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.root)
        for script in ('run.py', 'equations.py'):
            shutil.copy(os.path.join(HERE, script), self.root)
        self.program = os.path.join(self.root, 'program')
        self.write('program', PROGRAM)
        os.chmod(self.program, 0o755)

    def write(self, path, text):
        path = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'w', encoding='utf-8') as file:
            file.write(text)

    def read(self, path):
        with open(os.path.join(self.root, path), encoding='utf-8') as file:
            return file.read()

    def run_golden(self, *arguments):
        result = subprocess.run([sys.executable, os.path.join(self.root, 'run.py'), '--binary', self.program,
                                 *arguments], capture_output=True, text=True, check=False)
        return result.returncode, result.stdout

    def test_passes_when_texts_agree(self):
        self.write('good/flat/a.dym', 'model\n')
        self.write('good/flat/a.expected', 'done\n')
        self.write('bad/names/b.dym', 'bad\n')
        self.write('bad/names/b.expected', 'bad\n')
        self.assertEqual(self.run_golden(), (0, 'golden: 2 passed, 0 failed\n'))

    def test_shows_a_difference(self):
        self.write('good/flat/a.dym', 'model\n')
        self.write('good/flat/a.expected', 'gone\n')
        code, out = self.run_golden()
        self.assertEqual(code, 1)
        self.assertIn('-gone\n+done\n', out)

    def test_fails_without_expectation(self):
        self.write('good/flat/a.dym', 'model\n')
        code, out = self.run_golden()
        self.assertEqual(code, 1)
        self.assertIn('good/flat/a.expected is missing', out)

    def test_fails_without_model(self):
        self.write('good/flat/a.expected', 'done\n')
        code, out = self.run_golden()
        self.assertEqual(code, 1)
        self.assertIn('good/flat/a.expected belongs to no model', out)

    def test_fails_on_the_wrong_exit_code(self):
        self.write('good/flat/a.dym', 'bad\n')
        self.write('good/flat/a.expected', '')
        self.write('bad/names/b.dym', 'model\n')
        self.write('bad/names/b.expected', '')
        code, out = self.run_golden()
        self.assertEqual(code, 1)
        self.assertIn('exit code 1 instead of 0', out)
        self.assertIn('exit code 0 instead of 1', out)

    def test_fails_on_an_unexpected_warning(self):
        self.write('good/flat/a.dym', 'warn\n')
        self.write('good/flat/a.expected', 'done\n')
        code, out = self.run_golden()
        self.assertEqual(code, 1)
        self.assertIn('+a.dym: warning\n', out)
        self.write('good/flat/a.stderr', 'a.dym: warning\n')
        self.assertEqual(self.run_golden()[0], 0)

    def test_passes_options_on(self):
        self.write('good/flat/a.dym', '{ options: --set "x = 1" } model\n')
        self.write('good/flat/a.expected', 'options: --set x = 1\ndone\n')
        self.write('good/flat/b.dym', 'model\n')
        self.write('good/flat/b.options', '--strict\n')
        self.write('good/flat/b.expected', 'options: --strict\ndone\n')
        self.assertEqual(self.run_golden('good/flat'), (0, 'golden: 2 passed, 0 failed\n'))

    def test_checks_equations_written_by_hand(self):
        self.write('good/flat/a.dym', 'model\n')
        self.write('good/flat/a.expected', 'done\n')
        self.write('good/flat/a.equations', '2*y = z\n\nb = a\n')
        self.assertEqual(self.run_golden(), (1, "--- good/flat/a\na.equations (-) and the program (+) differ:\n"
                                             "- 2*y = z\n+ x - 2*y = 0\n\ngolden: 0 passed, 1 failed\n"))
        self.write('good/flat/a.equations', '0 = 2*y - x\nb = a\n')
        self.assertEqual(self.run_golden(), (0, 'golden: 1 passed, 0 failed\n'))

    def test_updates_texts_but_never_exit_codes(self):
        self.write('good/flat/a.dym', 'warn\n')
        self.write('bad/names/b.dym', 'model\n')
        self.write('bad/names/b.expected', 'old\n')
        code, _ = self.run_golden('--update')
        self.assertEqual(code, 1)
        self.assertEqual(self.read('good/flat/a.expected'), 'done\n')
        self.assertEqual(self.read('good/flat/a.stderr'), 'a.dym: warning\n')
        self.assertEqual(self.read('bad/names/b.expected'), 'old\n')


class Equations(unittest.TestCase):
    def test_same(self):
        for left, right in ((['a = b', 'b = c'], ['c = a', 'b = a']), (['x - y = 0'], ['y = x']),
                            (['-R1.I + C.I + R2.I = 0'], ['R1.I - C.I = R2.I']),
                            (['C*der(v) = i - 2*(a - b)'], ['0 = -C*der(v) - 2*(a - b) + i']),
                            (['x = 1E-3*y + z'], ['z = x - 1E-3*y']), (['a = -b*c'], ['a + b*c = 0']),
                            (['x = y', 'x = 1'], ['x = 1', 'y = x'])):
            self.assertEqual(equations.compare(left, right), [], (left, right))

    def test_different(self):
        for left, right in ((['a = b', 'b = c'], ['a = b']), (['x - y = 0'], ['x + y = 0']),
                            (['a = b', 'c = d'], ['a = c', 'b = d']), (['a = b', 'b = c'], ['a = b', 'b = c', 'c = a']),
                            (['x = 1'], ['x = 1', 'x = 1']), (['x = 1'], ['x = -1']),
                            (['x = 2*(a - b)'], ['x = 2*(b - a)'])):
            self.assertNotEqual(equations.compare(left, right), [], (left, right))


unittest.main()
