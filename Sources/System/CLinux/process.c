#define _GNU_SOURCE
#include "CLinuxProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
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

// A browser reads commands from 3 and writes answers to 4. The given files are moved away from these numbers first.
static int describe_browser_files(posix_spawn_file_actions_t *files, int32_t socket, int32_t errors) {
  int error = posix_spawn_file_actions_adddup2(files, errors, STDERR_FILENO);
  if (!error) error = posix_spawn_file_actions_adddup2(files, socket, STDOUT_FILENO);
  if (!error) error = posix_spawn_file_actions_adddup2(files, STDOUT_FILENO, 3);
  if (!error) error = posix_spawn_file_actions_adddup2(files, STDOUT_FILENO, 4);
  if (!error) error = posix_spawn_file_actions_addopen(files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (!error) error = posix_spawn_file_actions_addopen(files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  if (!error) error = posix_spawn_file_actions_addclosefrom_np(files, 5);
  return error;
}

static int describe_program_files(posix_spawn_file_actions_t *files, int32_t output) {
  int error = posix_spawn_file_actions_adddup2(files, output, STDERR_FILENO);
  if (!error) error = posix_spawn_file_actions_adddup2(files, STDERR_FILENO, STDOUT_FILENO);
  if (!error) error = posix_spawn_file_actions_addopen(files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
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

// Set in the environment of every process that is started here. Such a process starts none itself: a program that does not know
// the meaning of its argument would otherwise start itself again without end.
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

// Returns the process id, or an errno as a negative number.
static int32_t spawn(
    char *const arguments[], char *const environment[], const posix_spawn_file_actions_t *files) {
  posix_spawnattr_t attributes;
  pid_t process = 0;
  int error = posix_spawnattr_init(&attributes);
  if (error) return -error;
  error = describe_signals(&attributes);
  if (!error) error = posix_spawn(&process, arguments[0], files, &attributes, arguments, environment);
  posix_spawnattr_destroy(&attributes);
  return error ? -error : process;
}

int32_t clinux_start_process(const char *path, const char *argument, int32_t socket) {
  if (getenv("FRAMEBUDGET_SERVICE")) return -EPERM;
  char **environment = marked_environment();
  if (!environment) return -ENOMEM;
  char *arguments[] = {(char *)path, (char *)argument, NULL};
  posix_spawn_file_actions_t files;
  int32_t process = -posix_spawn_file_actions_init(&files);
  if (!process) {
    process = -describe_files(&files, socket);
    if (!process) process = spawn(arguments, environment, &files);
    posix_spawn_file_actions_destroy(&files);
  }
  free(environment);
  return process;
}

// Starts the program in `words` with the described files. Returns its process id, or an errno as a negative number.
static int32_t spawn_words(const char *words, int32_t count, posix_spawn_file_actions_t *files, int error) {
  char **arguments = error ? NULL : calloc((size_t)count + 1, sizeof *arguments);
  int32_t process = error ? -error : -ENOMEM;
  if (arguments) {
    for (int32_t place = 0; place < count; place++, words += strlen(words) + 1) arguments[place] = (char *)words;
    process = spawn(arguments, environ, files);
  }
  posix_spawn_file_actions_destroy(files);
  free(arguments);
  return process;
}

int32_t clinux_start_browser(const char *words, int32_t count, int32_t socket, int32_t errors) {
  posix_spawn_file_actions_t files;
  int error = posix_spawn_file_actions_init(&files);
  if (error) return -error;
  return spawn_words(words, count, &files, describe_browser_files(&files, socket, errors));
}

int32_t clinux_start_program(const char *words, int32_t count, int32_t output) {
  posix_spawn_file_actions_t files;
  int error = posix_spawn_file_actions_init(&files);
  if (error) return -error;
  return spawn_words(words, count, &files, describe_program_files(&files, output));
}

int32_t clinux_ended(int32_t process) {
  siginfo_t ended;
  memset(&ended, 0, sizeof ended);
  if (waitid(P_PID, (id_t)process, &ended, WEXITED | WNOHANG | WNOWAIT) != 0 || ended.si_pid == 0) return -1;
  return ended.si_code == CLD_EXITED ? ended.si_status : 256 + ended.si_status;
}

static void wake(int number) { (void)number; }

int32_t clinux_wait_for_end(int32_t process, int32_t socket, int32_t output) {
  // The end of a child interrupts only `ppoll`, so none is missed.
  sigset_t child, waiting;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  pthread_sigmask(SIG_BLOCK, &child, &waiting);
  sigdelset(&waiting, SIGCHLD);
  signal(SIGCHLD, wake);
  struct pollfd files[] = {{.fd = socket, .events = POLLRDHUP}, {.fd = output, .events = POLLIN}};
  for (;;) {
    siginfo_t ended;
    memset(&ended, 0, sizeof ended);
    if (waitid(P_PID, (id_t)process, &ended, WEXITED | WNOHANG | WNOWAIT) != 0 || ended.si_pid != 0) return 0;
    if (ppoll(files, 2, NULL, &waiting) <= 0) continue;
    if (files[0].revents) return 0;
    if (files[1].revents) return 1;
  }
}

void clinux_adopt_orphans(void) { prctl(PR_SET_CHILD_SUBREAPER, 1); }

void clinux_die_with_parent(void) { prctl(PR_SET_PDEATHSIG, SIGKILL); }

int32_t clinux_reap(int32_t process) {
  int status = 0;
  pid_t ended;
  do ended = waitpid(process, &status, 0);
  while (ended < 0 && errno == EINTR);
  if (ended < 0) return -1;
  return WIFSIGNALED(status) ? 256 + WTERMSIG(status) : WEXITSTATUS(status);
}
