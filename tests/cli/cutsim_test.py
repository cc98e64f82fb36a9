#!/usr/bin/env python3
"""cutsim as a user sees it: numbers of our own FMUs, and what it says about broken ones."""
import csv
import math
import os
import shutil
import signal
import stat
import subprocess
import unittest
import xml.etree.ElementTree as ElementTree
import zipfile

from program import FMUGEN, ProgramTest

CUTSIM = os.path.abspath(os.environ.get('CUTSIM', 'build/bin/cutsim'))
SOURCES = os.path.abspath(os.environ.get('SOURCES', '.'))
FAULTY = os.path.join(SOURCES, 'tests/cli/faulty_fmu.c')
DECAY = '''model decay
  parameter k = 2
  local x(start=1)
  x' = -k*x
  experiment stop 2 step 0.1
end
'''
DESCRIPTION = '''<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="counter" guid="counter">
<CoSimulation modelIdentifier="counter" {}/>
<DefaultExperiment stopTime="1" stepSize="0.25"/>
<ModelVariables><ScalarVariable name="x" valueReference="1" causality="output"><Real/></ScalarVariable>
<ScalarVariable name="p" valueReference="2" causality="parameter" variability="fixed"><Real start="1"/></ScalarVariable>
</ModelVariables><ModelStructure/></fmiModelDescription>
'''


class Cutsim(ProgramTest):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path('temporary'))
        self.addCleanup(self.check_nothing_left)  # before the folder is removed: the last clean-up runs first

    def check_nothing_left(self):
        self.assertEqual(os.listdir(self.path('temporary')), [])

    def cutsim(self, *arguments, code=0):
        # After fmi2Fatal not even memory may be freed, so leaks are not looked for.
        environment = {'TMPDIR': self.path('temporary'), 'ASAN_OPTIONS': 'detect_leaks=0'}
        result, out, err = self.run_program(*arguments, program=CUTSIM, environment=environment)
        self.assertEqual(result, code, err)
        return out, err

    def build(self, name, text, *arguments):
        self.write(name + '.dym', text)
        result, _, err = self.run_program('build', name + '.dym', *arguments, program=FMUGEN,
                                          environment={'FMUGEN_LIBRARY': os.path.join(SOURCES, 'models')})
        self.assertEqual(result, 0, err)

    def rows(self, text):
        return list(csv.DictReader(text.splitlines()))


