#!/usr/bin/env python3
"""fmugen build: what it writes, what it says, and that it leaves nothing behind when it fails."""
import os
import shutil
import unittest
import xml.etree.ElementTree as ElementTree
import zipfile

from program import BUILD, ProgramTest

SOURCES = os.path.abspath(os.environ.get('SOURCES', '.'))
DECAY = '''model decay
  parameter k = 2
  der(x, 1) = -k*x
end
'''


class Build(ProgramTest):
    def build(self, *arguments, environment=None, code=0):
        environment = {'FMUGEN_LIBRARY': os.path.join(SOURCES, 'models'), **(environment or {})}
        result, out, err = self.run_program('build', *arguments, environment=environment)
        self.assertEqual(result, code, err)
        return out, err

    def files(self):
        return sorted(set(os.listdir(self.folder)) - {'pair.dym'})

    def description(self, fmu):
        with zipfile.ZipFile(self.path(fmu)) as archive:
            return ElementTree.fromstring(archive.read('modelDescription.xml'))

    def variables(self, fmu):
        return {v.get('name'): v for v in self.description(fmu).iter('ScalarVariable')}

    def test_an_fmu_appears_beside_the_model_without_a_word(self):
        self.write('decay.dym', DECAY)
        self.assertEqual(self.build('decay.dym'), ('', self.warning_of_x()))
        with zipfile.ZipFile(self.path('decay.fmu')) as archive:
            self.assertEqual(archive.namelist(),
                             ['modelDescription.xml', 'binaries/linux64/decay.so', 'documentation/index.html',
                              'documentation/licenses/sundials.txt', 'model.png'])
            self.assertIn(b'der(x)', archive.read('documentation/index.html'))
        self.assertEqual(self.files(), ['decay.dym', 'decay.fmu'])

    def test_without_solvers_a_message_says_who_makes_them(self):
        self.write('decay.dym', DECAY)
        kit = os.path.join(BUILD, 'lib', 'fmugen')
        shutil.copytree(kit, self.path('kit'))
        os.remove(self.path('kit/libsundials.a'))
        _, err = self.build('decay.dym', environment={'FMUGEN_RUNTIME': self.path('kit')}, code=1)
        self.assertIn("error: this fmugen has no solvers for FMUs, which the model needs: '" +
                      self.path('kit/libsundials.a') + "' is missing; scripts/build-sundials makes them, then build "
                      'fmugen again\n', err)
        self.assertNotIn('undefined reference', err)
        self.assertEqual(self.files(), ['decay.dym', 'kit'])

    def test_statistics_name_every_stage(self):
        self.write('decay.dym', DECAY)
        out, _ = self.build('decay.dym', '--stats')
        stages = [line.split(': ')[0] for line in out.splitlines() if line.startswith('seconds to ')]
        self.assertEqual(stages, ['seconds to ' + stage for stage in
                                  ['flatten', 'sort', 'generate', 'describe', 'write XML', 'check XML', 'document',
                                   'wait for the compiler', 'compile', 'pack', 'build']])

    def warning_of_x(self):
        return self.run_program('check', 'decay.dym')[2]

    def test_the_same_model_gives_the_same_bytes(self):
        self.write('decay.dym', DECAY)
        self.build('decay.dym', '-o', 'a.fmu')
        self.build('decay.dym', '-o', 'b.fmu', environment={'TZ': 'Asia/Tokyo'})
        with open(self.path('a.fmu'), 'rb') as a, open(self.path('b.fmu'), 'rb') as b:
            self.assertEqual(a.read(), b.read())

    def test_another_model_has_another_guid(self):
        self.write('decay.dym', DECAY)
        self.build('decay.dym', '-o', 'a.fmu')
        self.build('decay.dym', '-o', 'b.fmu', '--set', 'k=3')
        self.assertNotEqual(self.description('a.fmu').get('guid'), self.description('b.fmu').get('guid'))
        self.assertEqual(self.variables('b.fmu')['k'].find('Real').get('start'), '3')

    def test_the_solver_is_the_one_asked_for(self):
        self.write('decay.dym', DECAY)
        self.build('decay.dym', '--solver', 'rk4')
        solver = self.variables('decay.fmu')['_fmu.solver'].find('Enumeration')
        self.assertEqual(solver.get('start'), '8')

    def test_the_experiment_may_name_the_solver(self):
        for name, options, number in (('heun', (), '7'), ('heun', ('--solver', 'rk4'), '8')):
            self.write('decay.dym', DECAY.replace('end', f'  experiment stop 1 solver {name}\nend'))
            self.build('decay.dym', *options)
            solver = self.variables('decay.fmu')['_fmu.solver'].find('Enumeration')
            self.assertEqual(solver.get('start'), number)
        self.write('decay.dym', DECAY.replace('end', '  experiment stop 1 solver magic\nend'))
        _, err = self.build('decay.dym')
        self.assertIn("note: the experiment asks for the solver 'magic', which is not known: it is chosen", err)

    def test_frozen_parameters_are_named_with_what_to_do(self):
        self.write('chain.dym', '''model chain
  structure parameter n = 3
  local x[n]
  der(x[1], 1) = -x[1]
  for i := 2 to n do
    x[i] = 2*x[i - 1]
  end
end
''')
        _, err = self.build('chain.dym')
        self.assertIn("note: 'n' is a constant of the FMU, since it shapes the equations; build with --set n=... to "
                      'change it\n', err)
        with zipfile.ZipFile(self.path('chain.fmu')) as archive:
            page = archive.read('documentation/index.html').decode()
        self.assertIn("<li>'n' is a constant of the FMU, since it shapes the equations; build with --set n=... to change "
                      'it</li>', page)
        self.assertIn('<td>n</td><td>local, constant</td><td>3</td>', page)
        n = self.variables('chain.fmu')['n']
        self.assertEqual((n.get('variability'), n.find('Real').get('start')), ('constant', '3'))

    def test_parameters_can_be_made_tunable(self):
        self.write('lag.dym', '''model lag
  parameter k = 2, k2 = 2*k, T = 0.1, free(tunable = false) = 1
  der(x, 1) = -k2*delay(x, T) + free
end
''')
        _, err = self.build('lag.dym', '--tunable', 'k')
        self.assertNotIn('tunable', err)
        kinds = {name: (v.get('causality'), v.get('variability')) for name, v in self.variables('lag.fmu').items()}
        self.assertEqual(kinds['k'], ('parameter', 'tunable'))
        self.assertEqual(kinds['k2'], ('calculatedParameter', 'tunable'))
        self.assertEqual(kinds['T'], ('parameter', 'fixed'))
        _, err = self.build('lag.dym', '--tunable', 'all')
        self.assertIn("note: 'T' is not tunable: how much a delay remembers depends on it\n", err)
        kinds = {name: v.get('variability') for name, v in self.variables('lag.fmu').items()}
        self.assertEqual([kinds[name] for name in ('k', 'k2', 'T', 'free')], ['tunable', 'tunable', 'fixed', 'fixed'])
        with zipfile.ZipFile(self.path('lag.fmu')) as archive:
            page = archive.read('documentation/index.html').decode()
        self.assertIn('<td>k</td><td>parameter, tunable</td>', page)
        self.assertIn("'T' is not tunable: how much a delay remembers depends on it", page)

    def test_a_parameter_that_cannot_be_tunable_is_an_error(self):
        self.write('decay.dym', DECAY)
        _, err = self.build('decay.dym', '--tunable', 'kk', code=1)
        self.assertIn("error: --tunable: there is no parameter 'kk'\nnote: did you mean 'k'?\n", err)
        _, err = self.build('decay.dym', '--tunable', 'x', code=1)
        self.assertIn("decay.dym:3:7: error: 'x' cannot be tunable: it is no parameter\n", err)

    def test_the_interface_alone_can_be_exposed(self):
        example = os.path.join(SOURCES, 'models', 'examples', 'motorload', 'motorload.dym')
        self.build(example, '-o', 'all.fmu')
        self.build(example, '-o', 'interface.fmu', '--expose', 'interface')
        everything, interface = self.variables('all.fmu'), self.variables('interface.fmu')
        self.assertIn('motor.Tload', everything)
        self.assertNotIn('motor.Tload', interface)
        self.assertTrue({'U', 'motor.R', 'load.Omega', 'der(load.Omega)'} <= set(interface))

    def test_a_mistake_in_the_model_leaves_the_old_fmu_alone(self):
        self.write('decay.dym', DECAY)
        self.build('decay.dym')
        with open(self.path('decay.fmu'), 'rb') as file:
            before = file.read()
        self.write('decay.dym', DECAY.replace('-k*x', '-k*'))
        self.build('decay.dym', code=1)
        with open(self.path('decay.fmu'), 'rb') as file:
            self.assertEqual(file.read(), before)

    def test_what_the_compiler_says_of_an_external_function_is_shown(self):
        self.write('f.c', 'double f(double x) { return y; }\n')
        self.write('outside.dym', 'external function y = f(x) "f.c"\nmodel outside\n  der(x, 1) = -f(x)\nend\n')
        _, err = self.build('outside.dym', code=1)
        self.assertIn('f.c:1:', err)
        self.assertIn("'y' undeclared", err.replace('‘', "'").replace('’', "'"))
        self.assertTrue(err.endswith('error: the C compiler rejects the code\n'), err)
        self.assertIn("note: 'f' is declared external at outside.dym:1 with this C file\n", err)
        self.assertEqual(self.files(), ['f.c', 'outside.dym'])

    def test_a_function_that_the_c_file_lacks_is_named(self):
        self.write('f.c', 'double g(double x) { return x; }\n')
        self.write('outside.dym', 'external function y = f(x) "f.c"\nmodel outside\n  der(x, 1) = -f(x)\nend\n')
        _, err = self.build('outside.dym', code=1)
        self.assertIn("error: the linker cannot put the FMU's library together\n", err)
        self.assertIn("note: 'f' is declared external at outside.dym:1, but no C file given there defines it\n", err)

    def test_without_a_compiler_the_message_says_what_to_install(self):
        self.write('decay.dym', DECAY)
        _, err = self.build('decay.dym', environment={'CC': 'no-such-compiler'}, code=1)
        self.assertTrue(err.endswith("error: cannot run the C compiler 'no-such-compiler': No such file or directory; "
                                     'install one (Debian: apt-get install gcc libc6-dev) or name yours in CC\n'), err)
        self.assertEqual(self.files(), ['decay.dym'])

    def test_a_folder_that_is_not_there_is_an_error(self):
        self.write('decay.dym', DECAY)
        _, err = self.build('decay.dym', '-o', 'nowhere/decay.fmu', code=1)
        self.assertRegex(err, "error: cannot write 'nowhere/decay.fmu': .*No such file or directory\n$")

    def test_the_model_is_not_overwritten(self):
        self.write('decay.dym', DECAY)
        _, err = self.build('decay.dym', '-o', './decay.dym', code=1)
        self.assertIn("error: the result would overwrite the model './decay.dym'\n", err)
        self.assertEqual(self.read('decay.dym'), DECAY)

    def test_limits_that_a_start_value_breaks_are_named(self):
        self.write('limit.dym', 'model limit\n  parameter a(min=0, max=1) = 2\n  local x\n  der(x, 1) = -a*x\nend\n')
        _, err = self.build('limit.dym')
        self.assertIn("note: 'a' starts above its max, which FMI does not allow; the FMU does without that limit\n", err)
        real = self.variables('limit.fmu')['a'].find('Real')
        self.assertEqual((real.get('min'), real.get('max')), ('0', None))

    def test_cuts_are_terminals(self):
        self.write('pipe.dym', '''model pipe
  parameter C = 2
  terminal V I
  cut pin (V / I) "plus"
  C*der(V) = I
end
''')
        self.build('pipe.dym', '--terminals', 'official')
        with zipfile.ZipFile(self.path('pipe.fmu')) as archive:
            text = archive.read('extra/io.github.fmugen/terminalsAndIcons.xml')
            self.assertEqual(archive.read('terminalsAndIcons/terminalsAndIcons.xml'), text)
        terminal = ElementTree.fromstring(text).find('Terminals/Terminal')
        self.assertEqual(terminal.get('name'), 'pin')
        members = {m.get('memberName'): (m.get('variableName'), m.get('variableKind')) for m in terminal}
        self.assertEqual(members['V'][1], 'signal')
        self.assertEqual(members['I'][1], 'inflow')
        self.assertTrue({name for name, _ in members.values()} <= set(self.variables('pipe.fmu')))
        self.assertIsNotNone(self.description('pipe.fmu').find('VendorAnnotations/Tool/fmiTerminalsAndIcons/Terminals'))

    def test_options_are_checked(self):
        self.write('decay.dym', DECAY)
        for arguments, text in ((('--solver', 'magic'), 'expected auto, cvode, adams, ida, dopri45, euler, heun or rk4'),
                                (('--linear', 'magic'), 'expected auto, dense or klu'),
                                (('--linear', 'superlu'), 'SuperLU is not part of this build'),
                                (('--terminals', 'nowhere'), 'expected extra or official'),
                                (('--expose', 'nothing'), 'expected all or interface')):
            self.assertIn(text, self.build('decay.dym', *arguments, code=2)[1])
        self.assertEqual(self.files(), ['decay.dym'])


if __name__ == '__main__':
    unittest.main()
