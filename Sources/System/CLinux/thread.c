#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int32_t clinux_thread_id(void) { return (int32_t)syscall(SYS_gettid); }

void clinux_set_thread_name(const char *name) {
  char kept[16] = {0};
  strncpy(kept, name, sizeof kept - 1);
  pthread_setname_np(pthread_self(), kept);
}

void clinux_futex_wait(uint32_t *word, uint32_t expected) {
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, 0, 0, 0);
}

void clinux_futex_wait_for(uint32_t *word, uint32_t expected, int64_t nanoseconds) {
  struct timespec span = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, &span, 0, 0);
}

int32_t clinux_pin_thread(int32_t thread, const int32_t *processors, int32_t count) {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  for (int32_t i = 0; i < count; i++) {
    if (processors[i] < 0 || processors[i] >= CPU_SETSIZE) return EINVAL;
    CPU_SET(processors[i], &allowed);
  }
  return sched_setaffinity(thread, sizeof allowed, &allowed) == 0 ? 0 : errno;
}

int32_t clinux_current_core(void) { return sched_getcpu(); }

void clinux_futex_wake(uint32_t *word) {
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
}
