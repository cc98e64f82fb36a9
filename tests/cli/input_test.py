#!/usr/bin/env python3
"""What is read: files, the model chosen, values given, libraries."""
import json
import os
import resource
import subprocess
import unittest

from program import BUILD, FMUGEN, PAIR, SANITIZED, ProgramTest

WIRE = '''model type wire
  local w
  w = 1
end
'''


class Input(ProgramTest):
    def test_missing_file(self):
        for command in ('ast', 'flat'):
            self.check([command, 'nosuch.dym'], 1, '', "error: cannot read 'nosuch.dym': no such file\n")

    def test_folder_instead_of_file(self):
        os.mkdir(self.path('models.dym'))
        for command in ('ast', 'flat'):
            self.check([command, 'models.dym'], 1, '', "error: cannot read 'models.dym': it is a folder\n")

    def test_endless_file(self):
        for command in ('ast', 'flat'):
            self.check([command, '/dev/zero'], 1, '', "error: cannot read '/dev/zero': it is larger than 1 GiB\n")

    def test_empty_file(self):
        self.write('empty.dym', '')
        self.assertEqual(self.run_program('ast', 'empty.dym')[0], 0)
        self.assertEqual(self.run_program('flat', 'empty.dym')[:2], (1, ''))

    @unittest.skipIf(os.geteuid() == 0, 'root may read everything')
    def test_unreadable_file(self):
        os.chmod(self.path('pair.dym'), 0)
        self.check(['ast', 'pair.dym'], 1, '', "error: cannot read 'pair.dym': Permission denied\n")

    def test_unknown_model(self):
        code, out, err = self.run_program('flat', 'pair.dym', '-m', 'pear')
        self.assertEqual((code, out), (1, ''))
        self.assertIn("'pear'", err)
        self.assertIn('pair', err)

    def test_chosen_model(self):
        self.write('two.dym', PAIR + PAIR.replace('pair', 'other'))
        models = [json.loads(self.run_program('flat', 'two.dym', '--format', 'json', *more)[1])['model']
                  for more in ([], ['-m', 'pair'])]
        self.assertEqual(models, ['other', 'pair'])

    def test_settings(self):
        def value(*more):
            model = json.loads(self.run_program('flat', 'pair.dym', '--format', 'json', *more)[1])
            return {p['name']: p['value'] for p in model['parameters']}['a']
        self.assertEqual(value(), 2)
        self.assertEqual(value('--set', 'a=5'), 5)
        self.assertEqual(value('--set', 'a = -2**2'), -4)

    def test_setting_of_an_unknown_name(self):
        code, out, err = self.run_program('flat', 'pair.dym', '--set', 'b=5')
        self.assertEqual((code, out), (1, ''))
        self.assertIn("'b'", err)

    def test_setting_that_is_no_expression(self):
        code, out, err = self.run_program('flat', 'pair.dym', '--set', 'a=)(')
        self.assertEqual((code, out), (1, ''))
        self.assertIn('error: ', err)

    def test_library_folders(self):
        self.write('user.dym', 'use wires\nmodel user\n  submodel (wire) w1\nend\n')
        self.assertEqual(self.run_program('flat', 'user.dym')[0], 1)
        self.write('lib/wires.dym', WIRE)
        self.assertEqual(self.run_program('flat', 'user.dym', '-I', 'lib')[0], 0)
        self.assertEqual(self.run_program('flat', 'user.dym', environment={'FMUGEN_LIBRARY': 'lib'})[0], 0)

    def test_installed_program_finds_its_library(self):
        subprocess.run(['cmake', '--install', BUILD, '--prefix', self.path('prefix')], stdout=subprocess.DEVNULL,
                       check=True)
        self.write('prefix/share/fmugen/models/wires.dym', WIRE)
        self.write('user.dym', 'use wires\nmodel user\n  submodel (wire) w1\nend\n')
        installed = self.path('prefix/bin/fmugen')
        environment = {'FMUGEN_LIBRARY': ''}
        self.assertEqual(self.run_program('flat', 'user.dym', program=installed, environment=environment)[0], 0)
        os.symlink(installed, self.path('linked'))
        self.assertEqual(self.run_program('flat', 'user.dym', program=self.path('linked'),
                                          environment=environment)[0], 0)
        self.assertEqual(self.run_program('flat', 'user.dym', program=FMUGEN, environment=environment)[0], 1)

    @unittest.skipIf(SANITIZED, 'sanitizers need address space')
    def test_too_little_memory_is_said(self):
        self.write('large.dym', PAIR + '{' + ' ' * 100_000_000 + '}')
        def little():  # less than the file has
            resource.setrlimit(resource.RLIMIT_AS, (90_000_000, 90_000_000))
        code, out, err = self.run_program('ast', 'large.dym', before=little)
        self.assertEqual((code, out, err), (4, '', 'internal error: out of memory; please report this with the model '
                                            'that causes it\n'))


unittest.main()
