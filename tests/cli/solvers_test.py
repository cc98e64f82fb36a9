#!/usr/bin/env python3
"""The solver libraries that scripts/build-sundials made, as an FMU uses them: linked into a shared object that exports
one function, needs libc and libm only, loads with old C libraries, computes right and says nothing. The same for the
fallback, the libraries of the distribution, which are larger."""
import os
import re
import shutil
import subprocess
import tempfile
import unittest

SOURCES = os.environ.get('SOURCES', os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..'))
DEPS = os.path.join(SOURCES, 'build', 'deps')
INCLUDE = os.path.join(SOURCES, 'fmu-runtime', 'include')
OLDEST_LIBC = (2, 17)

# Robertson's problem: y1' = -0.04 y1 + 1e4 y2 y3, y3' = 3e7 y2^2, y1 + y2 + y3 = 1. At t = 4e10 y1 is 5.2083e-8 (Hindmarsh
# and Byrne, 1976). exp and pow stand for the equations of a model. `solve(1)` fails on purpose, in two ways.
PROBE = r'''
#include <cvode/cvode.h>
#include <ida/ida.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_SOLVER.h>
#include <sunmatrix/sunmatrix_MATRIX.h>

static int derivatives(realtype t, N_Vector states, N_Vector result, void *data) {
  const double *y = N_VGetArrayPointer(states);
  double *f = N_VGetArrayPointer(result);
  (void)data;
  f[0] = -0.04 * y[0] + 1e4 * y[1] * y[2] + 0 * exp(-t) * pow(fabs(y[0]), 2.5);
  f[2] = 3e7 * y[1] * y[1];
  f[1] = -f[0] - f[2];
  return 0;
}

static int residual(realtype t, N_Vector y, N_Vector yp, N_Vector r, void *data) {
  derivatives(t, y, r, data);
  N_VLinearSum(1, yp, -1, r, r);
  return 0;
}

#define dense 1
#define klu 2
#if SOLVER == klu
static void fill(SUNMatrix J, const double *y, double cj) {
  double entries[9] = {-0.04 + cj, 0.04, 0, 1e4 * y[2], -1e4 * y[2] - 6e7 * y[1] + cj, 6e7 * y[1],
                       1e4 * y[1], -1e4 * y[1], cj};
  for (int k = 0; k <= 3; ++k) SUNSparseMatrix_IndexPointers(J)[k] = 3 * k;
  for (int k = 0; k < 9; ++k) SUNSparseMatrix_IndexValues(J)[k] = k % 3;
  for (int k = 0; k < 9; ++k) SUNSparseMatrix_Data(J)[k] = cj != 0 ? -entries[k] : entries[k];
}
static int ode_jacobian(realtype t, N_Vector y, N_Vector f, SUNMatrix J, void *u, N_Vector a, N_Vector b, N_Vector c) {
  (void)t, (void)f, (void)u, (void)a, (void)b, (void)c;
  fill(J, N_VGetArrayPointer(y), 0);
  return 0;
}
static int dae_jacobian(realtype t, realtype cj, N_Vector y, N_Vector yp, N_Vector r, SUNMatrix J, void *u, N_Vector a,
                        N_Vector b, N_Vector c) {
  (void)t, (void)yp, (void)r, (void)u, (void)a, (void)b, (void)c;
  fill(J, N_VGetArrayPointer(y), -cj);
  return 0;
}
#endif

static void count(int code, const char *module, const char *function, char *text, void *data) {
  (void)code, (void)module, (void)function, (void)text;
  ++*(int *)data;
}

/* y1 at the end, by CVODE or by IDA; the negative count of messages if it fails. */
__attribute__((visibility("default"))) double fmi2Probe(int use_ida, int fail) {
  SUNContext context;
  int messages = 0, status;
  double t;
  if (SUNContext_Create(NULL, &context) != 0) return -1000;
  N_Vector y = N_VNew_Serial(3, context), yp = N_VNew_Serial(3, context);
  N_VConst(0, y);
  N_VGetArrayPointer(y)[0] = 1;
  derivatives(0, y, yp, NULL);
#if SOLVER == klu
  SUNMatrix matrix = SUNSparseMatrix(3, 3, 9, CSC_MAT, context);
  SUNLinearSolver linear = SUNLinSol_KLU(y, matrix, context);
#else
  SUNMatrix matrix = SUNDenseMatrix(3, 3, context);
  SUNLinearSolver linear = SUNLinSol_Dense(y, matrix, context);
#endif
  void *memory = use_ida ? IDACreate(context) : CVodeCreate(CV_BDF, context);
  if (use_ida) {
    IDASetErrHandlerFn(memory, count, &messages);
    IDAInit(memory, residual, 0, y, yp);
    IDASStolerances(memory, 1e-8, 1e-14);
    IDASetLinearSolver(memory, linear, matrix);
#if SOLVER == klu
    IDASetJacFn(memory, dae_jacobian);
#endif
    IDASetMaxNumSteps(memory, fail ? 3 : 100000);
    if (fail) IDASolve(NULL, 1, &t, y, yp, IDA_NORMAL);
    status = IDASolve(memory, 4e10, &t, y, yp, IDA_NORMAL);
    IDAFree(&memory);
  } else {
    CVodeSetErrHandlerFn(memory, count, &messages);
    CVodeInit(memory, derivatives, 0, y);
    CVodeSStolerances(memory, 1e-8, 1e-14);
    CVodeSetLinearSolver(memory, linear, matrix);
#if SOLVER == klu
    CVodeSetJacFn(memory, ode_jacobian);
#endif
    CVodeSetMaxNumSteps(memory, fail ? 3 : 100000);
    if (fail) CVode(NULL, 1, y, &t, CV_NORMAL);
    status = CVode(memory, 4e10, y, &t, CV_NORMAL);
    CVodeFree(&memory);
  }
  double result = status < 0 ? -messages : N_VGetArrayPointer(y)[0];
  SUNLinSolFree(linear);
  SUNMatDestroy(matrix);
  N_VDestroy(y);
  N_VDestroy(yp);
  SUNContext_Free(&context);
  return result;
}
'''

MAIN = r'''
#include <stdio.h>
double fmi2Probe(int use_ida, int fail);
int main(void) {
  for (int i = 0; i < 4; ++i) printf("%.9g\n", fmi2Probe(i % 2, i / 2));
}
'''


def tool(folder, *command, environment=None):
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=60,
                          env=dict(os.environ, **(environment or {})))


