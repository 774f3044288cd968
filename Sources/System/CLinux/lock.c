#define _GNU_SOURCE
#include "CLinuxEngine.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

static struct timespec instant(clockid_t clock, int64_t nanoseconds) {
  struct timespec now;
  clock_gettime(clock, &now);
  nanoseconds += now.tv_nsec;
  return (struct timespec){
      .tv_sec = now.tv_sec + nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
}

int clinux_lock_within(void *mutex, int64_t nanoseconds) {
  struct timespec deadline = instant(CLOCK_MONOTONIC, nanoseconds);
  int outcome = pthread_mutex_clocklock(mutex, CLOCK_MONOTONIC, &deadline);
  if (outcome != EINVAL) return outcome;
  // Before Linux 5.14 the timeout of a lock with priority inheritance could only use the wall clock.
  deadline = instant(CLOCK_REALTIME, nanoseconds);
  return pthread_mutex_timedlock(mutex, &deadline);
}
