#ifndef CLINUX_ENGINE_H
#define CLINUX_ENGINE_H

#include <stdint.h>

/// Clocks, sleeping, burning and signals for the real engine. Times are nanoseconds.

/// Time on a clock that only goes forward (CLOCK_MONOTONIC).
int64_t clinux_monotonic(void);

/// Processor time that the calling thread has used.
int64_t clinux_thread_cpu(void);

/// Processor time that another thread of this process has used, by its kernel id; -1 if the thread does not exist.
int64_t clinux_cpu_of_thread(int32_t thread);

/// How long the calling thread was ready to run and had no processor; -1 if the kernel does not tell.
int64_t clinux_run_delay(void);

/// The number of times that the calling thread went to sleep voluntarily.
int64_t clinux_thread_sleeps(void);

/// Processor time that the whole process has used.
int64_t clinux_process_cpu(void);

/// Voluntary and forced context switches of the whole process.
int64_t clinux_context_switches(void);

/// Bytes that the process has allocated and not freed.
int64_t clinux_allocated_bytes(void);

/// Sleeps until `deadline` on the monotonic clock; 0, or EINTR when a signal came first.
int clinux_sleep_until(int64_t deadline);

/// Waits for `mutex`, a pthread_mutex_t, for at most `nanoseconds`. Returns 0 once it is locked, or an errno.
int clinux_lock_within(void *mutex, int64_t nanoseconds);

/// Lets the kernel delay this thread's timers by at most `slack`. Returns the previous value.
int64_t clinux_set_timer_slack(int64_t slack);

/// Uses this much processor time on this thread. An excess is subtracted from the thread's next call.
void clinux_burn_cpu(int64_t nanoseconds);

/// Does `rounds` rounds of arithmetic, each on another cache line of `memory` (`size` bytes, at least 64).
void clinux_work(uint8_t *memory, int64_t size, int64_t rounds);

/// Makes SIGINT, SIGTERM and SIGHUP end the process with 128 plus their number; other signals end it as by default. Each of
/// them first removes the unfinished files. Unblocks all of them; an ignored SIGHUP or SIGQUIT stays ignored.
void clinux_end_on_signals(void);

/// The text that SIGINT, SIGTERM or SIGHUP writes to standard error when it ends the process at once; null for none.
void clinux_set_last_words(const char *text);

/// Makes the first SIGINT, SIGTERM or SIGHUP set a flag, and the next one end the process.
void clinux_note_interruptions(void);

/// The signal that set the flag, or 0.
int clinux_noted_interruption(void);

/// Clears the flag: the next signal ends the process.
void clinux_forget_interruption(void);

/// Sets real-time priority (SCHED_FIFO) for the calling thread, not for threads that it starts; 0 restores the default policy.
/// Returns 0, or an errno.
int clinux_set_realtime(int priority);

/// Processors that the calling thread, and every thread that it starts later, may use, as a bit mask of the first 64. `get`
/// returns 0 on failure, `set` an errno.
uint64_t clinux_get_affinity(void);
int clinux_set_affinity(uint64_t mask);

#endif
