#include "CLinuxSpans.h"

// The statement behind the call keeps it from being a jump, and the functions from being merged into one.
#define SPAN(number)                                                                                                    \
  void framebudget_span_##number(void *context, clinux_span_work work);                                                      \
  __attribute__((noinline)) void framebudget_span_##number(void *context, clinux_span_work work) {                           \
    work(context);                                                                                                      \
    __asm__ volatile("" : : "i"(number));                                                                               \
  }
#define TEN(tens)                                                                                                       \
  SPAN(tens##0) SPAN(tens##1) SPAN(tens##2) SPAN(tens##3) SPAN(tens##4)                                                 \
  SPAN(tens##5) SPAN(tens##6) SPAN(tens##7) SPAN(tens##8) SPAN(tens##9)
#define NAME(number) framebudget_span_##number
#define NAMES(tens)                                                                                                     \
  NAME(tens##0), NAME(tens##1), NAME(tens##2), NAME(tens##3), NAME(tens##4),                                            \
  NAME(tens##5), NAME(tens##6), NAME(tens##7), NAME(tens##8), NAME(tens##9)

TEN(10) TEN(11) TEN(12) TEN(13) TEN(14) TEN(15) TEN(16) TEN(17) TEN(18) TEN(19) TEN(20) TEN(21)

static void (*const spans[])(void *context, clinux_span_work work) = {
  NAMES(10), NAMES(11), NAMES(12), NAMES(13), NAMES(14), NAMES(15),
  NAMES(16), NAMES(17), NAMES(18), NAMES(19), NAMES(20), NAMES(21)};

enum { FIRST = 100, COUNT = sizeof spans / sizeof spans[0] };

static _Thread_local int32_t current;

int32_t clinux_first_span(void) { return FIRST; }

int32_t clinux_last_span(void) { return FIRST + COUNT - 1; }

int32_t clinux_current_span(void) { return current; }

void clinux_run_span(int32_t number, void *context, clinux_span_work work) {
  int32_t outer = current;
  current = number;
  spans[number - FIRST](context, work);
  current = outer;
}
