#!/usr/bin/env python3
"""fmugen build --platforms: the library for Windows, what it needs and shows, and that it computes the same under wine."""
import os
import re
import shutil
import subprocess
import tempfile
import unittest
import zipfile

from fmu_library import DECAY, SOURCES, LibraryTest
from program import BUILD

MINGW = 'x86_64-w64-mingw32-gcc'
HAS_MINGW = bool(shutil.which(MINGW)) and os.path.exists(os.path.join(BUILD, 'lib', 'fmugen', 'win64'))
WINE = shutil.which('wine64') or shutil.which('wine')
NO_MINGW = f'no {MINGW}, or no run time for win64 in the build: scripts/setup --windows'


class Options(LibraryTest):
    def test_other_platforms_are_refused(self):
        self.write('decay.dym', DECAY)
        for text in ('win32', 'linux64,', 'linux64,darwin64'):
            self.assertIn('error: --platforms: expected linux64 or win64, or both with a comma between them, got '
                          f"'{text}'\n", self.build('decay.dym', 'decay', '--platforms=' + text, code=2))
        self.assertIn("--platforms: 'win64' is given twice",
                      self.build('decay.dym', 'decay', '--platforms', 'win64,win64', code=2))

    def test_without_its_run_time_the_message_says_what_to_install(self):
        self.write('decay.dym', DECAY)
        shutil.copytree(os.path.join(BUILD, 'lib', 'fmugen'), self.path('kit'), ignore=shutil.ignore_patterns('win64'))
        code, _, err = self.run_program('build', 'decay.dym', '--platforms', 'win64',
                                        environment={'FMUGEN_RUNTIME': self.path('kit')})
        self.assertEqual(code, 1)
        self.assertRegex(err, "error: this fmugen has no run time for win64: '.*/kit/win64/libfmu_runtime.a' is missing; "
                              r'install MinGW \(Debian: gcc-mingw-w64-x86-64, by scripts/setup --windows\) and build fmugen '
                              'again\n$')

    @unittest.skipUnless(HAS_MINGW, NO_MINGW)
    def test_without_its_compiler_the_message_says_what_to_install(self):
        self.write('decay.dym', DECAY)
        code, _, err = self.run_program('build', 'decay.dym', '--platforms', 'win64',
                                        environment={'CC_WIN64': 'no-such-compiler'})
        self.assertEqual(code, 1)
        self.assertIn("error: cannot run the C compiler 'no-such-compiler': No such file or directory; install it (Debian: "
                      'apt-get install gcc-mingw-w64-x86-64) or name yours in CC_WIN64\n', err)


@unittest.skipUnless(HAS_MINGW, NO_MINGW)
class Windows(LibraryTest):
    def test_libraries_of_the_asked_platforms_are_there(self):
        self.write('decay.dym', DECAY)
        for platforms, expected in (('win64', ['binaries/win64/decay.dll']),
                                    ('linux64,win64', ['binaries/linux64/decay.so', 'binaries/win64/decay.dll'])):
            self.build('decay.dym', 'decay', '--platforms', platforms)
            with zipfile.ZipFile(self.path('decay.fmu')) as archive:
                self.assertEqual([n for n in archive.namelist() if n.startswith('binaries/')], expected)
            self.assertEqual(self.run_program('validate', 'decay.fmu', '--strict')[0], 0)

    def test_only_fmi_is_shown_and_only_the_system_needed(self):
        self.write('decay.dym', DECAY)
        self.build('decay.dym', 'decay', '--platforms', 'win64,linux64', '--linear', 'klu')
        header = self.run_command('x86_64-w64-mingw32-objdump', '-p', 'decay/binaries/win64/decay.dll').stdout
        self.assertEqual(set(re.findall(r'DLL Name: (\S+)', header)), {'KERNEL32.dll', 'msvcrt.dll'})
        # Later versions of objdump print "[  3] +base[   4]  0002 fmi2DoStep".
        shown = set(re.findall(r'^\s*\[\s*\d+\](?: \+base\[\s*\d+\]\s+[0-9a-f]+)? (\w+)$', header, re.MULTILINE))
        lines = self.run_command('nm', '--dynamic', '--defined-only', 'decay/binaries/linux64/decay.so').stdout
        self.assertEqual(shown, {line.split()[2] for line in lines.splitlines()})
        self.assertIn('fmi2DoStep', shown)

    def test_the_same_model_gives_the_same_bytes(self):
        self.write('decay.dym', DECAY)
        contents = []
        for name in ('a', 'b'):
            self.build('decay.dym', name, '--platforms', 'linux64,win64')
            with open(self.path(name + '.fmu'), 'rb') as file:
                contents.append(file.read())
        self.assertEqual(*contents)

    @unittest.skipUnless(WINE, 'no wine: scripts/setup --windows')
    def test_it_computes_the_same_as_on_linux(self):
        prefix = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, prefix, ignore_errors=True)
        environment = {'WINEPREFIX': prefix, 'WINEDEBUG': '-all', 'WINEDLLOVERRIDES': 'mscoree,mshtml=', 'DISPLAY': ''}
        self.addCleanup(self.stop_wine, environment)
        self.host()
        self.host(MINGW, 'host.exe')
        ball = os.path.join(SOURCES, 'tests', 'problems', 'ball.dym')
        for model, name, solver, variables in ((self.example('motorload'), 'motorload', 'cvode', ['load.Omega']),
                                               (ball, 'ball', 'auto', ['h', 'v'])):
            self.build(model, name, '--platforms', 'linux64,win64', '--solver', solver)
            for kind in ('cs', 'me'):
                rows = [self.values(name, f'./{name}/binaries/linux64/{name}.so', kind, 2, 0.01, variables),
                        self.values(name, f'{name}/binaries/win64/{name}.dll', kind, 2, 0.01, variables,
                                    start=(WINE, './host.exe'), environment=environment)]
                self.assert_close(rows[1], rows[0], 1e-9)
                self.assertGreater(abs(rows[0][-1][1]), 0.01)  # something has happened

    @staticmethod
    def stop_wine(environment):
        server = shutil.which('wineserver')
        if server:  # it may have ended by itself
            subprocess.run([server, '-k'], env=dict(os.environ, **environment), capture_output=True, check=False)


if __name__ == '__main__':
    unittest.main()
