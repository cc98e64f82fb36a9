#!/usr/bin/env python3
"""`fmugen validate`: reports, formats, exit codes."""
import json
import os
import re
import time
import unittest
import zipfile

from program import ProgramTest

HEAD = '''<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="m" guid="1" variableNamingConvention="structured">
<CoSimulation modelIdentifier="m"/>
<DefaultExperiment startTime="0" stopTime="1" tolerance="1e-6" stepSize="0.1"/>
<ModelVariables>
'''
TAIL = '''</ModelVariables>
<ModelStructure/>
</fmiModelDescription>
'''
PARAMETER = '<ScalarVariable name="{}" valueReference="{}" causality="parameter" variability="fixed"><Real {}/></ScalarVariable>\n'

REPORT = '''m.fmu: FMI 2.0, Co-Simulation, 2 variables, no states

errors
  modelDescription.xml:6: variable 'a b': the name does not follow the structured naming convention [name-structured]
    -> write a.b[1,2].c, der(a.b) or 'quoted text', or use the naming convention flat
  modelDescription.xml:7: variable 'p': there is no start value [start-missing]
    -> add 'start'

warnings
  ./sources/m.c: the name starts with './' [zip-dot-slash]
    -> zip the content of the folder, not '.'

notes
  there is no documentation/index.html [layout-documentation]
    -> add one for the user

2 errors, 1 warning, 1 note
'''


class Validate(ProgramTest):
    def make(self, variables, extra='documentation/index.html', sources='sources/m.c'):
        with zipfile.ZipFile(self.path('m.fmu'), 'w', zipfile.ZIP_DEFLATED) as archive:
            archive.writestr('modelDescription.xml', HEAD + variables + TAIL)
            archive.writestr(sources, 'int main(void);')
            if extra:
                archive.writestr(extra, 'text')

    def test_good(self):
        self.make(PARAMETER.format('p', 0, 'start="1"'))
        self.check(['validate', 'm.fmu', '--strict'], 0,
                   'm.fmu: FMI 2.0, Co-Simulation, 1 variable, no states\n\nno errors, no warnings, no notes\n', '')

    def test_report(self):
        self.make(PARAMETER.format('a b', 0, 'start="1"') + PARAMETER.format('p', 1, ''), '', './sources/m.c')
        self.check(['validate', 'm.fmu'], 1, REPORT, '')
        self.check(['validate', 'm.fmu', '-o', 'report.txt'], 1, '', '')
        self.assertEqual(self.read('report.txt'), REPORT)

    def test_json(self):
        self.make(PARAMETER.format('p', 1, ''))
        code, out, err = self.run_program('validate', 'm.fmu', '--format', 'json')
        self.assertEqual((code, err), (1, ''))
        report = json.loads(out)
        self.assertEqual((report['errors'], report['interfaces'], report['variables']), (1, ['CoSimulation'], 1))
        self.assertEqual([(f['rule'], f['line'], f['variable']) for f in report['findings']], [('start-missing', 6, 'p')])

    def test_strict(self):
        self.make(PARAMETER.format('p', 0, 'start="1"'), sources='./sources/m.c')
        self.assertEqual(self.run_program('validate', 'm.fmu')[0], 0)
        self.assertEqual(self.run_program('validate', 'm.fmu', '--strict')[0], 1)

    def test_unreadable(self):
        self.check(['validate', 'none.fmu'], 2, '', "error: cannot read 'none.fmu': No such file or directory\n")
        self.check(['validate', '.'], 2, '', "error: cannot read '.': Is a directory\n")
        code, out, err = self.run_program('validate', 'pair.dym')
        self.assertEqual((code, err), (1, ''))
        self.assertIn('cannot be read as a ZIP archive', out)

    def test_never_overwrites(self):
        self.make(PARAMETER.format('p', 0, 'start="1"'))
        self.check(['validate', 'm.fmu', '-o', 'm.fmu'], 1, '', "error: the report would overwrite the FMU 'm.fmu'\n")

    def test_every_rule_is_documented(self):
        sources = os.environ.get('SOURCES', '.')
        with open(os.path.join(sources, 'fmugen/fmu/validate/rules.cpp'), encoding='utf-8') as file:
            rules = re.findall(r'\{Rule::\w+,\s*"([^"]+)",\s*k(\w+),', file.read())
        self.assertGreater(len(rules), 100)
        with open(os.path.join(sources, 'docs/validate.md'), encoding='utf-8') as file:
            documented = re.findall(r'^\| `([^`]+)` \| (\w+) \|', file.read(), re.MULTILINE)
        self.assertEqual([(name, severity.lower()) for name, severity in rules], documented)

    def test_time_is_linear(self):
        seconds = []
        for count in (20000, 80000):
            self.make(''.join(PARAMETER.format(f'a.b[{i}]', i, 'start="1"') for i in range(count)))
            start = time.monotonic()
            self.assertEqual(self.run_program('validate', 'm.fmu')[0], 0)
            seconds.append(time.monotonic() - start)
        self.assertLess(seconds[1], 8 * seconds[0] + 1)


if __name__ == '__main__':
    unittest.main()
