#ifndef CNCURSES_RESCUE_H
#define CNCURSES_RESCUE_H

#include <termios.h>

// What must work in the middle of anything: giving the terminal back when the process dies.

// Remembers how the terminal was, and begins to listen to signals.
void rescue_begin(const struct termios *before);

// Remembers what to write to bring the terminal back.
void rescue_learn(const char *sequences);

// Stops listening.
void rescue_end(void);

// Whether the terminal was given back by a signal handler; then nothing may be drawn any more.
int rescue_happened(void);

// Whether somebody asked for a stop since the last call; stops the process.
int rescue_takes_stop(void);
void rescue_stop(void);

// Whether the process went on since the last call, after a stop that this program did not make itself.
int rescue_takes_continue(void);

// Sends standard error to a memory file, and back, with the tail of what was written.
void stderr_hide(void);
void stderr_show(void);

#endif
