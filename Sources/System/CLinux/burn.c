#include "CLinuxEngine.h"

// In C, in a file of its own, because the Swift compiler deleted a loop without effects or moved it past the clock reads.

// The longest spin without reading the thread's processor clock, which takes a system call.
static const int64_t longest_spin = 20000;

// How much this thread used beyond its last target.
static _Thread_local int64_t overshoot = 0;

void clinux_burn_cpu(int64_t nanoseconds) {
  int64_t target = nanoseconds - overshoot;
  if (target <= 0) {
    overshoot = -target;
    return;
  }
  int64_t end = clinux_thread_cpu() + target;
  int64_t left = target;
  while (left > 0) {
    // The monotonic clock costs no system call. If the thread was preempted, it ran less than this span; the processor clock
    // shows that.
    int64_t until = clinux_monotonic() + (left < longest_spin ? left : longest_spin);
    while (clinux_monotonic() < until) {
    }
    left = end - clinux_thread_cpu();
  }
  overshoot = -left;
}

void clinux_work(uint8_t *memory, int64_t size, int64_t rounds) {
  const int64_t line = 64;
  int64_t lines = size / line;
  int64_t place = 0;
  uint64_t value = 88172645463325252u;
  for (int64_t round = 0; round < rounds; round++) {
    value ^= value << 13;
    value ^= value >> 7;
    value ^= value << 17;
    volatile uint8_t *cell = memory + place * line;
    *cell = (uint8_t)(*cell + value);
    // A stride that shares no factor with the usual sizes, so that prefetching does not hide the memory.
    place = (place + 97) % lines;
  }
}
