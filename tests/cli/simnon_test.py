#!/usr/bin/env python3
"""SIMNON systems on the command line: several files, one system alone, names of parameters, what is built."""
import csv
import io
import math
import os
import shutil
import unittest

from program import ProgramTest

EXAMPLES = os.path.join(os.environ.get('SOURCES', os.curdir), 'models', 'examples')
CUTSIM = os.path.abspath(os.environ.get('CUTSIM', 'build/bin/cutsim'))
SERVO = ['motor.sim', 'cpid.sim', 'dpid.sim', 'servo.sim']


class Simnon(ProgramTest):
    def setUp(self):
        super().setUp()
        for name in SERVO:
            shutil.copy(os.path.join(EXAMPLES, 'simnon_servo', name), self.folder)

    def simulate(self, fmu, *options):
        code, out, err = self.run_program('run', fmu, *options, program=CUTSIM)
        self.assertEqual((code, err), (0, ''))
        return [{name: float(value) for name, value in row.items()} for row in csv.DictReader(io.StringIO(out))]

    def test_fmu_is_named_by_the_last_file(self):
        self.assertEqual(self.run_program('build', *SERVO), (0, '', ''))
        self.assertTrue(os.path.exists(self.path('servo.fmu')))
        code, out, _ = self.run_program('validate', '--strict', 'servo.fmu')
        self.assertEqual(code, 0, out)

    def test_settings_of_the_command_line(self):
        self.assertEqual(self.run_program('build', *SERVO, '--set', 'CONT=0', '--set', 'DT[DPID]=0.05', '--set',
                                          'DPID.G=3', '--set', 'TD[DPID]=0.15'), (0, '', ''))
        last = self.simulate('servo.fmu', '--stop', '1', '--tolerance', '1e-9')[-1]
        self.assertAlmostEqual(last['MOTOR.Y'], 0.987452, delta=1e-6)

    def test_one_system_alone(self):
        self.assertEqual(self.run_program('build', 'motor.sim'), (0, '', ''))
        code, out, err = self.run_program('info', 'motor.fmu', program=CUTSIM)
        self.assertEqual((code, err), (0, ''))
        last = self.simulate('motor.fmu', '--stop', '1', '--tolerance', '1e-9', '--set', 'U=1')[-1]
        gain, lag = 0.033 / 6.2e-3, 5.3 * 7.5e-7 / 6.2e-3 ** 2
        self.assertAlmostEqual(last['Y'], gain * (1 - lag * (1 - math.exp(-1 / lag))), delta=1e-6)

    def test_all_stages(self):
        for command in ('flat', 'equations', 'code'):
            code, out, err = self.run_program(command, *SERVO)
            self.assertEqual((code, err), (0, ''), command)
            self.assertIn('DPID', out)
        code, out, err = self.run_program('flat', *SERVO, '--format', 'json')
        self.assertEqual((code, err), (0, ''))
        self.assertIn('"instants":"DPID.TS"', out)

    def test_connecting_system_must_be_last(self):
        code, _, err = self.run_program('flat', 'servo.sim', 'motor.sim', 'cpid.sim', 'dpid.sim')
        self.assertEqual(code, 1)
        self.assertIn('servo.sim:1:1: error: the connecting system is the last one\n', err)

    def test_model_is_not_overwritten(self):
        code, _, err = self.run_program('build', *SERVO, '-o', 'motor.sim')
        self.assertEqual((code, err), (1, "error: the result would overwrite the model 'motor.sim'\n"))


unittest.main()
