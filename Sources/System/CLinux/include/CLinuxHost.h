#ifndef CLINUX_HOST_H
#define CLINUX_HOST_H

#include <stdint.h>

/// The host, and the privileges of this process. The `may` functions try an operation on a separate thread, which then ends,
/// and return 0 or an errno.

/// Processors that are switched on.
int32_t clinux_online_processors(void);

/// By how much the kernel may delay the calling thread's timers, in nanoseconds.
int64_t clinux_timer_slack(void);

/// A real-time priority (SCHED_FIFO).
int32_t clinux_may_set_realtime(void);

/// A nice value below the present one.
int32_t clinux_may_lower_nice(void);

/// Which processors a thread runs on.
int32_t clinux_may_set_affinity(void);

/// Keeping the processors out of deep sleep, by /dev/cpu_dma_latency.
int32_t clinux_may_forbid_deep_sleep(void);

/// How many of `count` more threads this process may have at once: they are created, and ended again.
int32_t clinux_possible_threads(int32_t count);

/// The number of this process's threads that belong to Dispatch's pools, by their names.
int32_t clinux_dispatch_workers(void);

/// Opens a pseudo-terminal of that size: the viewer's end, then the program's. 0, or an errno.
int32_t clinux_open_terminal(uint16_t columns, uint16_t rows, int32_t ends[2]);

#endif
