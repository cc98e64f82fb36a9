#!/usr/bin/env python3
"""Builds the FMUs that the tests run: one for every root model of every example and problem, several at a time.

    tests/fmu/build_fmus.py MODELS FOLDER       MODELS/examples/*/*.dym -> FOLDER/*.fmu; FMUGEN names the compiler

rcnet.dym with its only model becomes rcnet.fmu; of a file with several, the last one, which is the default, has the name
of the file, the others that and their own: blt.fmu, blt-linear.fmu. FOLDER/list.txt has a line `FMU FILE MODEL` for each.
Problems are those of tests/problems: ball.dym becomes problem-ball.fmu.
"""
import concurrent.futures
import glob
import os
import re
import subprocess
import sys

REJECTED = {('star', 'currents')}  # shows a set of boundaries that has no solution
MORE = [('inverter-steady', 'inverter/inverter', '', ['--steady'])]


def jobs(models):
    for path in sorted(glob.glob(os.path.join(models, 'examples', '*', '*.dym'))):
        with open(path, encoding='utf-8') as file:
            roots = re.findall(r'^model (?!type\b)(\w+)', file.read(), re.MULTILINE)
        stem = os.path.splitext(os.path.basename(path))[0]
        where = os.path.join(os.path.basename(os.path.dirname(path)), stem)
        for root in roots[:-1]:
            if (stem, root) not in REJECTED:
                yield f'{stem}-{root}', where, root, []
        yield stem, where, '', []
    yield from MORE


def problems():
    here = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, 'problems')
    for path in sorted(glob.glob(os.path.join(here, '*.dym'))):
        stem = os.path.splitext(path)[0]
        yield f'problem-{os.path.basename(stem)}', stem, '', []
    yield 'problem-quiet-next', os.path.join(here, 'drain'), '', ['--next-event-time']
    yield 'problem-instants-next', os.path.join(here, 'instants'), '', ['--next-event-time']
    yield 'problem-distribution-28', os.path.join(here, 'distribution'), '', ['--set', 'N=28', '--set', 'M=28']


def simnon():
    """Systems in SIMNON: all files of an FMU, the connecting system last."""
    for name, files in (('simnon-servo', 'motor cpid dpid servo'), ('simnon-triod', 'triod'),
                        ('simnon-twopoint', 'twopoint'), ('simnon-order', 'order'), ('simnon-order_bad', 'order_bad')):
        where = name.split('_')[0].replace('-', '_')
        yield name, [f'{where}/{file}.sim' for file in files.split()], '', []


def build(models, folder, job):
    name, where, root, options = job
    files = [where + '.dym', '-I', models] if isinstance(where, str) else where
    files[:] = [os.path.join(models, 'examples', f) if f.endswith(('.dym', '.sim')) else f for f in files]
    command = [os.environ['FMUGEN'], 'build', *files,
               '-o', os.path.join(folder, name + '.fmu')] + (['-m', root] if root else []) + options
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return '' if done.returncode == 0 else f'{name}: exit code {done.returncode}\n{done.stdout}'


def main():
    models, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    listed = list(jobs(models))
    wanted = listed + list(problems()) + list(simnon())
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        failures = [text for text in pool.map(lambda job: build(models, folder, job), wanted) if text]
    with open(os.path.join(folder, 'list.txt'), 'w', encoding='utf-8') as file:
        file.writelines(f'{name} {where} {root}\n' for name, where, root, options in listed if not options)
    print('\n'.join(failures))
    print(f'{len(wanted) - len(failures)} of {len(wanted)} FMUs were built')
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
