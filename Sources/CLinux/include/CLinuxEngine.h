#ifndef CLINUX_ENGINE_H
#define CLINUX_ENGINE_H

#include <stdint.h>

/// What the real engine needs beside threads: clocks, sleeping, burning, signals. Times are nanoseconds.

/// Time on a clock that only goes forward (CLOCK_MONOTONIC).
int64_t clinux_monotonic(void);

/// Processor time that the calling thread has used.
int64_t clinux_thread_cpu(void);

/// Processor time that another thread of this process has used, by its kernel id; -1 if there is none.
int64_t clinux_cpu_of_thread(int32_t thread);

/// For how long the calling thread could have run and had no processor, by the kernel; -1 if it does not say.
int64_t clinux_run_delay(void);

/// How often the calling thread has gone to sleep of its own accord.
int64_t clinux_thread_sleeps(void);

/// Processor time that the whole process has used.
int64_t clinux_process_cpu(void);

/// Voluntary and forced context switches of the whole process.
int64_t clinux_context_switches(void);

/// Bytes that the process has allocated and not freed.
int64_t clinux_allocated_bytes(void);

/// Sleeps until `deadline` on the monotonic clock; 0, or EINTR when a signal came first.
int clinux_sleep_until(int64_t deadline);

/// Waits for `mutex`, a pthread_mutex_t, for at most so long; 0 once it is taken, or an errno.
int clinux_lock_within(void *mutex, int64_t nanoseconds);

/// Lets the kernel delay this thread's timers by at most so much; returns what it was before.
int64_t clinux_set_timer_slack(int64_t slack);

/// Uses so much processor time on this thread. What it used too much is taken off the thread's next call.
void clinux_burn_cpu(int64_t nanoseconds);

/// Does `rounds` rounds of arithmetic, each on another cache line of `memory` (`size` bytes, at least 64).
void clinux_work(uint8_t *memory, int64_t size, int64_t rounds);

/// From now on SIGINT, SIGTERM and SIGHUP end the process with 128 and their number, other signals as they always do;
/// whichever it is, what is not finished is removed first. None is blocked any more; a SIGHUP or SIGQUIT that is
/// ignored stays so.
void clinux_end_on_signals(void);

/// From now on the first SIGINT, SIGTERM or SIGHUP is noted, the next one ends the process.
void clinux_note_interruptions(void);

/// The signal that was noted, or 0.
int clinux_noted_interruption(void);

/// Forgets it: the next one is the first again.
void clinux_forget_interruption(void);

/// Real-time priority (SCHED_FIFO) for the calling thread, not for those it starts; priority 0 is the usual
/// scheduling. Returns 0, or an errno.
int clinux_set_realtime(int priority);

/// Which processors the calling thread, and every thread it starts from now on, may use, as a bit mask of the
/// first 64; `get` returns 0 on failure, `set` an errno.
uint64_t clinux_get_affinity(void);
int clinux_set_affinity(uint64_t mask);

#endif
