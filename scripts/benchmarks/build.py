"""From the text of a model to a simulated FMU: what every stage takes, and how it grows.

Seconds of `fmugen build --stats` are those of the clock, and the compiler works beside the other stages; "start" (load,
instantiate, initialize) and "simulate" are processor time. Of several runs the one with the least sum counts. A check
value that is not met ends the run."""
import math
import os
import sys
import tempfile
import time
import xml.etree.ElementTree
import zipfile

from one_by_one import FAMILIES
from simulate import compile_c, run

STAGES = ['flatten', 'sort', 'generate', 'describe', 'write XML', 'check XML', 'document', 'compile', 'pack']
LARGE = 300_000  # equations from which one run has to do
RUNS = 3


def build_fmu(folder, fmugen, name, runs):
    """What --stats said of the fastest run, with its seconds in all."""
    best = None
    for _ in range(runs):
        begin = time.perf_counter()
        out = run([fmugen, 'build', name + '.dym', '--stats'], folder)
        seconds = time.perf_counter() - begin
        values = dict(line.split(': ', 1) for line in out.splitlines())
        values['in all'] = seconds
        if best is None or seconds < best['in all']:
            best = values
    return best


def seconds_to_read(folder, cutsim, name, runs):
    best = math.inf
    for _ in range(runs):
        begin = time.perf_counter()
        run([cutsim, 'info', name + '.fmu'], folder)
        best = min(best, time.perf_counter() - begin)
    return best


def parts(folder, name):
    """Library, guid, value reference of the output."""
    with zipfile.ZipFile(os.path.join(folder, name + '.fmu')) as archive:
        library = archive.extract(f'binaries/linux64/{name}.so', folder)
        guid = reference = None
        with archive.open('modelDescription.xml') as file:
            for _, element in xml.etree.ElementTree.iterparse(file, ['start']):
                guid = guid or element.get('guid')
                if element.tag == 'ScalarVariable' and element.get('name') == 'y':
                    reference = element.get('valueReference')
                    break
                element.clear()
    return library, guid, reference


def simulate_fmu(folder, family, size, equations):
    """Seconds to start and to simulate; NaN for what is left out."""
    library, guid, reference = parts(folder, family.name)
    whole = equations <= family.most_simulated
    stop = family.stop if whole else family.interval
    out = run([os.path.join(folder, 'fmu_run'), library, guid, reference, repr(stop), repr(family.interval), repr(stop),
               '0'], folder)
    seconds, value, start = map(float, out.splitlines()[0].split())
    if not whole:
        return start, math.nan
    expected = family.expected(size)
    if expected is not None and not abs(value - expected) <= family.allowed:
        sys.exit(f'{family.name} of size {size}: y = {value!r} at the end, expected {expected!r}')
    return start, seconds


def exponent(now, before):
    if before is None:
        return ''
    return f'{math.log(now[1]/before[1])/math.log(now[0]/before[0]):.2f}'


def build(fmugen, cutsim, dependencies, sizes):
    head = ['model', 'size', 'equations', *STAGES, 'built', 'exponent', 'us/equation to C', 'read', 'start', 'simulate',
            'text to result', 'FMU MB', 'memory MB']
    print('| ' + ' | '.join(head) + ' |\n|' + '---|'*len(head))
    with tempfile.TemporaryDirectory() as folder:
        compile_c(folder, dependencies, 'fmu_run', ['fmu_run.c'], ['-lm', '-ldl'])
        for family in FAMILIES:
            before = None
            for wanted in sizes:
                size = family.size(wanted)
                with open(os.path.join(folder, family.name + '.dym'), 'w', encoding='utf-8') as file:
                    file.write('\n'.join(family.text(size)) + '\n')
                runs = 1 if wanted >= LARGE else RUNS
                values = build_fmu(folder, fmugen, family.name, runs)
                equations = int(values['equations'])
                stages = [float(values['seconds to ' + stage]) for stage in STAGES]
                read = seconds_to_read(folder, cutsim, family.name, runs)
                start, simulated = simulate_fmu(folder, family, size, equations)
                now = equations, values['in all']
                row = [family.name, size, equations, *(f'{s:.3f}' for s in stages), f'{now[1]:.2f}', exponent(now, before),
                       f'{1e6*sum(stages[:3])/equations:.1f}', f'{read:.2f}', f'{start:.3f}',
                       '-' if math.isnan(simulated) else f'{simulated:.3f}',
                       '-' if math.isnan(simulated) else f'{now[1] + read + start + simulated:.2f}',
                       f'{os.path.getsize(os.path.join(folder, family.name + ".fmu"))/1e6:.1f}',
                       f'{int(values["peak memory in bytes"])/1e6:.0f}']
                print('| ' + ' | '.join(map(str, row)) + ' |', flush=True)
                before = now
