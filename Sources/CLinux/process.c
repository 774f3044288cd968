#define _GNU_SOURCE
#include "CLinuxProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static int describe_files(posix_spawn_file_actions_t *files, int32_t socket) {
  int error = posix_spawn_file_actions_adddup2(files, socket, STDIN_FILENO);
  if (!error) error = posix_spawn_file_actions_addopen(files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  if (!error) error = posix_spawn_file_actions_addopen(files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  if (!error) error = posix_spawn_file_actions_addclosefrom_np(files, STDERR_FILENO + 1);
  return error;
}

static int describe_signals(posix_spawnattr_t *attributes) {
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  int error = posix_spawnattr_setflags(
      attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  if (!error) error = posix_spawnattr_setpgroup(attributes, 0);
  if (!error) error = posix_spawnattr_setsigmask(attributes, &none);
  if (!error) error = posix_spawnattr_setsigdefault(attributes, &all);
  return error;
}

// In the environment of every process that is started here, which starts none of its own: a program that does not know
// what its argument means would start itself again, and so would that.
static char mark[] = "FRAMEBUDGET_SERVICE=1";

static char **marked_environment(void) {
  size_t count = 0;
  while (environ[count]) count++;
  char **marked = calloc(count + 2, sizeof *marked);
  if (!marked) return NULL;
  memcpy(marked, environ, count * sizeof *marked);
  marked[count] = mark;
  return marked;
}

int32_t clinux_start_process(const char *path, const char *argument, int32_t socket) {
  if (getenv("FRAMEBUDGET_SERVICE")) return -EPERM;
  char **environment = marked_environment();
  if (!environment) return -ENOMEM;
  char *arguments[] = {(char *)path, (char *)argument, NULL};
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  pid_t process = 0;
  int error = posix_spawn_file_actions_init(&files);
  if (!error) {
    error = posix_spawnattr_init(&attributes);
    if (!error) {
      error = describe_files(&files, socket);
      if (!error) error = describe_signals(&attributes);
      if (!error) error = posix_spawn(&process, path, &files, &attributes, arguments, environment);
      posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&files);
  }
  free(environment);
  return error ? -error : process;
}

void clinux_die_with_parent(void) { prctl(PR_SET_PDEATHSIG, SIGKILL); }

int32_t clinux_reap(int32_t process) {
  int status = 0;
  pid_t ended;
  do ended = waitpid(process, &status, 0);
  while (ended < 0 && errno == EINTR);
  if (ended < 0) return -1;
  return WIFSIGNALED(status) ? 256 + WTERMSIG(status) : WEXITSTATUS(status);
}
