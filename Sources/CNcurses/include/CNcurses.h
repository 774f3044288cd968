#ifndef CNCURSES_H
#define CNCURSES_H

#include <stdint.h>

/// ncurses behind a dozen functions, all of them for one thread; ncurses' own header stays in the .c file.

/// Takes over the terminal on standard input and output. 0, or why not: 1 no terminal, 2 unknown TERM,
/// 3 a terminal whose cursor cannot be moved, 4 anything else; nothing is changed then.
///
/// Standard error goes to a memory file until `cncurses_close`, which then writes out its tail.
int32_t cncurses_open(void);

/// Gives the terminal back as it was.
void cncurses_close(void);

int32_t cncurses_rows(void);
int32_t cncurses_columns(void);

/// How many colours the terminal has; 0 if it has none.
int32_t cncurses_colors(void);

/// Whether the terminal is written to in UTF-8.
int32_t cncurses_is_unicode(void);

/// Whether the terminal tells of its mouse; one whose description does not say so is never asked to.
int32_t cncurses_has_mouse(void);

/// Asks the terminal to tell of clicks and the wheel, or leaves them to it, for people to select text with.
void cncurses_use_mouse(int32_t wanted);

/// Where the newest click was, or the wheel was turned.
int32_t cncurses_pointer_column(void);
int32_t cncurses_pointer_row(void);

/// Makes `ink`, from 1, the colour `color` on the terminal's own background.
void cncurses_define_ink(int32_t ink, int32_t color);

/// Puts characters one to a column, in an ink (0: the terminal's own) and a look (bits: 1 bold, 2 reversed, 4 dim).
void cncurses_put(
    int32_t row, int32_t column, const uint32_t *characters, int32_t count, int32_t ink,
    int32_t look);

void cncurses_clear(void);

/// Shows what was put since the last time.
void cncurses_flush(void);

/// Shows everything anew at the next flush, whatever the terminal is thought to hold.
void cncurses_redraw(void);

/// Waits for a key: its character, one of the codes below, or -1 if none came within the time.
///
/// Also stops the process, with the terminal given back, if somebody has asked for that (Ctrl-Z).
int32_t cncurses_key(int32_t milliseconds);

enum {
  CNCURSES_NONE = -1,
  CNCURSES_UP = -2,
  CNCURSES_DOWN = -3,
  CNCURSES_LEFT = -4,
  CNCURSES_RIGHT = -5,
  CNCURSES_ENTER = -6,
  CNCURSES_RESIZED = -7,
  /// The process was stopped and goes on.
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

#endif
