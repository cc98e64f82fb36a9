#!/usr/bin/env python3
"""Runs golden tests: see README.md beside this file.

    run.py --binary PATH [--update] [FOLDER...]     FOLDER as in good/flat; all if none is named
"""
import argparse
import difflib
import json
import os
import re
import shlex
import subprocess
import sys

from equations import compare

HERE = os.path.dirname(os.path.abspath(__file__))
MODELS = os.path.relpath(os.path.join(HERE, '..', '..', 'models'), os.path.join(HERE, 'good', 'stage'))
BAD_STAGES = {'syntax': 'ast', 'structure': 'check'}  # all others: flat
OPTIONS = re.compile(r'\s*\{\s*options:(.*?)\}')
SECONDS = 60  # no case needs one; more than this is a hang


class Case:
    """One model with what is expected of it."""

    def __init__(self, folder, name, ending='.dym'):
        self.folder, self.name, self.ending = folder, name, ending
        self.good = folder.split('/')[0] == 'good'
        kind = folder.split('/')[1]
        self.stage = kind if self.good else BAD_STAGES.get(kind, 'flat')

    def file(self, ending):
        return os.path.join(HERE, self.folder, self.name + ending)

    def options(self):
        text = read(self.file('.options'))
        if text is None:
            first_line = (read(self.file(self.ending)) or '').split('\n')[0]
            match = OPTIONS.match(first_line)
            text = match.group(1) if match else ''
        return shlex.split(text)

    def run(self, binary, *more):
        """Exit code, standard output and standard error, free of what depends on the machine."""
        command = [binary, self.stage, self.name + self.ending, *more, *self.options()]
        environment = dict(os.environ, FMUGEN_LIBRARY=MODELS, LC_ALL='C')
        try:
            result = subprocess.run(command, cwd=os.path.join(HERE, self.folder), env=environment, timeout=SECONDS,
                                    stdin=subprocess.DEVNULL, capture_output=True, check=False)
        except subprocess.TimeoutExpired:
            return -1, '', f'no end after {SECONDS} seconds\n'
        def plain(output):
            return output.decode('utf-8', 'backslashreplace').replace(MODELS + '/', 'models/')
        return result.returncode, plain(result.stdout), plain(result.stderr)


def read(path):
    try:
        with open(path, encoding='utf-8', errors='backslashreplace', newline='') as file:
            return file.read()
    except FileNotFoundError:
        return None


def write(path, text):
    with open(path, 'w', encoding='utf-8', newline='') as file:
        file.write(text)


def difference(path, expected, actual):
    name = os.path.relpath(path, HERE)
    if expected is None:
        return f'{name} is missing: write it with scripts/golden --update and read it before you commit it\n'
    if expected == actual:
        return ''
    lines = difflib.unified_diff(expected.splitlines(True), actual.splitlines(True), name, name + ' (actual)')
    return ''.join(line if line.endswith('\n') else line + '\n\\ no newline at the end\n' for line in lines)


def check_equations(case, binary):
    """NAME.equations was written by hand: one equation a line, in any order; every equation of the model is there."""
    text = read(case.file('.equations'))
    if text is None:
        return ''
    expected = [line.strip() for line in text.split('\n') if line.strip()]
    code, out, err = case.run(binary, '--format', 'json')
    if code != 0:
        return err
    lines = compare(expected, [equation['text'] for equation in json.loads(out)['equations']])
    return ''.join(line + '\n' for line in [f'{case.name}.equations (-) and the program (+) differ:'] + lines if lines)


def check(case, binary, update):
    """What is wrong with the case; an empty text if nothing is."""
    code, out, err = case.run(binary)
    wrong = ''
    if code != (0 if case.good else 1):
        wrong += f'exit code {code} instead of {0 if case.good else 1}\n'
        return wrong + err
    if not case.good and out:
        wrong += 'a rejected model must leave standard output empty, but it has:\n' + out
    wrong += check_equations(case, binary)
    if update and not wrong:
        write(case.file('.expected'), out if case.good else err)
        if case.good and err:
            write(case.file('.stderr'), err)
        elif os.path.exists(case.file('.stderr')):
            os.remove(case.file('.stderr'))
        return ''
    wrong += difference(case.file('.expected'), read(case.file('.expected')), out if case.good else err)
    if case.good:  # warnings are expected in NAME.stderr; without the file there must be none
        wrong += difference(case.file('.stderr'), read(case.file('.stderr')) or '', err)
    return wrong


def cases_in(folder):
    """The cases of a folder, and complaints about files that belong to none."""
    files = os.listdir(os.path.join(HERE, folder))
    models = sorted(os.path.splitext(f) for f in files if f.endswith(('.dym', '.sim')))
    names = [name for name, _ in models]
    stray = [f'{folder}/{f} belongs to no model\n' for f in sorted(files)
             if f.endswith(('.expected', '.stderr', '.options', '.equations')) and f.rsplit('.', 1)[0] not in names]
    if not names:
        stray.append(f'{folder} has no model\n')
    return [Case(folder, name, ending) for name, ending in models], stray


def all_folders():
    return [f'{tree}/{folder}' for tree in ('good', 'bad') if os.path.isdir(os.path.join(HERE, tree))
            for folder in sorted(os.listdir(os.path.join(HERE, tree)))]


def main():
    parser = argparse.ArgumentParser(description='Runs golden tests.')
    parser.add_argument('--binary', required=True)
    parser.add_argument('--update', action='store_true', help='rewrite the expectations that differ')
    parser.add_argument('folders', nargs='*', metavar='FOLDER')
    arguments = parser.parse_args()
    binary = os.path.abspath(arguments.binary)
    passed, failed = 0, 0
    for folder in arguments.folders or all_folders():
        cases, complaints = cases_in(folder)
        for complaint in complaints:
            print(complaint, end='')
            failed += 1
        for case in cases:
            wrong = check(case, binary, arguments.update)
            if wrong:
                print(f'--- {folder}/{case.name}\n{wrong}')
                failed += 1
            else:
                passed += 1
    print(f'golden: {passed} passed, {failed} failed')
    return 1 if failed else 0


sys.exit(main())
