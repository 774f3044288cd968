#ifndef CLINUX_SPANS_H
#define CLINUX_SPANS_H

#include <stdint.h>

/// Work that runs in a function with a name of its own, `framebudget_span_NUMBER`, so that profilers can tell it from other work.

typedef void (*clinux_span_work)(void *context);

/// The numbers of the functions, which are consecutive.
int32_t clinux_first_span(void);
int32_t clinux_last_span(void);

/// The innermost of the functions that run on this thread; 0 if none does.
int32_t clinux_current_span(void);

/// Calls `work` in the function with that number.
void clinux_run_span(int32_t number, void *context, clinux_span_work work);

#endif
