#ifndef CNCURSES_RESCUE_H
#define CNCURSES_RESCUE_H

#include <termios.h>

// Restores the terminal when the process dies, at any point.

// Saves the state of the terminal, and installs signal handlers.
void rescue_begin(const struct termios *before);

// Saves the sequences that restore the terminal.
void rescue_learn(const char *sequences);

// Stops listening.
void rescue_end(void);

// Whether a signal handler has restored the terminal; then nothing may be drawn any more.
int rescue_happened(void);

// Stops the process if a stop was requested since the last call. Returns whether one was.
int rescue_takes_stop(void);
void rescue_stop(void);

// Whether the process was continued since the last call, after a stop that this program did not make itself.
int rescue_takes_continue(void);

// Redirects standard error to a memory file, and back, with the tail of what was written.
void stderr_hide(void);
void stderr_show(void);

#endif
