#ifndef CLINUX_H
#define CLINUX_H

#include <stdint.h>

/// What Swift's Glibc module does not show, one function each. Times are nanoseconds.

/// The calling thread's kernel id; names it towards setpriority and /proc.
int32_t clinux_thread_id(void);

/// Names the calling thread for debuggers and /proc; at most 15 bytes are kept.
void clinux_set_thread_name(const char *name);

/// Sleeps while `*word == expected`, until woken; may return for no reason, so callers loop.
void clinux_futex_wait(uint32_t *word, uint32_t expected);

/// The same for at most `nanoseconds`.
void clinux_futex_wait_for(uint32_t *word, uint32_t expected, int64_t nanoseconds);

/// Lets a thread run only on the `count` processors given; 0, or the error number.
int32_t clinux_pin_thread(int32_t thread, const int32_t *processors, int32_t count);

/// The processor that the calling thread runs on at this moment; -1 where the kernel does not say.
int32_t clinux_current_core(void);

/// Wakes at most one thread that sleeps on `word`.
void clinux_futex_wake(uint32_t *word);

#endif
