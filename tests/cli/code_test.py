#!/usr/bin/env python3
"""`fmugen code`: files of bounded size whose amount follows the number of equation shapes."""
import os
import unittest

from program import ProgramTest

CHAIN = '''model chain
  parameter n = %d
  local x[n], q[n]
  input u
  der(x[1]) = q[1] - 2*x[1]
  for i := 2 to n do der(x[i]) = q[i] - q[i-1]*sin(x[i]) end
  for i := 1 to n-1 do q[i] = x[i+1] - x[i] end
  q[n] = u - x[n]
end
'''


def different(n):
    """A model of n states in which no two equations have the same shape."""
    rates = (f'  der(x[{i}]) = -{i + 2}*x[{i}] + sin({i + 2}*x[{(i % n) + 1}])\n' for i in range(1, n + 1))
    return f'model different\n  local x[{n}](start=1)\n' + ''.join(rates) + 'end\n'


class Code(ProgramTest):
    def code_of(self, model, folder='out'):
        self.write('model.dym', model)
        self.check(['code', 'model.dym', '-o', folder], 0, '', '')
        return {name: self.read(os.path.join(folder, name)) for name in sorted(os.listdir(self.path(folder)))}

    def test_files_in_a_folder_are_those_on_standard_output(self):
        files = self.code_of(CHAIN % 3)
        self.assertEqual(sorted(files), ['equations_1.c', 'initial_1.c', 'model.c', 'model.h'])
        code, out, err = self.run_program('code', 'model.dym')
        self.assertEqual((code, err), (0, ''))
        for name, text in files.items():
            self.assertIn(f'/* ---- {name} */\n{text}', out)

    def test_code_is_the_same_each_time(self):
        self.assertEqual(self.code_of(CHAIN % 20, 'one'), self.code_of(CHAIN % 20, 'two'))

    def test_functions_do_not_grow_with_the_model(self):
        def functions(files):
            return sum(text.count(') {\n') for text in files.values())
        small, large = self.code_of(CHAIN % 20, 'small'), self.code_of(CHAIN % 5000, 'large')
        self.assertEqual(functions(small), functions(large))
        self.assertLessEqual(len(large), len(small) + 1)  # tables grow, and a file has a limited size

    def test_files_stay_small_where_nothing_repeats(self):
        files = self.code_of(different(3000))
        equations = [text for name, text in files.items() if name.startswith('equations_')]
        self.assertGreater(len(equations), 15)
        for text in equations:
            self.assertLess(text.count('\n'), 3000)

    def test_a_folder_that_cannot_be_made(self):
        self.write('file', '')
        code, out, err = self.run_program('code', 'pair.dym', '-o', 'file')
        self.assertEqual((code, out), (1, ''))
        self.assertEqual(err, "error: cannot write 'file/model.h': Not a directory\n")


if __name__ == '__main__':
    unittest.main()
