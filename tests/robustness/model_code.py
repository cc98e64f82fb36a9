#!/usr/bin/env python3
"""Writes the code of a model as C files that can stand beside those of other models in one program.

    tests/robustness/model_code.py NAME FOLDER/NAME.c MODEL.dym [OPTION...]     FMUGEN names the compiler

The functions of the model are called NAME_... instead of model_..., the model is NAME_generated. NAME_instances.c has
NAME_fmi2Instantiate, which makes instances of a copy, NAME_model, that the program fills in (subjects.cpp). All other
functions of FMI are shared.
"""
import glob
import os
import re
import subprocess
import sys


def write(path, lines):
    with open(path, 'w', encoding='utf-8') as file:
        file.write('\n'.join(lines) + '\n')


def main():
    name, target, model, *options = sys.argv[1:]
    folder = os.path.splitext(target)[0] + '.code'
    os.makedirs(folder, exist_ok=True)
    for old in glob.glob(os.path.join(folder, '*')):
        os.remove(old)
    command = [os.environ['FMUGEN'], 'code', model, '-o', folder] + options
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        print(f'model_code: {" ".join(command)}: exit code {done.returncode}\n{done.stdout}', file=sys.stderr)
        return 1
    with open(os.path.join(folder, 'model.h'), encoding='utf-8') as file:
        names = sorted(set(re.findall(r'\bmodel_(?!interface)\w+', file.read())))
    lines = [f'#define {old} {name}_{old[6:]}' for old in names]
    lines.append(f'#define fmr_model {name}_generated')
    lines += [f'#include "{path}"' for path in sorted(glob.glob(os.path.join(folder, '*.c')))]
    lines += ['#undef fmr_model', f'FmrModel {name}_model;']
    write(target, lines)
    write(os.path.splitext(target)[0] + '_instances.c',
          [f'#define fmr_model {name}_model', f'#define FMI2_FUNCTION_PREFIX {name}_', '#include "fmi2/lifecycle.c"'])
    return 0


if __name__ == '__main__':
    sys.exit(main())
