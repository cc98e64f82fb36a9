#!/usr/bin/env python3
"""Where results go, and what is left when they cannot be written."""
import json
import os
import resource
import stat
import unittest

from program import PAIR, ProgramTest


class Output(ProgramTest):
    def files(self):
        return sorted(os.listdir(self.folder))

    def mode(self, name):
        return stat.S_IMODE(os.stat(self.path(name)).st_mode)

    def test_file_instead_of_standard_output(self):
        for command in (['ast', 'pair.dym'], ['flat', 'pair.dym'], ['flat', 'pair.dym', '--format', 'json']):
            code, expected, err = self.run_program(*command)
            self.assertEqual((code, err), (0, ''))
            self.assertNotEqual(expected, '')
            self.check([*command, '-o', 'out.txt'], 0, '', '')
            self.assertEqual(self.read('out.txt'), expected)
            self.assertEqual(self.files(), ['out.txt', 'pair.dym'])

    def test_json(self):
        model = json.loads(self.run_program('flat', 'pair.dym', '--format', 'json')[1])
        self.assertEqual(model['model'], 'pair')
        self.assertEqual(len(model['equations']), 2)
        for key in ('variables', 'equations', 'parameters', 'notes'):
            self.assertIsInstance(model[key], list)

    def test_stats(self):
        code, out, err = self.run_program('flat', 'pair.dym', '--stats')
        self.assertEqual((code, err), (0, ''))
        values = dict(line.split(': ') for line in out.splitlines())
        self.assertEqual(list(values), ['model', 'instances', 'variables', 'unknowns', 'equations', 'connection sets',
                                        'expression nodes', 'seconds to flatten', 'equations per second',
                                        'peak memory in bytes', 'bytes per equation'])
        self.assertEqual((values['model'], values['unknowns'], values['equations']), ('pair', '2', '2'))
        self.assertGreater(int(values['peak memory in bytes']), 1_000_000)

    def test_rejected_model_leaves_the_file(self):
        self.write('wrong.dym', 'model wrong\n  x = = 1\nend\n')
        self.write('out.txt', 'old\n')
        for name in ('out.txt', 'new.txt'):
            self.assertEqual(self.run_program('flat', 'wrong.dym', '-o', name)[:2], (1, ''))
        self.assertEqual(self.read('out.txt'), 'old\n')
        self.assertEqual(self.files(), ['out.txt', 'pair.dym', 'wrong.dym'])

    def test_failure_while_writing_leaves_the_file(self):
        def small_disk():
            resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10))
        self.write('out.txt', 'old\n')
        for name in ('out.txt', 'new.txt'):
            self.assertEqual(self.run_program('ast', 'pair.dym', '-o', name, before=small_disk),
                             (1, '', f"error: cannot write '{name}': File too large\n"))
        self.assertEqual(self.read('out.txt'), 'old\n')
        self.assertEqual(self.files(), ['out.txt', 'pair.dym'])

    def test_full_disk(self):
        self.check(['ast', 'pair.dym', '-o', '/dev/full'], 1, '',
                   "error: cannot write '/dev/full': No space left on device\n")
        for arguments in (['ast', 'pair.dym'], ['flat', 'pair.dym'], ['--help'], ['--version']):
            with open('/dev/full', 'w', encoding='utf-8') as full:
                self.assertEqual(self.run_program(*arguments, stdout=full),
                                 (1, None, 'error: cannot write to standard output: No space left on device\n'))

    def test_places_that_cannot_be_written(self):
        os.mkdir(self.path('folder'))
        for name, reason in (('folder', 'Is a directory'), ('nosuch/out.txt', 'No such file or directory'),
                             ('pair.dym/out.txt', 'Not a directory'), ('x' * 300, 'File name too long')):
            self.check(['ast', 'pair.dym', '-o', name], 1, '', f"error: cannot write '{name}': {reason}\n")
        self.assertEqual(self.files(), ['folder', 'pair.dym'])

    @unittest.skipIf(os.geteuid() == 0, 'root may write everywhere')
    def test_places_that_must_not_be_written(self):
        self.write('locked/old.txt', 'old\n')
        os.chmod(self.path('locked/old.txt'), 0o444)
        self.check(['ast', 'pair.dym', '-o', 'locked/old.txt'], 1, '',
                   "error: cannot write 'locked/old.txt': Permission denied\n")
        os.chmod(self.path('locked'), 0o555)
        self.check(['ast', 'pair.dym', '-o', 'locked/new.txt'], 1, '',
                   "error: cannot write 'locked/new.txt': Permission denied\n")
        os.chmod(self.path('locked'), 0o755)

    def test_the_model_is_not_overwritten(self):
        os.symlink('pair.dym', self.path('link.dym'))
        for name in ('pair.dym', './pair.dym', 'link.dym'):
            for command in ('ast', 'flat'):
                self.check([command, 'pair.dym', '-o', name], 1, '',
                           f"error: the result would overwrite the model '{name}'\n")
        self.assertEqual(self.read('pair.dym'), PAIR)

    def test_modes_and_links_are_kept(self):
        self.run_program('ast', 'pair.dym', '-o', 'new.txt', before=lambda: os.umask(0o027))
        self.assertEqual(self.mode('new.txt'), 0o640)
        self.write('old.txt', 'old\n')
        os.chmod(self.path('old.txt'), 0o604)
        os.symlink('old.txt', self.path('link.txt'))
        self.check(['ast', 'pair.dym', '-o', 'link.txt'], 0, '', '')
        self.assertTrue(os.path.islink(self.path('link.txt')))
        self.assertEqual(self.mode('old.txt'), 0o604)
        self.assertEqual(self.read('old.txt'), self.read('new.txt'))

    def test_devices(self):
        self.check(['ast', 'pair.dym', '-o', '/dev/null'], 0, '', '')

    def test_reader_that_went_away(self):
        for arguments in (['ast', 'pair.dym'], ['flat', 'pair.dym'], ['--help']):
            reading, writing = os.pipe()
            os.close(reading)
            try:
                self.assertEqual(self.run_program(*arguments, stdout=writing), (0, None, ''))
            finally:
                os.close(writing)


unittest.main()
