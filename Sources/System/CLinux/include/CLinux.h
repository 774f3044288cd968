#ifndef CLINUX_H
#define CLINUX_H

#include <stdint.h>

/// Functions that Swift's Glibc module lacks. Times are nanoseconds.

/// The calling thread's kernel id, for setpriority and /proc.
int32_t clinux_thread_id(void);

/// Names the calling thread for debuggers and /proc; at most 15 bytes are kept.
void clinux_set_thread_name(const char *name);

/// Sleeps while `*word == expected`, until woken. May wake spuriously, so callers loop.
void clinux_futex_wait(uint32_t *word, uint32_t expected);

/// The same for at most `nanoseconds`.
void clinux_futex_wait_for(uint32_t *word, uint32_t expected, int64_t nanoseconds);

/// Lets a thread run only on the `count` given processors. Returns 0, or an errno.
int32_t clinux_pin_thread(int32_t thread, const int32_t *processors, int32_t count);

/// The processor that the calling thread runs on now; -1 if the kernel does not tell.
int32_t clinux_current_core(void);

/// Wakes at most one thread that sleeps on `word`.
void clinux_futex_wake(uint32_t *word);

#endif