class OurOwn(Cutsim):
    def test_numbers_are_those_of_the_solution(self):
        self.build('decay', DECAY)
        out, err = self.cutsim('run', 'decay.fmu', '--record', 'x')
        self.assertEqual(err, '')
        rows = self.rows(out)
        self.assertEqual(list(rows[0]), ['time', 'x'])
        self.assertEqual(len(rows), 21)
        for k, row in enumerate(rows):
            self.assertEqual(float(row['time']), min(k * 0.1, 2.0))
            self.assertAlmostEqual(float(row['x']), math.exp(-2 * float(row['time'])), delta=1e-5)

    def test_options_of_a_run(self):
        self.build('decay', DECAY)
        out, err = self.cutsim('run', 'decay.fmu', '--start', '1', '--stop', '2.25', '--step', '0.5', '--tolerance',
                               '1e-9', '--set', 'k=3', '--set', 'x=4', '--record', 'x', '--record', 'k',
                               '-o', 'out.csv')
        self.assertEqual((out, err), ('', ''))
        rows = self.rows(self.read('out.csv'))
        self.assertEqual([row['time'] for row in rows], ['1', '1.5', '2', '2.25'])
        self.assertEqual([row['k'] for row in rows], ['3'] * 4)
        for row in rows:
            self.assertAlmostEqual(float(row['x']), 4 * math.exp(-3 * (float(row['time']) - 1)), delta=1e-7)

    def test_every_variable_is_recorded_unless_some_are_chosen(self):
        self.build('decay', DECAY)
        names = self.cutsim('run', 'decay.fmu')[0].split('\n')[0].split(',')
        self.assertEqual(names[:3], ['time', 'k', 'x'])
        self.assertIn('der(x)', names)

    def test_a_plot_is_an_svg_picture(self):
        self.build('decay', DECAY)
        self.cutsim('run', 'decay.fmu', '-o', 'out.csv', '--plot', 'out.svg')
        root = ElementTree.fromstring(self.read('out.svg'))
        self.assertEqual(root.tag, '{http://www.w3.org/2000/svg}svg')
        texts = [t.text for t in root.iter('{http://www.w3.org/2000/svg}text')]
        self.assertIn('decay', texts)
        self.assertIn('x', texts)
        self.assertIn('time [s]', texts)

    def test_info(self):
        self.build('decay', DECAY)
        out, err = self.cutsim('info', 'decay.fmu')
        self.assertEqual(err, '')
        self.assertTrue(out.startswith('decay (decay.fmu)\nFMI 2.0, made by fmugen '), out)
        self.assertIn('\nexperiment: start 0, stop 2, step 0.1, tolerance 1e-06\n', out)
        self.assertIn('\nstates\n  x  = 1\n', out)

    def test_a_model_that_ends_the_simulation(self):
        self.build('fall', 'model fall\n  local h(start=1)\n  h\' = -0.8\n  terminate when h < 0 "landed"\nend\n')
        out, err = self.cutsim('run', 'fall.fmu', '--stop', '9', '--step', '1', '--record', 'h')
        self.assertRegex(err, r'^note: the model ended the simulation at time 1\.25\d*\n$')
        self.assertEqual(len(self.rows(out)), 3)
        self.assertAlmostEqual(float(self.rows(out)[-1]['time']), 1.25, delta=1e-6)

    def test_an_interrupted_run_keeps_its_results(self):
        self.build('decay', DECAY)
        run = subprocess.Popen([CUTSIM, 'run', 'decay.fmu', '--stop', '1e9', '--step', '0.01', '--record', 'x'],
                               cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env=dict(os.environ, TMPDIR=self.path('temporary')))
        head = run.stdout.readline()
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=60)
        self.assertEqual((run.returncode, head, out[-1]), (3, 'time,x\n', '\n'))
        self.assertRegex(err, r'^error: interrupted at time [0-9.]+\nnote: the results up to time [0-9.]+ were written '
                              r'to standard output\n$')

    def test_a_reader_that_wants_no_more_is_no_failure(self):
        self.build('decay', DECAY)
        command = f'"{CUTSIM}" run decay.fmu --step 1e-5 | head -1'
        result = subprocess.run(['bash', '-o', 'pipefail', '-c', command], cwd=self.folder, capture_output=True,
                                text=True, check=False, env=dict(os.environ, TMPDIR=self.path('temporary')))
        self.assertEqual((result.returncode, result.stderr), (0, ''))

    def test_what_cannot_be_set_or_written(self):
        self.build('decay', DECAY)
        for arguments, code, message in [
                (['--set', 'kk=1'], 1, "error: there is no variable 'kk' in the FMU; did you mean 'k'?\n"),
                (['--set', 'der(x)=1'], 1, "error: 'der(x)' is calculated by the model and cannot be set\n"),
                (['--record', 'nothing*'], 1,
                 "error: no variable matches 'nothing*'; 'cutsim info' lists what there is\n"),
                (['-o', 'no/out.csv'], 1, "error: cannot write to 'no/out.csv': No such file or directory\n"),
                (['-o', 'out.csv', '--plot', 'no/x.svg'], 1, "error: cannot write 'no/x.svg'\n"),
                (['-o', 'decay.fmu'], 1, "error: 'decay.fmu' is the FMU; it would be lost\n"),
                (['--stop', '-1'], 2, 'error: the stop time -1 is not after the start time 0\n'),
                (['--step', '1e-30'], 2, 'error: the step 1e-30 is too small for times from 0 to 2\n')]:
            self.assertEqual(self.cutsim('run', 'decay.fmu', *arguments, code=code)[1], message)

    def test_a_wrong_guid(self):
        self.build('decay', DECAY)
        with zipfile.ZipFile(self.path('decay.fmu')) as old, zipfile.ZipFile(self.path('other.fmu'), 'w') as new:
            for name in old.namelist():
                data = old.read(name)
                if name == 'modelDescription.xml':
                    guid = ElementTree.fromstring(data).get('guid')
                    data = data.replace(guid.encode(), b'another')
                new.writestr(name, data)
        err = self.cutsim('run', 'other.fmu', code=1)[1]
        self.assertEqual(err, "error: 'other.fmu' cannot be run: fmi2Instantiate failed: fmi2Instantiate: "
                              f'the guid is not that of this binary, which is {guid}\n')


class Usage(Cutsim):
    def test_help_and_version(self):
        for arguments in (['--help'], ['run', '--help'], ['info', '--help']):
            out, err = self.cutsim(*arguments)
            self.assertEqual(err, '')
            self.assertIn('Usage: cutsim', out)
            self.assertLessEqual(max(map(len, out.split('\n'))), 105)
        self.assertRegex(self.cutsim('--version')[0], r'^cutsim \d+\.\d+\.\d+\n$')

    def test_mistakes(self):
        note = "\nnote: 'cutsim run --help' lists what can be given\n"
        for arguments, message in [
                (['rum'], "error: there is no subcommand 'rum'; did you mean 'run'?"
                          "\nnote: 'cutsim --help' lists what can be given\n"),
                (['run'], 'error: FILE is required' + note),
                (['run', 'x.fmu', '--stop', 'soon'], "error: --stop: expected a number, got 'soon'" + note),
                (['run', 'x.fmu', '--step', '0'], "error: --step: expected a number above 0, got '0'" + note),
                (['run', 'x.fmu', '--set', 'a'], "error: --set: expected name=value, got 'a'" + note),
                (['run', 'x.fmu', '--set', 'a=1', '--set', 'a=2'], "error: --set: 'a' is given twice" + note)]:
            self.assertEqual(self.cutsim(*arguments, code=2), ('', message))


