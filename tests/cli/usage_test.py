#!/usr/bin/env python3
"""Help, version, mistakes in the command line."""
import unittest

from program import ProgramTest


class Usage(ProgramTest):
    def check_usage(self, arguments, message, command='fmugen flat'):
        self.check(arguments, 2, '', f"error: {message}\nnote: '{command} --help' lists what can be given\n")

    def test_version(self):
        code, out, err = self.run_program('--version')
        self.assertEqual((code, err), (0, ''))
        self.assertRegex(out, r'^fmugen \d+\.\d+\.\d+\n$')

    def test_help(self):
        code, out, err = self.run_program('--help')
        self.assertEqual((code, err), (0, ''))
        for part in ('Usage: fmugen [OPTIONS] SUBCOMMAND\n', '\n  ast ', '\n  flat ', '\n  equations ',
                     '\n  check ', '\nExamples:\n',
                     'Exit codes: 0 done, 1 input rejected, 2 wrong usage, 3 simulation failed, 4 internal error.\n'):
            self.assertIn(part, out)
        self.assertEqual(self.run_program('-h'), (code, out, err))

    def test_help_of_subcommands(self):
        model = ['-m,--model NAME', '-I,--include DIR', '--set NAME=VALUE', '--strict']
        sorting = ['--as-input NAME', '--as-output NAME', '--input-derivatives', '--steady', '--states MODE']
        output = ['--format FORMAT', '--stats', '-o,--output OUT']
        options = {'ast': ['-o,--output OUT'],
                   'flat': model + output,
                   'equations': model + sorting + output + ['--aliases MODE', '--tear NAME', '--blocks',
                                                           '--show STAGE'],
                   'check': model + sorting,
                   'validate': ['--strict', '--format FORMAT', '-o,--output OUT']}
        for command, names in options.items():
            code, out, err = self.run_program(command, '--help')
            self.assertEqual((code, err), (0, ''))
            file = 'FILE' if command in ('ast', 'validate') else 'FILE...'
            for part in [f'Usage: fmugen {command} [OPTIONS] {file}\n', f'\n  fmugen {command} '] + names:
                self.assertIn(part, out)

    def test_no_line_of_help_is_too_long(self):
        for arguments in (['--help'], *([c, '--help'] for c in ('ast', 'flat', 'equations', 'check', 'validate'))):
            for line in self.run_program(*arguments)[1].split('\n'):
                self.assertLessEqual(len(line), 100)

    def test_subcommand(self):
        self.check_usage([], 'a subcommand is required', 'fmugen')
        self.check_usage(['simulate', 'x.dym'], "there is no subcommand 'simulate'", 'fmugen')
        self.check_usage(['flt', 'x.dym'], "there is no subcommand 'flt'; did you mean 'flat'?", 'fmugen')

    def test_file(self):
        self.check_usage(['flat'], 'FILE is required')
        self.check_usage(['ast'], 'FILE is required', 'fmugen ast')
        self.check_usage(['flat', 'a.dym', 'b.dym'],
                         "FILE: one model is compiled at a time, got 'a.dym' and 'b.dym'")

    def test_options(self):
        self.check_usage(['flat', 'pair.dym', '--stric'], 'the following argument was not expected: --stric')
        self.check_usage(['flat', 'pair.dym', '--format', 'xml'], "--format: expected text or json, got 'xml'")
        self.check_usage(['check', 'pair.dym', '--states', 'no'], "--states: expected auto or static, got 'no'",
                         'fmugen check')
        self.check_usage(['flat', 'pair.dym', '-o'], '--output: 1 required OUT missing')
        self.check_usage(['flat', 'pair.dym', '-I', 'nowhere'], "-I: there is no folder 'nowhere'")
        self.check_usage(['flat', 'pair.dym', '-I', 'pair.dym'], "-I: there is no folder 'pair.dym'")

    def test_options_of_equations(self):
        for option, expected in (('--aliases', 'none, equal or all'),
                                 ('--show', 'aliases, index, states, blocks, initial, events, sampled or jacobians')):
            self.check_usage(['equations', 'pair.dym', option, 'some'], f"{option}: expected {expected}, got 'some'",
                             'fmugen equations')

    def test_settings(self):
        self.check_usage(['flat', 'pair.dym', '--set'], '--set: 1 required NAME=VALUE missing')
        self.check_usage(['flat', 'pair.dym', '--set', 'a'], "--set: expected name=value, got 'a'")
        self.check_usage(['flat', 'pair.dym', '--set', '=3'], "--set: no name before '=' in '=3'")
        self.check_usage(['flat', 'pair.dym', '--set', 'a= '], "--set: no value after '=' in 'a= '")
        self.check_usage(['flat', 'pair.dym', '--set', 'a=1', '--set', 'a = 2'], "--set: 'a' is given twice")

    def test_simnon(self):
        for file in ('triod.sim', 'TRIOD.SIM'):
            self.check(['flat', file], 1, '', f"error: cannot read '{file}': no such file\n")
            self.check(['ast', file], 1, '',
                       f"error: '{file}': SIMNON has no syntax tree to print; 'flat' shows its equations\n")
        self.check(['flat', 'a.sim', '-m', 'A'], 1, '',
                   "error: 'a.sim': -m chooses among models of a .dym file; SIMNON systems are all taken\n")
        self.check(['flat', 'a.sim', '-I', '.'], 1, '',
                   "error: 'a.sim': -I is for files that a .dym file uses; name all SIMNON files\n")
        self.check_usage(['flat', 'a.sim', 'pair.dym'],
                         'FILE: SIMNON systems (.sim) and a model (.dym) cannot be compiled together')
        self.check_usage(['flat', 'pair.dym', 'other.dym'],
                         "FILE: one model is compiled at a time, got 'pair.dym' and 'other.dym'")


unittest.main()
