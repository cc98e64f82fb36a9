/* Keeps compiled code loadable by old versions of the GNU C library.

   Problem: a shared object refers to the newest version of each function that the C library of the build machine has.
   Some mathematical functions got new versions without a change that matters here (exp, log, pow: 2.29; their float
   variants: 2.27; hypot: 2.35; lgamma: 2.23; fmod: 2.38), and an FMU that asks for exp@GLIBC_2.29 cannot be loaded where
   the library is older.

   Method: `.symver` tells the assembler which version a reference means. The oldest one of x86-64, 2.2.5, is still in
   every later library. A function that a file does not call leaves no trace in its object.

   Example: exp(x) compiles to a reference to exp@GLIBC_2.2.5 instead of exp@@GLIBC_2.29.

   Use: `-include` this file for everything that ends in an FMU: run-time, generated code, solvers. It has no effect on
   other processors and other C libraries. It cannot be combined with link-time optimisation, which drops file-level
   assembly that it does not understand. */
#ifndef FMU_RUNTIME_PORTABLE_LIBC_H
#define FMU_RUNTIME_PORTABLE_LIBC_H

/* __gnu_linux__ is predefined for the GNU library. Including <features.h> to ask for __GLIBC__ would fix what _GNU_SOURCE
   and its like mean before the file that is compiled could define them. */
#if defined(__gnu_linux__) && defined(__x86_64__) && !defined(__ILP32__) && !defined(__ASSEMBLER__)
#define FMU_RUNTIME_PIN(function) __asm__(".symver " #function "," #function "@GLIBC_2.2.5")

FMU_RUNTIME_PIN(exp);
FMU_RUNTIME_PIN(exp2);
FMU_RUNTIME_PIN(exp10);
FMU_RUNTIME_PIN(log);
FMU_RUNTIME_PIN(log2);
FMU_RUNTIME_PIN(pow);
FMU_RUNTIME_PIN(fmod);
FMU_RUNTIME_PIN(hypot);
FMU_RUNTIME_PIN(lgamma);
FMU_RUNTIME_PIN(expf);
FMU_RUNTIME_PIN(exp2f);
FMU_RUNTIME_PIN(exp10f);
FMU_RUNTIME_PIN(logf);
FMU_RUNTIME_PIN(log2f);
FMU_RUNTIME_PIN(powf);
FMU_RUNTIME_PIN(fmodf);
FMU_RUNTIME_PIN(hypotf);
FMU_RUNTIME_PIN(lgammaf);

#undef FMU_RUNTIME_PIN
#endif

#endif