def build_solvers(*arguments):
    return tool(SOURCES, os.path.join(SOURCES, 'scripts', 'build-sundials'), *arguments)


def installed(*packages):
    return shutil.which('dpkg-query') and tool('.', 'dpkg-query', '--show', *packages).returncode == 0


@unittest.skipUnless(os.path.exists(os.path.join(DEPS, 'recipe')), 'scripts/build-sundials has not run')
class Solvers(unittest.TestCase):
    deps = DEPS

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        with open(os.path.join(self.deps, 'recipe'), encoding='utf-8') as file:
            self.packaged = 'as packaged' in file.read()

    def run_tool(self, *command):
        result = tool(self.folder, *command)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result.stdout

    def link(self, solver, matrix):
        """A shared object as fmugen links it, and a program that calls it."""
        texts = {'probe.c': PROBE.replace('sunlinsol_SOLVER', f'sunlinsol_{solver}').replace('MATRIX', matrix),
                 'main.c': MAIN, 'fmu.map': '{ global: fmi2*; local: *; };\n'}
        for name, text in texts.items():
            with open(os.path.join(self.folder, name), 'w', encoding='utf-8') as file:
                file.write(text)
        compiler = os.environ.get('CC', 'cc')
        self.run_tool(compiler, '-std=c11', '-O2', '-fPIC', '-fvisibility=hidden', f'-DSOLVER={solver}',
                      '-include', os.path.join(INCLUDE, 'fmu_runtime', 'portable_libc.h'), f'-I{self.deps}/include',
                      '-c', 'probe.c')
        self.run_tool(compiler, '-shared', '-s', '-Wl,--gc-sections', '-Wl,--version-script=fmu.map', '-Wl,-z,defs',
                      '-o', 'probe.so', 'probe.o', f'-L{self.deps}/lib', '-lsundials_klu', '-lsundials', '-lklu', '-lm')
        self.run_tool(compiler, '-o', 'main', 'main.c', './probe.so')

    def check_object(self, most_bytes):
        symbols = self.run_tool('objdump', '--dynamic-syms', 'probe.so')
        exported = [line.split()[-1] for line in symbols.splitlines() if ' g ' in line and '*UND*' not in line]
        self.assertEqual(exported, ['fmi2Probe'])
        needed = re.findall(r'NEEDED\s+(\S+)', self.run_tool('objdump', '--private-headers', 'probe.so'))
        self.assertLessEqual(set(needed), {'libc.so.6', 'libm.so.6'})
        versions = [tuple(map(int, v.split('.'))) for v in re.findall(r'GLIBC_([0-9.]+)', symbols)]
        self.assertLessEqual(max(versions), OLDEST_LIBC)
        if not self.packaged:
            self.assertLess(os.path.getsize(os.path.join(self.folder, 'probe.so')), most_bytes)

    def check_results(self):
        log = os.path.join(self.folder, 'log')
        result = tool(self.folder, './main', environment={f'SUNLOGGER_{level}_FILENAME': log
                                                          for level in ('ERROR', 'WARNING', 'INFO', 'DEBUG')})
        cvode, ida, *failures = map(float, result.stdout.split())
        self.assertAlmostEqual(cvode / 5.2083e-8, 1, delta=2e-3)
        self.assertAlmostEqual(ida / 5.2083e-8, 1, delta=2e-3)
        self.assertEqual(failures, [-1, -1])
        self.assertFalse(os.path.exists(log))
        if not self.packaged:
            self.assertEqual(result.stderr, '')

    def test_dense(self):
        self.link('dense', 'dense')
        self.check_object(150_000)
        self.check_results()

    def test_klu(self):
        self.link('klu', 'sparse')
        self.check_object(220_000)
        self.check_results()

    def test_licences(self):
        for name, phrase in (('sundials.txt', 'BSD'), ('suitesparse-klu.txt', 'LGPL|Lesser')):
            with open(os.path.join(self.deps, 'licenses', name), encoding='utf-8') as file:
                self.assertRegex(file.read(), phrase)


