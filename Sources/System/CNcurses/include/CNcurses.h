#ifndef CNCURSES_H
#define CNCURSES_H

#include <stdint.h>

/// ncurses behind a dozen functions, all of them for one thread; ncurses' own header stays in the .c file.

/// Takes over the terminal on standard input and output. Returns 0, or an error: 1 no terminal, 2 unknown TERM, 3 a terminal
/// whose cursor cannot be moved, 4 anything else. An error changes nothing.
///
/// Standard error goes to a memory file until `cncurses_close`, which then writes out its tail.
int32_t cncurses_open(void);

/// Restores the terminal.
void cncurses_close(void);

int32_t cncurses_rows(void);
int32_t cncurses_columns(void);

/// The number of colours of the terminal; 0 if it has none.
int32_t cncurses_colors(void);

/// Whether the terminal expects UTF-8.
int32_t cncurses_is_unicode(void);

/// Whether the terminal can report its mouse, by its description.
int32_t cncurses_has_mouse(void);

/// Asks the terminal to report clicks and the wheel, or leaves them to the terminal, so that users can select text.
void cncurses_use_mouse(int32_t wanted);

/// The column of the newest click or turn of the wheel.
int32_t cncurses_pointer_column(void);
int32_t cncurses_pointer_row(void);

/// Defines colour pair `ink`, from 1, as `color` on the terminal's own background.
void cncurses_define_ink(int32_t ink, int32_t color);

/// Puts characters one to a column, in a colour pair (0: the terminal's own) and a style (bits: 1 bold, 2 reversed, 4 dim).
void cncurses_put(
    int32_t row, int32_t column, const uint32_t *characters, int32_t count, int32_t ink,
    int32_t look);

void cncurses_clear(void);

/// Shows the characters that were put since the last flush.
void cncurses_flush(void);

/// Redraws the whole screen at the next flush, even where the terminal should already show it.
void cncurses_redraw(void);

/// Waits for a key. Returns its character, one of the codes below, or -1 after a timeout.
///
/// Also stops the process if the user pressed Ctrl-Z, after restoring the terminal.
int32_t cncurses_key(int32_t milliseconds);

enum {
  CNCURSES_NONE = -1,
  CNCURSES_UP = -2,
  CNCURSES_DOWN = -3,
  CNCURSES_LEFT = -4,
  CNCURSES_RIGHT = -5,
  CNCURSES_ENTER = -6,
  CNCURSES_RESIZED = -7,
  /// The process was stopped and continued.
  CNCURSES_RESUMED = -8,
  CNCURSES_OTHER = -9,
  /// The terminal is gone.
  CNCURSES_HUNG_UP = -10,
  CNCURSES_CLICK = -11,
  CNCURSES_WHEEL_UP = -12,
  CNCURSES_WHEEL_DOWN = -13,
  CNCURSES_PAGE_UP = -14,
  CNCURSES_PAGE_DOWN = -15,
};

/// The commit that this program was built from, as `git` abbreviates it; empty if the build did not set it.
const char *framebudget_commit(void);

#endif
