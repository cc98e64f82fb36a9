#!/usr/bin/env python3
"""scripts/compliance with stand-ins for the checkers: what it reads from them, what it skips, what it ends with."""
import os
import re
import unittest
import xml.etree.ElementTree as ElementTree
import zipfile

from program import ProgramTest

SOURCES = os.environ.get('SOURCES', os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..'))
SCRIPT = os.path.abspath(os.path.join(SOURCES, 'scripts', 'compliance'))
DESCRIPTION = '''<?xml version="1.0"?>
<fmiModelDescription fmiVersion="2.0" modelName="m" guid="g">
  <ModelExchange modelIdentifier="m"/>
  <DefaultExperiment startTime="1" stopTime="11"/>
</fmiModelDescription>
'''
# Prints a summary as the compliance checker does, with the counts in its environment; keeps its arguments.
CHECKER = '''#!/bin/sh
echo "$@" >> calls
case "$2" in xml) messages=0 ;; *) messages=${MESSAGES:-0} ;; esac
case " $* " in *" -h ${GOOD_STEP:-none} "*) messages=0 ;; esac
[ $messages = 0 ] || echo "[WARNING][FMU status:Warning] it hurts"
printf 'FMU reported:\\n\\t%d warning(s) and error(s)\\nChecker reported:\\n\\t%d Warning(s)\\n\\t0 Error(s)\\n' \\
  $messages ${WARNINGS:-0}
'''


class Compliance(ProgramTest):
    def setUp(self):
        super().setUp()
        self.script('good', '#!/bin/sh\nexit 0\n')
        self.script('bad', '#!/bin/sh\necho "this is wrong"\nexit 1\n')
        self.script('checker', CHECKER.replace('>> calls', f'>> {self.path("calls")}'))
        self.archive('m.fmu', DESCRIPTION)

    def script(self, name, text):
        self.write(name, text)
        os.chmod(self.path(name), 0o755)

    def archive(self, name, description):
        with zipfile.ZipFile(self.path(name), 'w') as archive:
            archive.writestr('modelDescription.xml', description)

    def run_script(self, *arguments, **environment):
        settings = {'FMUGEN': self.path('good'), 'FMUCHECK': self.path('checker'), 'FMI2_SCHEMA': '',
                    'FMPY_VALIDATE': self.path('good')}
        return self.run_program(*arguments, program=SCRIPT, environment={**settings, **environment})

    def test_all_is_well(self):
        code, out, err = self.run_script('m.fmu')
        self.assertEqual((code, err), (0, ''))
        self.assertEqual(out, 'FMU    archive  rules  schema   me  cs       fmpy\n'
                              'm.fmu  ok       ok     skipped  ok  skipped  ok\n'
                              'skipped: schema of 1 FMU: FMI2_SCHEMA does not name the folder of the schema\n'
                              'skipped: cs of 1 FMU: the FMU does not offer it\n'
                              '1 FMUs, 0 checks with findings, 1 skipped\n')

    def test_whole_experiment_first(self):
        self.run_script('m.fmu')
        self.assertRegex(self.read('calls'), r'-k xml [^\n]*\n-k me [^\n]* -s 11\.0 -h 0\.02 ')

    def test_what_is_skipped_can_be_required(self):
        self.assertEqual(self.run_script('--require-all', 'm.fmu')[0], 1)

    def test_each_checker_is_heard(self):
        for setting, name in (('FMUGEN', 'rules'), ('FMPY_VALIDATE', 'fmpy')):
            code, out, _ = self.run_script('m.fmu', **{setting: self.path('bad')})
            self.assertEqual(code, 1)
            self.assertIn(f'm.fmu: {name}: this is wrong\n', out)

    def test_counts_of_the_checker_are_read(self):
        code, out, _ = self.run_script('m.fmu', WARNINGS='2')
        self.assertEqual(code, 1)
        self.assertIn('m.fmu: me: 0 errors, 2 warnings, 0 messages of the FMU, exit code 0\n', out)
        code, out, _ = self.run_script('m.fmu', MESSAGES='3')
        self.assertEqual(code, 1)
        self.assertIn('m.fmu: me: 0 errors, 0 warnings, 3 messages of the FMU, exit code 0\n'
                      'm.fmu: me: [WARNING][FMU status:Warning] it hurts\n', out)

    def test_shorter_steps_where_euler_is_unstable(self):
        code, out, _ = self.run_script('m.fmu', MESSAGES='3', GOOD_STEP='2e-05')
        self.assertEqual(code, 0)
        self.assertIn('m.fmu: me: remark: until 11 with steps of 0.02: 0 errors, 0 warnings, 3 messages', out)
        self.assertIn('m.fmu: me: remark: goes well until 1.01 with steps of 2e-05\n', out)

    def test_given_experiment(self):
        self.assertEqual(self.run_script('--stop', '2', '--step', '0.5', 'm.fmu')[0], 0)
        self.assertIn(' -s 2.0 -h 0.5 ', self.read('calls'))
        self.write('experiments', '# a remark\nm 3 0.25\n')
        self.assertEqual(self.run_script('--experiments', 'experiments', 'm.fmu')[0], 0)
        self.assertIn(' -s 3.0 -h 0.25 ', self.read('calls'))

    def test_no_checker(self):
        code, out, _ = self.run_script('m.fmu', FMUCHECK=self.path('nowhere'))
        self.assertEqual(code, 0)
        self.assertIn('skipped: me of 1 FMU: the compliance checker is not there: neither FMUCHECK nor fmuCheck on '
                      'PATH\n', out)

    def test_checker_that_crashes(self):
        self.script('checker', '#!/bin/sh\nkill -SEGV $$\n')
        code, out, _ = self.run_script('m.fmu')
        self.assertEqual(code, 1)
        self.assertIn('m.fmu: me: crashed with signal 11\n', out)

    def test_bad_archives(self):
        self.write('text.fmu', 'no archive')
        self.archive('broken.fmu', '<fmiModelDescription')
        with zipfile.ZipFile(self.path('empty.fmu'), 'w'):
            pass
        code, out, err = self.run_script('text.fmu', 'broken.fmu', 'empty.fmu')
        self.assertEqual((code, err), (1, ''))
        for part in ('text.fmu: archive: not an archive that can be read: File is not a zip file\n',
                     'broken.fmu: archive: modelDescription.xml: ', 'skipped: me of 3 FMUs: the archive cannot be read\n',
                     'empty.fmu: archive: there is no modelDescription.xml in it\n'):
            self.assertIn(part, out)

    def test_junit(self):
        self.assertEqual(self.run_script('--junit', 'j.xml', 'm.fmu', FMUGEN=self.path('bad'))[0], 1)
        suite = ElementTree.fromstring(self.read('j.xml'))[0]
        self.assertEqual((suite.get('tests'), suite.get('failures'), suite.get('skipped')), ('6', '1', '2'))
        self.assertEqual(suite.find('testcase/failure').get('message'), 'this is wrong')

    def test_usage(self):
        for arguments, message in (([], 'no FMU is given'), (['n.fmu'], "there is no file 'n.fmu'"),
                                   (['--step', '0', 'm.fmu'], '--step must be positive')):
            code, out, err = self.run_script(*arguments)
            self.assertEqual((code, out), (2, ''))
            self.assertTrue(re.search(f'error: {re.escape(message)}\n$', err), err)


unittest.main()