class BadFiles(Cutsim):
    def archive(self, name, entries):
        with zipfile.ZipFile(self.path(name), 'w') as archive:
            for entry, data in entries:
                archive.writestr(entry, data)

    def refusal(self, name):
        return [self.cutsim(command, name, code=1)[1] for command in ('run', 'info')]

    def test_no_archive(self):
        self.write('text.fmu', 'this is no archive')
        self.assertEqual(self.refusal('text.fmu'),
                         ["error: 'text.fmu' is no FMU: it cannot be read as an archive: Not a zip archive\n"] * 2)
        self.assertEqual(self.refusal('nothing.fmu'), ["error: cannot read 'nothing.fmu': there is no such file\n"] * 2)

    def test_a_path_that_escapes(self):
        self.archive('bad.fmu', [('modelDescription.xml', DESCRIPTION), ('../../evil.txt', 'evil')])
        self.assertEqual(self.refusal('bad.fmu'),
                         ["error: 'bad.fmu' is refused: entry '../../evil.txt' leads out of the archive\n"] * 2)
        self.assertFalse(os.path.exists(self.path('evil.txt')))

    def test_a_link(self):
        link = zipfile.ZipInfo('resources')
        link.create_system = 3
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        self.archive('bad.fmu', [(link, '..'), ('resources/evil.txt', 'evil')])
        self.assertEqual(self.refusal('bad.fmu'),
                         ["error: 'bad.fmu' is refused: entry 'resources' is a symbolic link\n"] * 2)

    def test_descriptions(self):
        self.archive('bad.fmu', [('other.xml', '')])
        self.assertEqual(self.refusal('bad.fmu'),
                         ["error: 'bad.fmu' is refused: there is no modelDescription.xml\n"] * 2)
        self.archive('bad.fmu', [('modelDescription.xml', '<fmiModelDescription>')])
        self.assertEqual(self.refusal('bad.fmu'), ["error: 'bad.fmu' is refused: modelDescription.xml:1: "
                                                   "the text ends inside an element\n"] * 2)

    def test_libraries(self):
        self.archive('bad.fmu', [('modelDescription.xml', DESCRIPTION.format('')), ('binaries/win64/counter.dll', '')])
        self.assertEqual(self.cutsim('run', 'bad.fmu', code=1)[1],
                         "error: 'bad.fmu' cannot be run: there is no binaries/linux64/counter.so in the FMU; "
                         "there are binaries for win64\n")
        self.archive('bad.fmu', [('modelDescription.xml', DESCRIPTION.format('')),
                                 ('binaries/linux64/counter.so', 'text')])
        self.assertEqual(self.cutsim('run', 'bad.fmu', code=1)[1],
                         "error: 'bad.fmu' cannot be run: its library does not load: "
                         "binaries/linux64/counter.so: file too short\n")


