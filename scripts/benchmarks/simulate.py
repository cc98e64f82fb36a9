"""Simulation by FMUs against hand-written C programs.

Both use the same solvers, method, tolerance and points of output. They run in turn, several times, and of each the least
processor time counts, so that other work on the machine hardly matters. A check value that is not met ends the run."""
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree
import zipfile

from models import MODELS

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
ROUNDS = 4
ENOUGH = 2.0     # seconds of an FMU's simulation after which one more round is the last
SECONDS = 0.15  # for which a short simulation is repeated in each round
AIM = 1.2
OWN_MAIN = ['network', 'distribution']  # programs that do not use cvode.c


def run(command, folder):
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f'{" ".join(command)}\n{result.stdout}{result.stderr}')
    return result.stdout


def compile_c(folder, dependencies, target, sources, libraries):
    include = [os.path.join(dependencies, 'include'), os.path.join(ROOT, 'fmu-runtime'),
               os.path.join(ROOT, 'fmu-runtime', 'include')]
    run(['cc', '-std=gnu11', '-O2', '-Wall', '-Wextra', '-o', target,
         *(os.path.join(HERE, source) for source in sources), *('-I' + path for path in include),
         '-L' + os.path.join(dependencies, 'lib'), *libraries], folder)


def compile_programs(folder, dependencies, models):
    compile_c(folder, dependencies, 'fmu_run', ['fmu_run.c'], ['-lm', '-ldl'])
    for model in models:
        sources = [model.name + '.c', 'measure.c'] + ([] if model.name in OWN_MAIN else ['cvode.c'])
        compile_c(folder, dependencies, model.name, sources, ['-lsundials_klu', '-lsundials', '-lklu', '-lm'])


def build_fmu(folder, fmugen, model, size):
    """Library, guid and value reference of the output."""
    with open(os.path.join(folder, model.name + '.dym'), 'w', encoding='utf-8') as file:
        file.write(model.text)
    name = f'{model.name}_{size}'
    run([fmugen, 'build', model.name + '.dym', '--set', f'n={size}', '-o', name + '.fmu'], folder)
    with zipfile.ZipFile(os.path.join(folder, name + '.fmu')) as archive:
        library = archive.extract(f'binaries/linux64/{model.name}.so', os.path.join(folder, name))
        description = xml.etree.ElementTree.fromstring(archive.read('modelDescription.xml'))
    output = next(v for v in description.iter('ScalarVariable') if v.get('name') == 'y')
    return library, description.get('guid'), output.get('valueReference')


def counts(said):
    """Steps, evaluations and Jacobians from what the FMU says when it ends."""
    found = re.search(r'(\d+) steps, (\d+) evaluations of the rates, (\d+) Jacobians', said)
    return [int(number) for number in found.groups()] if found else [0, 0, 0]


def compare(folder, fmugen, model, size):
    """One row of the table; whether the check values are met."""
    library, guid, reference = build_fmu(folder, fmugen, model, size)
    fmu_command = [os.path.join(folder, 'fmu_run'), library, guid, reference, repr(model.stop), repr(model.interval),
                   repr(model.check_time), str(SECONDS)]
    c_command = [os.path.join(folder, model.name), str(size), str(SECONDS)]
    fmu_seconds = c_seconds = float('inf')
    for _ in range(ROUNDS):
        enough = fmu_seconds != float('inf') and fmu_seconds > ENOUGH
        first, *said = run(fmu_command, folder).splitlines()
        seconds, fmu_check, _ = map(float, first.split())
        fmu_seconds = min(fmu_seconds, seconds)
        unknowns, seconds, c_check, *c_counts = run(c_command, folder).split()
        c_seconds = min(c_seconds, float(seconds))
        if enough:
            break
    expected = model.expected(size)
    allowed = model.allowed(size) if callable(model.allowed) else model.allowed
    met = all(abs(value - expected) <= allowed for value in (fmu_check, float(c_check)))
    fmu_counts = '/'.join(map(str, counts('\n'.join(said))))
    print(f'| {model.name:12} | {size:5} | {unknowns:>8} | {fmu_seconds:9.6f} | {c_seconds:9.6f} | '
          f'{fmu_seconds/c_seconds:5.2f} | {fmu_check:13.9g} | {float(c_check):13.9g} | {expected:13.9g} | '
          f'{fmu_counts:>17} | {"/".join(c_counts):>17} |{"" if met else " NOT MET"}', flush=True)
    return fmu_seconds/c_seconds, met


def simulate(fmugen, dependencies, names):
    unknown = set(names) - {model.name for model in MODELS}
    if unknown:
        sys.exit(f'no such model: {", ".join(sorted(unknown))}; there are {", ".join(m.name for m in MODELS)}')
    models = [model for model in MODELS if not names or model.name in names]
    ratios, all_met = [], True
    with tempfile.TemporaryDirectory() as folder:
        compile_programs(folder, dependencies, models)
        print('| model        |  size | unknowns |     FMU s |       C s | ratio |     FMU check |       C check |      '
              'expected | FMU steps/rhs/jac |   C steps/rhs/jac |\n|---|---|---|---|---|---|---|---|---|---|---|')
        for model in models:
            for size in model.sizes:
                ratio, met = compare(folder, fmugen, model, size)
                ratios.append(ratio)
                all_met = all_met and met
    missed = sum(ratio > AIM for ratio in ratios)
    print(f'\nlargest ratio {max(ratios):.2f}; aim: at most {AIM}, missed by {missed} of {len(ratios)}')
    if not all_met:
        sys.exit('a check value is not met')
