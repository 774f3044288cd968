#include "CMainJobs.h"

#include <stdatomic.h>
#include <stddef.h>

#define SWIFT __attribute__((swiftcall))
#define WEAK __attribute__((weak))

// Declared as in swift/Runtime/Concurrency.h and ConcurrencyHooks.def. Weak, because nothing guarantees that they stay.
typedef SWIFT cmainjobs_executor (*get_main)(void);
typedef SWIFT void (*enqueue)(void *job);
extern SWIFT cmainjobs_executor (*swift_task_getMainExecutor_hook)(get_main original) WEAK;
extern SWIFT void (*swift_task_enqueueGlobal_hook)(void *job, enqueue original) WEAK;
extern SWIFT void *swift_task_getCurrent(void) WEAK;
extern SWIFT uint64_t swift_task_getJobTaskId(void *job) WEAK;
extern SWIFT void swift_job_run(void *job, cmainjobs_executor executor) WEAK;

// Declared as in CoreFoundation's CFRunLoop.h and ForFoundationOnly.h.
extern void *CFRunLoopGetMain(void) WEAK;
extern void *CFRunLoopGetCurrent(void) WEAK;
extern void *CFRunLoopCopyCurrentMode(void *loop) WEAK;
extern unsigned char _CFRunLoopFinished(void *loop, void *mode) WEAK;
extern void CFRelease(void *object) WEAK;
extern void *const kCFRunLoopDefaultMode WEAK;

static _Atomic(cmainjobs_taker) taker;
static atomic_bool isTaken;
static atomic_bool isInstalled;
// Written once, before `isTaken` is set for the first time.
static cmainjobs_executor substitute;
static SWIFT cmainjobs_executor (*getBefore)(get_main original);
static SWIFT void (*enqueueBefore)(void *job, enqueue original);

static SWIFT cmainjobs_executor mainExecutor(get_main original) {
  if (atomic_load_explicit(&isTaken, memory_order_acquire)) return substitute;
  return getBefore != NULL ? getBefore(original) : original();
}

static SWIFT void enqueueGlobal(void *job, enqueue original) {
  cmainjobs_taker pool = atomic_load_explicit(&taker, memory_order_acquire);
  if (pool != NULL && pool((uintptr_t)job)) return;
  if (enqueueBefore != NULL) {
    enqueueBefore(job, original);
  } else {
    original(job);
  }
}

bool cmainjobs_available(void) {
  return &swift_task_getMainExecutor_hook != NULL && &swift_task_enqueueGlobal_hook != NULL &&
         &swift_task_getCurrent != NULL && &swift_task_getJobTaskId != NULL && &swift_job_run != NULL;
}

void cmainjobs_take(cmainjobs_executor main, cmainjobs_taker pool) {
  if (!cmainjobs_available()) return;
  // Never removed: other threads may be inside them at any time.
  if (!atomic_exchange(&isInstalled, true)) {
    substitute = main;
    getBefore = swift_task_getMainExecutor_hook;
    swift_task_getMainExecutor_hook = mainExecutor;
    enqueueBefore = swift_task_enqueueGlobal_hook;
    swift_task_enqueueGlobal_hook = enqueueGlobal;
  }
  atomic_store_explicit(&taker, pool, memory_order_release);
  atomic_store_explicit(&isTaken, true, memory_order_release);
}

void cmainjobs_release(void) {
  atomic_store_explicit(&taker, NULL, memory_order_release);
  atomic_store_explicit(&isTaken, false, memory_order_release);
}

uintptr_t cmainjobs_current_task(void) {
  return &swift_task_getCurrent != NULL ? (uintptr_t)swift_task_getCurrent() : 0;
}

uint64_t cmainjobs_task_number(uintptr_t job) {
  return job != 0 && &swift_task_getJobTaskId != NULL ? swift_task_getJobTaskId((void *)job) : 0;
}

void cmainjobs_run(uintptr_t job) {
  cmainjobs_executor generic = {0, 0};
  swift_job_run((void *)job, generic);
}

static bool waitsUnserved(void *loop) {
  void *mode = CFRunLoopCopyCurrentMode(loop);
  if (mode != NULL) CFRelease(mode);
  return mode == NULL && !_CFRunLoopFinished(loop, kCFRunLoopDefaultMode);
}

bool cmainjobs_unserved_loop(void) {
  if (&CFRunLoopGetMain == NULL || &CFRunLoopGetCurrent == NULL || &CFRunLoopCopyCurrentMode == NULL ||
      &_CFRunLoopFinished == NULL || &CFRelease == NULL || &kCFRunLoopDefaultMode == NULL)
    return false;
  void *main = CFRunLoopGetMain(), *current = CFRunLoopGetCurrent();
  return waitsUnserved(main) || (current != main && waitsUnserved(current));
}