@unittest.skipUnless(shutil.which('cc'), 'there is no C compiler')
class FaultyFmus(Cutsim):
    def counter(self, *definitions, capabilities='', slash='/'):
        library = self.path('counter.so')
        subprocess.run(['cc', '-std=c11', '-shared', '-fPIC', '-O0', '-I', SOURCES, *['-D' + d for d in definitions],
                        FAULTY, '-o', library], check=True)  # without -lm, as many do
        with zipfile.ZipFile(self.path('counter.fmu'), 'w') as archive:
            archive.writestr('modelDescription.xml', DESCRIPTION.format(capabilities))
            archive.write(library, slash.join(['binaries', 'linux64', 'counter.so']))

    def test_a_good_one(self):
        self.counter()
        self.assertEqual(self.cutsim('run', 'counter.fmu'), ('time,x,p\n0,0,0\n0.25,0.25,0.25\n0.5,0.5,0.5\n'
                                                             '0.75,0.75,0.75\n1,1,1\n', ''))

    def test_backslashes(self):
        self.counter(slash='\\')
        self.assertEqual(self.cutsim('run', 'counter.fmu', '--stop', '0.25', '--record', 'x'),
                         ('time,x\n0,0\n0.25,0.25\n', ''))

        self.assertIn('\nnote: names in the archive are written with backslashes\n',
                      self.cutsim('info', 'counter.fmu')[0])

    def test_steps_that_cannot_vary(self):
        self.counter()
        self.assertEqual(self.cutsim('run', 'counter.fmu', '--step', '4', code=1)[1],
                         'error: the FMU cannot vary its step, and one step goes beyond the stop time\n')
        self.assertEqual(self.cutsim('run', 'counter.fmu', '--step', '0.4', '--record', 'x'),
                         ('time,x\n0,0\n0.4,0.4\n0.8,0.8\n',
                          'note: the FMU cannot vary its step; the run ends at time 0.8\n'))
        self.counter(capabilities='canHandleVariableCommunicationStepSize="true"')
        self.assertEqual(self.cutsim('run', 'counter.fmu', '--step', '0.4', '--record', 'x'),
                         ('time,x\n0,0\n0.4,0.4\n0.8,0.8\n1,1\n', ''))

    def test_calls_that_fail(self):
        says = 'note: the FMU says: x is x, and that is bad\n'
        until = "note: the results up to time 0.25 were written to standard output\n"
        for name, call, time, kept in [('SETUP', 'fmi2SetupExperiment', '0', ''), ('SET', 'fmi2SetReal', '0', ''),
                                       ('ENTER', 'fmi2EnterInitializationMode', '0', ''),
                                       ('EXIT', 'fmi2ExitInitializationMode', '0', ''),
                                       ('STEP', 'fmi2DoStep', '0.25', until),
                                       ('GET', 'fmi2GetReal', '0', '')]:
            for status, word in [('fmi2Error', 'error'), ('fmi2Fatal', 'fatal')]:
                with self.subTest(call=call, status=status):
                    self.counter('FAIL_IN=' + name, 'FAIL_WITH=' + status)
                    err = self.cutsim('run', 'counter.fmu', '--set', 'p=2', code=3)[1]
                    self.assertEqual(err, f"error: 'counter.fmu': {call} failed at time {time} with status {word}\n"
                                     + says + kept)

    def test_an_instance_that_does_not_come(self):
        self.counter('FAIL_IN=INSTANTIATE')
        self.assertEqual(self.cutsim('run', 'counter.fmu', code=1),
                         ('', "error: 'counter.fmu' cannot be run: fmi2Instantiate failed\n"))

    def test_results_until_a_failure_are_kept(self):
        self.counter('FAIL_IN=STEP')
        self.cutsim('run', 'counter.fmu', '-o', 'out.csv', '--record', 'x', '--plot', 'out.svg', code=3)
        self.assertEqual(self.read('out.csv'), 'time,x\n0,0\n0.25,0.25\n')
        self.assertIn('</svg>', self.read('out.svg'))

    def test_a_discarded_step(self):
        self.counter('FAIL_IN=STEP', 'FAIL_WITH=fmi2Discard')
        out, err = self.cutsim('run', 'counter.fmu', '--record', 'x', code=3)
        self.assertEqual(out, 'time,x\n0,0\n0.25,0.25\n0.5,0.5\n')
        self.assertIn('error: fmi2DoStep gave up the step from 0.25 to 0.5 at time 0.5\n', err)

    def test_values_that_are_no_numbers(self):
        self.counter('NOT_A_NUMBER')
        out, err = self.cutsim('run', 'counter.fmu', '--record', 'x', code=3)
        self.assertEqual(out, 'time,x\n0,0\n0.25,0.25\n')
        self.assertEqual(err, "error: 'counter.fmu': fmi2GetReal gave no number for 'x' at time 0.5\n"
                              "note: the results up to time 0.25 were written to standard output\n")

    def test_a_model_that_ends_the_simulation(self):
        self.counter('TERMINATE')
        self.assertEqual(self.cutsim('run', 'counter.fmu', '--step', '0.3', '--stop', '0.9', '--record', 'x'),
                         ('time,x\n0,0\n0.3,0.3\n0.5,0.5\n', 'note: the model ended the simulation at time 0.5\n'))

    def test_missing_functions(self):
        self.counter('WITHOUT_STEP')
        self.assertEqual(self.cutsim('run', 'counter.fmu', code=1)[1],
                         "error: 'counter.fmu' cannot be run: its library lacks functions: fmi2DoStep\n")

    def test_an_fmu_that_talks_much(self):
        self.counter('TALK')
        err = self.cutsim('run', 'counter.fmu', '--step', '0.01', '-o', 'out.csv')[1].split('\n')
        self.assertEqual(err[0], "note: 'counter.fmu' says (warning): at 0")
        self.assertEqual(err[20:], ["note: 'counter.fmu' said 80 things more", ''])


if __name__ == '__main__':
    unittest.main()
