/* A sentence in place of a crash on a processor that lacks what the modules were compiled for.

   The check runs when a module that includes this is loaded, before Python calls any of its code. */
#ifndef TENGEN_PROCESSOR_H
#define TENGEN_PROCESSOR_H

#if defined(__GNUC__) && defined(__x86_64__) && defined(__SSE4_2__)
#include <stdio.h>
#include <stdlib.h>

__attribute__((constructor)) static void tengen_check_processor(void) {
    __builtin_cpu_init();
    if (__builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt")) return;
    fputs("Tengen needs a processor with x86-64-v2 (SSE4.2 and POPCNT), which those of 2009 and later have\n", stderr);
    fflush(stderr);
    _Exit(1);
}
#endif

#endif
