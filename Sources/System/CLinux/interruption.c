#include "CLinuxEngine.h"
#include "CLinuxFiles.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Any thread may read it while a handler on another one writes it.
static atomic_int noted = 0;
static _Atomic(char *) last_words;

// The first of these signals asks the process to end; the next one ends it at once.
static const int asking[] = {SIGINT, SIGTERM, SIGHUP};
static const int ending[] = {SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM,   SIGVTALRM,
                             SIGPROF, SIGXCPU, SIGIO,   SIGSTKFLT, SIGPWR};

// Signals that a parent ignores on purpose, as nohup does. SIGINT and SIGTERM are handled even so, because a shell ignores
// SIGINT in commands that it starts in the background.
static int stays_ignored(int number) {
  struct sigaction before;
  sigaction(number, 0, &before);
  return before.sa_handler == SIG_IGN && number != SIGINT && number != SIGTERM;
}

// Without SA_RESTART, so that a signal ends the sleep until the next vsync.
static void handle(const int *numbers, size_t count, void (*handler)(int)) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < count; i++)
    if (!stays_ignored(numbers[i])) sigaction(numbers[i], &action, 0);
}

static void say_last_words(void) {
  const char *text = atomic_load(&last_words);
  size_t left = text ? strlen(text) : 0;
  while (left > 0) {
    ssize_t count = write(STDERR_FILENO, text, left);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    text += count;
    left -= (size_t)count;
  }
}

static void end(int number) {
  clinux_remove_unfinished();
  say_last_words();
  _exit(128 + number);
}

// Ends the process as if there were no handler: the signal is delivered once this handler has returned.
static void die(int number) {
  clinux_remove_unfinished();
  signal(number, SIG_DFL);
  raise(number);
}

// The next signal must work even if this run hangs. What the signal interrupted may be about to read errno.
static void note(int number) {
  int error = errno;
  atomic_store(&noted, number);
  handle(asking, sizeof asking / sizeof *asking, die);
  errno = error;
}

// A parent may have blocked the signals, as threads of a dispatch pool do for the processes that they start.
static void admit(const int *numbers, size_t count) {
  sigset_t set;
  sigemptyset(&set);
  for (size_t i = 0; i < count; i++) sigaddset(&set, numbers[i]);
  pthread_sigmask(SIG_UNBLOCK, &set, 0);
}

void clinux_end_on_signals(void) {
  admit(asking, sizeof asking / sizeof *asking);
  admit(ending, sizeof ending / sizeof *ending);
  handle(asking, sizeof asking / sizeof *asking, end);
  handle(ending, sizeof ending / sizeof *ending, die);
}

// The text before is not freed: a handler on another thread may be writing it.
void clinux_set_last_words(const char *text) {
  const char *before = atomic_load(&last_words);
  if (text && before && strcmp(text, before) == 0) return;
  atomic_store(&last_words, text ? strdup(text) : 0);
}

void clinux_note_interruptions(void) { handle(asking, sizeof asking / sizeof *asking, note); }

int clinux_noted_interruption(void) { return atomic_load(&noted); }

void clinux_forget_interruption(void) {
  atomic_store(&noted, 0);
  clinux_end_on_signals();
}
