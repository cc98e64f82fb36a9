#!/usr/bin/env python3
"""fmugen build --source: what a stranger compiles is the FMU."""
import math
import os
import shutil
import unittest
import xml.etree.ElementTree as ElementTree
import zipfile

from fmu_library import DECAY, GROWTH, HERE, SOURCES, LibraryTest

STRICT = ('-std=c11', '-Wall', '-Wextra', '-Werror')
COMPILERS = [c for c in ('gcc', 'clang') if shutil.which(c)]


class Source(LibraryTest):
    def compile(self, fmu, library, *options, compiler='cc'):
        units = [f'{fmu}/sources/{unit}' for unit in self.units(fmu)]
        self.run_command(compiler, '-O2', '-ffp-contract=off', '-fPIC', '-shared', *options, '-o', library, *units,
                         '-lm')

    def symbols(self, file, *options):
        lines = self.run_command('nm', '--defined-only', *options, file).stdout.splitlines()
        return [line.split()[2] for line in lines if len(line.split()) == 3]

    def test_the_listed_files_are_the_c_files_of_the_folder_and_of_the_build_description(self):
        self.write('decay.dym', DECAY)
        for option in ('--source', '--source=full'):
            self.build('decay.dym', 'decay', option)
            in_folder = {f for f in os.listdir(self.path('decay/sources')) if f.endswith('.c')}
            self.assertEqual(set(self.units('decay')), in_folder)
            described = ElementTree.fromstring(self.read('decay/sources/buildDescription.xml'))
            self.assertEqual([f.get('name') for f in described.iter('SourceFile')], self.units('decay'))
            self.assertEqual(self.run_program('validate', 'decay.fmu', '--strict')[0], 0)
            self.assertIn('sources/', self.read('decay/documentation/index.html'))
            self.assertTrue(os.path.exists(self.path('decay/documentation/licenses/fmugen.txt')))
            shutil.rmtree(self.path('decay'))

    def test_compilers_have_nothing_to_say_and_only_fmi_is_seen(self):
        self.write('decay.dym', DECAY)
        self.build('decay.dym', 'decay', '--source')
        self.assertEqual(self.units('decay'), ['all.c'])
        for compiler in COMPILERS:
            self.compile('decay', compiler + '.so', *STRICT, compiler=compiler)
            names = self.symbols(compiler + '.so', '--dynamic')
            self.assertIn('fmi2DoStep', names)
            self.assertEqual([n for n in names if not n.startswith('fmi2')], [])

    def test_the_same_solver_gives_the_same_bits(self):
        self.host()
        for name, variable in (('motorload', 'load.Omega'), ('sampled', 'plant.y')):
            self.build(self.example(name), name, '--source', '--solver', 'dopri45')
            self.compile(name, name + '.so')
            for kind in ('cs', 'me'):
                run = [self.values(name, library, kind, 2, 0.1, [variable])
                       for library in (f'./{name}.so', f'./{name}/binaries/linux64/{name}.so')]
                self.assertEqual(*run)

    def test_without_sundials_dormand_prince_takes_its_place_and_says_so(self):
        self.write('decay.dym', DECAY)
        err = self.build('decay.dym', 'decay', '--source')
        self.assertIn('note: the sources are without SUNDIALS: compiled from them, the FMU integrates by dopri45 instead '
                      'of cvode; --source=full packs it\n', err)
        self.compile('decay', 'decay.so')
        self.host()
        rows = self.values('decay', './decay.so', 'cs', 1, 0.5, ['x'])
        self.assert_close(rows, [[t, math.exp(-2*t)] for t in (0, 0.5, 1)], 1e-5)

    def test_with_sundials_the_bits_are_those_of_the_binary(self):
        self.build(self.example('motorload'), 'motorload', '--source=full', '--solver', 'cvode')
        self.compile('motorload', 'motorload.so', *STRICT)
        self.assertEqual([n for n in self.symbols('motorload.so', '--dynamic') if not n.startswith('fmi2')], [])
        self.host()
        run = [self.values('motorload', library, 'cs', 2, 0.1, ['load.Omega'])
               for library in ('./motorload.so', './motorload/binaries/linux64/motorload.so')]
        self.assert_close(run[0], run[1], 1e-9)  # the libraries were compiled with other options

    def test_klu_is_packed_where_it_is_linked_in(self):
        self.write('decay.dym', DECAY)
        self.build('decay.dym', 'decay', '--source=full', '--linear', 'klu')
        self.assertTrue(os.path.exists(self.path('decay/sources/klu/klu_kernel.c')))
        self.assertTrue(os.path.exists(self.path('decay/documentation/licenses/suitesparse-klu.txt')))
        self.compile('decay', 'decay.so', *STRICT, '-O0')
        self.host()
        self.assert_close(self.values('decay', './decay.so', 'cs', 1, 1, ['x']), [[0, 1], [1, math.exp(-2)]], 1e-5)

    def test_two_fmus_fit_into_one_program(self):
        self.write('decay.dym', DECAY)
        self.write('growth.dym', GROWTH)
        for option in ('--source', '--source=full'):
            objects = []
            for model, prefix in (('decay', 'one_'), ('growth', 'two_')):
                self.build(model + '.dym', model, option)
                for unit in self.units(model):
                    objects.append(f'{model}_{unit}.o')
                    self.run_command('cc', '-O0', '-DFMI2_FUNCTION_PREFIX=' + prefix, '-c', f'{model}/sources/{unit}',
                                     '-o', objects[-1])
                    self.assertEqual([n for n in self.symbols(objects[-1], '--extern-only') if not n.startswith(prefix)],
                                     [])
            self.run_command('cc', '-I' + SOURCES, os.path.join(HERE, 'two_fmus.c'), *objects,
                             '-o', 'both', '-lm')
            out = self.run_command('./both', *(self.description(m).get('guid') for m in ('decay', 'growth')),
                                   *(self.reference(m, 'x') for m in ('decay', 'growth'))).stdout
            self.assert_close([[float(x) for x in out.split()]], [[math.exp(-2), math.exp(2)]], 1e-4)

    def test_c_files_of_the_model_and_their_headers_come_along(self):
        self.write('parts/f.c', '#include "f.h"\ndouble f(double x) { return FACTOR*x; }\n')
        self.write('parts/f.h', '#define FACTOR 3.0\n')
        self.write('outside.dym', 'external function y = f(x) "parts/f.c"\nmodel outside\n  local x\n'
                                  '  der(x, 1) = -f(x)\nend\n')
        self.build('outside.dym', 'outside', '--source', '--solver', 'dopri45')
        self.assertEqual(self.units('outside'), ['all.c', 'external_1.c'])
        shutil.rmtree(self.path('parts'))
        self.compile('outside', 'outside.so', '-fvisibility=hidden', *STRICT)
        self.host()
        self.assert_close(self.values('outside', './outside.so', 'cs', 1, 1, ['x']), [[0, 1], [1, math.exp(-3)]], 1e-4)

    def test_nothing_tells_where_it_was_built(self):
        self.write('decay.dym', DECAY)
        self.build('decay.dym', 'decay', '--source=full')
        for folder, _, files in os.walk(self.path('decay')):
            for file in files:
                with open(os.path.join(folder, file), 'rb') as content:
                    data = content.read()
                for place in (SOURCES, self.folder, os.path.expanduser('~') + '/'):
                    self.assertNotIn(place.encode(), data, os.path.join(folder, file))

    def test_the_same_model_gives_the_same_bytes(self):
        self.write('decay.dym', DECAY)
        self.build('decay.dym', 'a', '--source')
        self.build('decay.dym', 'b', '--source')
        with open(self.path('a.fmu'), 'rb') as a, open(self.path('b.fmu'), 'rb') as b:
            self.assertEqual(a.read(), b.read())

    def test_other_values_are_refused(self):
        self.write('decay.dym', DECAY)
        self.assertIn("--source: expected plain or full, got 'some'",
                      self.build('decay.dym', 'decay', '--source=some', code=2))

    def test_without_the_option_there_are_no_sources(self):
        self.write('decay.dym', DECAY)
        self.build('decay.dym', 'decay')
        with zipfile.ZipFile(self.path('decay.fmu')) as archive:
            self.assertEqual([n for n in archive.namelist() if n.startswith('sources')], [])
        self.assertEqual(self.units('decay'), [])


if __name__ == '__main__':
    unittest.main()
