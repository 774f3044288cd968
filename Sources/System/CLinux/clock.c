#define _GNU_SOURCE
#include "CLinuxEngine.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <sched.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static int64_t read_clock(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t clinux_monotonic(void) { return read_clock(CLOCK_MONOTONIC); }
int64_t clinux_thread_cpu(void) { return read_clock(CLOCK_THREAD_CPUTIME_ID); }
// The upper bits of a thread's clock are its inverted id; see the kernel's include/linux/posix-timers.h.
int64_t clinux_cpu_of_thread(int32_t thread) {
  clockid_t clock = (clockid_t)((~(uint32_t)thread << 3) | 6);
  struct timespec now;
  if (clock_gettime(clock, &now) != 0) return -1;
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

// Documentation/scheduler/sched-stats.rst: time on a processor, time waiting for one, number of time slices.
int64_t clinux_run_delay(void) {
  char text[80];
  int file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
  if (file < 0) return -1;
  ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  long long delay = -1;
  text[length > 0 ? length : 0] = 0;
  return sscanf(text, "%*s %lld", &delay) == 1 ? delay : -1;
}

int64_t clinux_thread_sleeps(void) {
  struct rusage usage;
  return getrusage(RUSAGE_THREAD, &usage) == 0 ? usage.ru_nvcsw : 0;
}

int64_t clinux_process_cpu(void) { return read_clock(CLOCK_PROCESS_CPUTIME_ID); }

int64_t clinux_context_switches(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_nvcsw + usage.ru_nivcsw;
}

int64_t clinux_allocated_bytes(void) {
  struct mallinfo2 info = mallinfo2();
  return (int64_t)(info.uordblks + info.hblkhd);
}

int clinux_sleep_until(int64_t deadline) {
  struct timespec at = {.tv_sec = deadline / 1000000000, .tv_nsec = deadline % 1000000000};
  return clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, 0);
}

int64_t clinux_set_timer_slack(int64_t slack) {
  int64_t before = prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0);
  prctl(PR_SET_TIMERSLACK, (unsigned long)slack, 0, 0, 0);
  return before;
}

int clinux_set_realtime(int priority) {
  struct sched_param param = {.sched_priority = priority};
  int policy = priority > 0 ? SCHED_FIFO | SCHED_RESET_ON_FORK : SCHED_OTHER;
  return sched_setscheduler(0, policy, &param) == 0 ? 0 : errno;
}

uint64_t clinux_get_affinity(void) {
  cpu_set_t set;
  uint64_t mask = 0;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 0;
  for (int cpu = 0; cpu < 64; cpu++) mask |= (uint64_t)(CPU_ISSET(cpu, &set) != 0) << cpu;
  return mask;
}

int clinux_set_affinity(uint64_t mask) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (int cpu = 0; cpu < 64; cpu++)
    if (mask >> cpu & 1) CPU_SET(cpu, &set);
  return sched_setaffinity(0, sizeof set, &set) == 0 ? 0 : errno;
}