@unittest.skipUnless(installed('libsundials-dev', 'libsuitesparse-dev'), 'the packages are not installed')
class Fallback(Solvers):
    @classmethod
    def setUpClass(cls):
        parent = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, parent)
        cls.deps = os.path.join(parent, 'deps')
        cls.result = build_solvers('--fallback', '--into', cls.deps)

    def test_is_announced(self):
        self.assertEqual((self.result.returncode, self.result.stderr), (0, ''))
        self.assertTrue(self.packaged)
        for text in ('NOTICE: FMUs get the SUNDIALS and KLU of the distribution', 'without optimisation', 'larger',
                     'libsundials-dev', 'as packaged'):
            self.assertIn(text, self.result.stdout)


class Folder(unittest.TestCase):
    def test_build_tells_what_it_takes(self):
        with tempfile.TemporaryDirectory() as folder:
            deps = os.path.join(folder, 'deps')
            os.makedirs(os.path.join(deps, 'include', 'cvode'))
            for name, text in (('include/cvode/cvode.h', ''), ('recipe', 'libsundials-dev as packaged')):
                with open(os.path.join(deps, name), 'w', encoding='utf-8') as file:
                    file.write(text)
            for solvers, text in ((deps, 'FMUs get the solvers of the distribution'),
                                  (folder, 'models with states cannot be built into FMUs')):
                result = tool(folder, 'cmake', '-S', SOURCES, '-B', 'build', '-D', 'BUILD_TESTING=OFF',
                              '-D', f'FMUGEN_SOLVERS={solvers}')
                said = ' '.join((result.stdout + result.stderr).split())
                self.assertEqual(result.returncode, 0, said)
                self.assertIn(text, said)

    def test_other_things_are_not_replaced(self):
        with tempfile.TemporaryDirectory() as folder:
            os.makedirs(os.path.join(folder, 'include'))
            result = build_solvers('--fallback', '--into', folder)
            self.assertEqual((result.returncode, os.listdir(folder)), (2, ['include']))
            self.assertIn('has other things in it', result.stderr)

    def test_usage(self):
        for arguments in (('--into',), ('--into', ''), ('--nonsense',)):
            result = build_solvers(*arguments)
            self.assertEqual((result.returncode, result.stdout), (2, ''))
            self.assertIn('usage: scripts/build-sundials', result.stderr)


unittest.main()
