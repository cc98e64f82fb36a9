"""Runs the program under test in an empty folder."""
import os
import shutil
import subprocess
import tempfile
import unittest

FMUGEN = os.path.abspath(os.environ.get('FMUGEN', 'build/bin/fmugen'))
BUILD = os.path.abspath(os.environ.get('BUILD', 'build'))
SANITIZED = 'sanitize' in os.path.basename(BUILD)  # needs too much address space to be given little

PAIR = '''model pair
  parameter a = 2
  local x y
  a*x = 4
  y = x + 1
end
'''


class ProgramTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.write('pair.dym', PAIR)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), 'w', encoding='utf-8') as file:
            file.write(text)

    def read(self, name):
        with open(self.path(name), encoding='utf-8') as file:
            return file.read()

    def run_program(self, *arguments, program=FMUGEN, stdout=subprocess.PIPE, environment=None, before=None):
        """Exit code, standard output, standard error."""
        result = subprocess.run([program, *arguments], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=stdout,
                                stderr=subprocess.PIPE, text=True, timeout=120, check=False,
                                env=dict(os.environ, LC_ALL='C', **(environment or {})), preexec_fn=before)
        return result.returncode, result.stdout, result.stderr

    def check(self, arguments, code, out, err):
        self.assertEqual(self.run_program(*arguments), (code, out, err))
