#ifndef CMAINJOBS_H
#define CMAINJOBS_H

#include <stdbool.h>
#include <stdint.h>

/// Swift's own hooks on where jobs go: which executor is the main actor's, and what comes to its pool of threads. The
/// runtime exports them; a runtime that does not is no error, only nothing can be seen there.

/// An executor as the runtime passes it on: the object, and how it is one.
typedef struct {
  uintptr_t identity;
  uintptr_t implementation;
} cmainjobs_executor;

/// Is shown each job that goes to the pool; says whether it takes it over. From any thread.
typedef bool (*cmainjobs_taker)(uintptr_t job);

/// Whether this runtime has the hooks.
bool cmainjobs_available(void);

/// From now on `main` is the main actor's executor, and `pool` is shown what goes to the pool. The executor must live for
/// ever. Until `cmainjobs_release`.
void cmainjobs_take(cmainjobs_executor main, cmainjobs_taker pool);

/// From now on all is as it was.
void cmainjobs_release(void);

/// The task that the calling thread runs, in the same terms as jobs; 0 if none.
uintptr_t cmainjobs_current_task(void);

/// Runs a job of the pool on the calling thread.
void cmainjobs_run(uintptr_t job);

#endif
