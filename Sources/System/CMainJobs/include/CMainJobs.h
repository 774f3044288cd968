#ifndef CMAINJOBS_H
#define CMAINJOBS_H

#include <stdbool.h>
#include <stdint.h>

/// Swift's hooks for jobs: the main actor's executor, and the jobs of its thread pool; and the state of Foundation's run loops. The
/// runtime exports them. A runtime without them is not an error; it cannot be observed.

/// An executor as the runtime passes it: the object, and its kind.
typedef struct {
  uintptr_t identity;
  uintptr_t implementation;
} cmainjobs_executor;

/// Receives each job for the pool, on any thread. Returns whether it takes the job over.
typedef bool (*cmainjobs_taker)(uintptr_t job);

/// Whether this runtime has the hooks.
bool cmainjobs_available(void);

/// Makes `main` the main actor's executor, and passes jobs for the pool to `pool`, until `cmainjobs_release`. The executor must
/// never be deallocated.
void cmainjobs_take(cmainjobs_executor main, cmainjobs_taker pool);

/// Restores the default behaviour.
void cmainjobs_release(void);

/// The task that the calling thread runs, as a job; 0 if none.
uintptr_t cmainjobs_current_task(void);

/// The number of a task, which no other task of the process has; 0 if the job is none.
uint64_t cmainjobs_task_number(uintptr_t job);

/// Runs a job of the pool on the calling thread.
void cmainjobs_run(uintptr_t job);

/// Whether a block, timer or source waits in the main run loop or in the calling thread's, and no thread runs that loop. False if
/// the program has no Foundation, whose loops these are.
bool cmainjobs_unserved_loop(void);

#endif
