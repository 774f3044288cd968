#include "CLinuxEngine.h"

#include <signal.h>
#include <string.h>

static volatile sig_atomic_t noted = 0;

// The next signal must work even if this run never comes to an end.
static void note(int signal_number) {
  noted = signal_number;
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
}

void clinux_note_interruptions(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = note;
  sigemptyset(&action.sa_mask);
  // Without SA_RESTART: the sleep until the next vsync is to end at once.
  sigaction(SIGINT, &action, 0);
  sigaction(SIGTERM, &action, 0);
}

int clinux_noted_interruption(void) { return noted; }
