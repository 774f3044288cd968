#define _GNU_SOURCE
#include "CLinuxHost.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

int32_t clinux_online_processors(void) { return (int32_t)sysconf(_SC_NPROCESSORS_ONLN); }

int64_t clinux_timer_slack(void) { return prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0); }

static void *try_realtime(void *result) {
  struct sched_param param = {.sched_priority = 1};
  *(int *)result = sched_setscheduler(0, SCHED_FIFO, &param) == 0 ? 0 : errno;
  return 0;
}

static void *try_lower_nice(void *result) {
  id_t thread = (id_t)syscall(SYS_gettid);
  int nice = getpriority(PRIO_PROCESS, thread);
  // The lowest value cannot be lowered; setting it again needs the same privilege.
  *(int *)result = setpriority(PRIO_PROCESS, thread, nice > -20 ? nice - 1 : nice) == 0 ? 0 : errno;
  return 0;
}

static void *try_affinity(void *result) {
  cpu_set_t set;
  int failed = sched_getaffinity(0, sizeof set, &set) || sched_setaffinity(0, sizeof set, &set);
  *(int *)result = failed ? errno : 0;
  return 0;
}

static int32_t tried(void *(*attempt)(void *)) {
  pthread_t thread;
  int result = 0;
  int error = pthread_create(&thread, 0, attempt, &result);
  if (error) return error;
  pthread_join(thread, 0);
  return result;
}

int32_t clinux_may_set_realtime(void) { return tried(try_realtime); }
int32_t clinux_may_lower_nice(void) { return tried(try_lower_nice); }
int32_t clinux_may_set_affinity(void) { return tried(try_affinity); }

int32_t clinux_may_forbid_deep_sleep(void) {
  int file = open("/dev/cpu_dma_latency", O_WRONLY | O_CLOEXEC);
  if (file < 0) return errno;
  close(file);
  return 0;
}

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void *stand_by(void *id) {
  *(pid_t *)id = (pid_t)syscall(SYS_gettid);
  pthread_mutex_lock(&gate);
  pthread_mutex_unlock(&gate);
  return 0;
}

// A joined thread counts until the kernel has released it.
static void wait_for_end(pid_t thread) {
  for (int tries = 0; tries < 20000 && syscall(SYS_tgkill, getpid(), thread, 0) == 0; tries++) usleep(50);
}

int32_t clinux_possible_threads(int32_t count) {
  pthread_t *threads = calloc((size_t)count, sizeof *threads);
  pid_t *ids = calloc((size_t)count, sizeof *ids);
  int32_t created = 0;
  pthread_mutex_lock(&gate);
  while (threads && ids && created < count
         && pthread_create(&threads[created], 0, stand_by, &ids[created]) == 0)
    created++;
  pthread_mutex_unlock(&gate);
  for (int32_t i = 0; i < created; i++) pthread_join(threads[i], 0);
  for (int32_t i = 0; i < created; i++) wait_for_end(ids[i]);
  free(threads);
  free(ids);
  return created;
}

static int ends_with(const char *text, const char *end) {
  size_t length = strlen(text), of_end = strlen(end);
  return length >= of_end && strcmp(text + length - of_end, end) == 0;
}

int32_t clinux_dispatch_workers(void) {
  DIR *threads = opendir("/proc/self/task");
  if (!threads) return 0;
  int32_t count = 0;
  for (struct dirent *entry; (entry = readdir(threads));) {
    char path[64], name[32];
    if (snprintf(path, sizeof path, "/proc/self/task/%.20s/comm", entry->d_name) >= (int)sizeof path) continue;
    FILE *file = fopen(path, "re");
    // A thread may end meanwhile.
    if (!file) continue;
    if (fgets(name, sizeof name, file)) {
      name[strcspn(name, "\n")] = 0;
      // The ends of com.apple.root.default-qos and com.apple.root.default-qos.overcommit fit into the kernel's 15 characters.
      if (ends_with(name, "-qos") || ends_with(name, "-qos.overcommit")) count++;
    }
    fclose(file);
  }
  closedir(threads);
  return count;
}
