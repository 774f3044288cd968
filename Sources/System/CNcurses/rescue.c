#define _GNU_SOURCE
#include "rescue.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

// Signals that end a process at any point, and signals that ask it to end.
static const int fatal[] = {SIGILL,  SIGTRAP, SIGABRT,   SIGBUS,  SIGFPE,  SIGSEGV,
                            SIGQUIT, SIGSYS,  SIGUSR1,   SIGUSR2, SIGALRM, SIGVTALRM,
                            SIGPROF, SIGXCPU, SIGSTKFLT, SIGIO,   SIGPWR};
static const int ending[] = {SIGINT, SIGTERM, SIGHUP};
enum { fatals = sizeof fatal / sizeof *fatal, endings = sizeof ending / sizeof *ending };

static struct sigaction before_fatal[fatals], before_ending[endings], before_stop, before_continue;
static struct termios terminal;
static char restoring[512];
static volatile sig_atomic_t rescued, asked_to_end, asked_to_stop, continued;

static void give_back(void) {
  if (rescued) return;
  rescued = 1;
  (void)!write(STDOUT_FILENO, restoring, strlen(restoring));
  tcsetattr(STDIN_FILENO, TCSANOW, &terminal);
  stderr_show();
}

// Whether an instruction of this thread caused the signal, and will again. Keys of the terminal also come from the kernel.
static int is_fault(int number, const siginfo_t *info) {
  switch (number) {
    case SIGILL:
    case SIGTRAP:
    case SIGBUS:
    case SIGFPE:
    case SIGSEGV:
    case SIGSYS: return info->si_code > 0;
    default: return 0;
  }
}

// Restores the previous handler and returns. A trap then occurs again; any other signal is sent again.
static void on_fatal(int number, siginfo_t *info, void *context) {
  (void)context;
  give_back();
  for (int i = 0; i < fatals; i++) {
    if (fatal[i] == number) sigaction(number, &before_fatal[i], 0);
  }
  if (!is_fault(number, info)) raise(number);
}

static void listen_to_endings(void);

// The first signal is left to the program, which may end as it likes; the second one ends the process.
static void on_ending(int number) {
  if (asked_to_end++) {
    give_back();
    for (int i = 0; i < endings; i++) sigaction(ending[i], &before_ending[i], 0);
    raise(number);
    return;
  }
  for (int i = 0; i < endings; i++) {
    void (*handler)(int) = before_ending[i].sa_handler;
    if (ending[i] == number && handler != SIG_DFL && handler != SIG_IGN) handler(number);
  }
  // The program may have changed the handling of the next signal.
  listen_to_endings();
}

static void on_stop(int number) {
  (void)number;
  asked_to_stop = 1;
}

static void on_continue(int number) {
  (void)number;
  continued = 1;
}

static void handle(int number, void (*handler)(int), struct sigaction *before) {
  struct sigaction action, old;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  sigaction(number, 0, &old);
  if (before) *before = old;
  if (old.sa_handler != SIG_IGN) sigaction(number, &action, 0);
}

// Without SA_RESTART, so that a signal interrupts a sleep. Our own handler does not count as the previous one.
static void listen_to_endings(void) {
  for (int i = 0; i < endings; i++) {
    struct sigaction old;
    handle(ending[i], on_ending, &old);
    if (old.sa_handler != on_ending) before_ending[i] = old;
  }
}

void rescue_begin(const struct termios *before) {
  terminal = *before;
  rescued = asked_to_end = asked_to_stop = continued = 0;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = on_fatal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < fatals; i++) {
    sigaction(fatal[i], &action, &before_fatal[i]);
    if (before_fatal[i].sa_handler == SIG_IGN) sigaction(fatal[i], &before_fatal[i], 0);
  }
  listen_to_endings();
  handle(SIGTSTP, on_stop, &before_stop);
  handle(SIGCONT, on_continue, &before_continue);
}

void rescue_learn(const char *sequences) {
  strncpy(restoring, sequences, sizeof restoring - 1);
}

void rescue_end(void) {
  for (int i = 0; i < fatals; i++) sigaction(fatal[i], &before_fatal[i], 0);
  for (int i = 0; i < endings; i++) sigaction(ending[i], &before_ending[i], 0);
  sigaction(SIGTSTP, &before_stop, 0);
  sigaction(SIGCONT, &before_continue, 0);
}

int rescue_happened(void) { return rescued; }

int rescue_takes_stop(void) {
  int asked = asked_to_stop;
  asked_to_stop = 0;
  return asked;
}

// `raise` sends the signal to this thread: the process has been stopped and continued when it returns.
void rescue_stop(void) {
  struct sigaction usual, ours;
  memset(&usual, 0, sizeof usual);
  usual.sa_handler = SIG_DFL;
  sigaction(SIGTSTP, &usual, &ours);
  raise(SIGTSTP);
  sigaction(SIGTSTP, &ours, 0);
  continued = 0;
}

int rescue_takes_continue(void) {
  int did = continued;
  continued = 0;
  return did;
}
