"""Builds FMUs with options, unpacks them, and runs their libraries by a small host program in C."""
import os
import subprocess
import xml.etree.ElementTree as ElementTree
import zipfile

from program import ProgramTest

SOURCES = os.path.abspath(os.environ.get('SOURCES', '.'))
HERE = os.path.dirname(os.path.abspath(__file__))
DECAY = '''model decay
  parameter k = 2
  local x
  der(x, 1) = -k*x
end
'''
GROWTH = DECAY.replace('decay', 'growth').replace('-k', 'k')


class LibraryTest(ProgramTest):
    def run_command(self, *command, environment=None, timeout=250):
        done = subprocess.run(command, cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=timeout, check=False, env=dict(os.environ, **(environment or {})))
        self.assertEqual(done.returncode, 0, ' '.join(command) + '\n' + done.stdout + done.stderr)
        return done

    def build(self, model, fmu, *options, code=0):
        environment = {'FMUGEN_LIBRARY': os.path.join(SOURCES, 'models')}
        result, _, err = self.run_program('build', model, '-o', fmu + '.fmu', *options, environment=environment)
        self.assertEqual(result, code, err)
        if code == 0:
            with zipfile.ZipFile(self.path(fmu + '.fmu')) as archive:
                archive.extractall(self.path(fmu))
        return err

    def example(self, name):
        return os.path.join(SOURCES, 'models', 'examples', name, name + '.dym')

    def description(self, fmu):
        return ElementTree.fromstring(self.read(fmu + '/modelDescription.xml'))

    def units(self, fmu):
        """The files of SourceFiles, which are the same for both kinds."""
        lists = [[f.get('name') for f in self.description(fmu).find(kind).iter('File')]
                 for kind in ('ModelExchange', 'CoSimulation')]
        self.assertEqual(lists[0], lists[1])
        return lists[0]

    def reference(self, fmu, name):
        found = [v for v in self.description(fmu).iter('ScalarVariable') if v.get('name') == name]
        return found[0].get('valueReference')

    def host(self, compiler='cc', program='host'):
        libraries = [] if 'mingw' in compiler else ['-ldl']
        self.run_command(compiler, '-std=gnu11', '-I' + SOURCES,
                         os.path.join(HERE, 'fmu_host.c'), '-o', program, *libraries)

    def values(self, fmu, library, kind, stop, step, names, start=('./host',), environment=None):
        """Rows of time and values, as the library computes them."""
        xml = self.description(fmu)
        states = len(list(xml.find('ModelStructure').iterfind('Derivatives/Unknown')))
        arguments = [library, xml.get('guid'), kind, str(stop), str(step), str(states),
                     xml.get('numberOfEventIndicators'), *(self.reference(fmu, name) for name in names)]
        done = self.run_command(*start, *arguments, environment=environment)
        return [[float(word) for word in line.split()] for line in done.stdout.splitlines()]

    def assert_close(self, rows, expected, tolerance):
        self.assertEqual(len(rows), len(expected))
        for row, other in zip(rows, expected):
            for value, wanted in zip(row, other):
                self.assertLessEqual(abs(value - wanted), tolerance * max(1.0, abs(wanted)), (row, other))
