#define _GNU_SOURCE
#define NCURSES_WIDECHAR 1
#include "CNcurses.h"
#include "rescue.h"

#include <curses.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <string.h>
#include <term.h>
#include <unistd.h>

static SCREEN *screen;
static int is_unicode;
static int32_t pointer_column, pointer_row;

// Mouse actions that no call has returned yet. ncurses keeps eight events, each of up to three clicks.
struct action { int32_t code, column, row; };
enum { most_events = 8, most_clicks = 3 };
static struct action actions[most_events * most_clicks];
static int action_count, next_action;

// Enables characters beyond ASCII also in the locale C, which says nothing about the terminal.
static void choose_characters(void) {
  setlocale(LC_CTYPE, "");
  is_unicode = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
  if (!is_unicode && strcmp(nl_langinfo(CODESET), "ANSI_X3.4-1968") == 0) {
    is_unicode = setlocale(LC_CTYPE, "C.UTF-8") != 0;
  }
}

static const char *capability(const char *name) {
  char *text = tigetstr((char *)name);
  return text && text != (char *)-1 ? text : "";
}

// Appends without the pauses, `$<milliseconds>`, that old terminals needed.
static void append(const char *sequence, char *sequences, size_t size) {
  size_t end = strlen(sequences);
  for (const char *from = sequence; *from && end + 1 < size; from++) {
    const char *pause = from[0] == '$' && from[1] == '<' ? strchr(from, '>') : 0;
    if (pause) from = pause;
    else sequences[end++] = *from;
  }
  sequences[end] = 0;
}

// initscr would end the process for an unknown TERM, and draw nonsense for one that cannot move its cursor.
static int32_t check_terminal(void) {
  int found = 0;
  if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) return 1;
  if (setupterm(0, STDOUT_FILENO, &found) != OK) return found == 1 ? 3 : 2;
  int moves = *capability("cup") != 0;
  del_curterm(cur_term);
  return moves ? 0 : 3;
}

// The sequence that ends the mouse's reports, as ncurses writes it; nothing if the terminal has no mouse.
static const char *mouse_off(void) {
  if (!cncurses_has_mouse()) return "";
  const char *mode = capability("XM");
  return *mode ? tparm((char *)mode, 0) : "\033[?1000l";
}

static void set_up_window(void) {
  cbreak();
  noecho();
  nonl();
  curs_set(0);
  keypad(stdscr, TRUE);
  set_escdelay(25);
  // A press counts as a click: waiting for a release would delay it.
  mouseinterval(0);
  if (has_colors()) {
    start_color();
    use_default_colors();
  }
}

int32_t cncurses_open(void) {
  struct termios before;
  int32_t problem = check_terminal();
  if (problem) return problem;
  if (tcgetattr(STDIN_FILENO, &before) != 0) return 1;
  choose_characters();
  char sequences[512] = "";
  // Before newterm, which does not touch signals that have a handler.
  rescue_begin(&before);
  screen = newterm(0, stdout, stdin);
  if (!screen) {
    rescue_end();
    return 4;
  }
  append(mouse_off(), sequences, sizeof sequences);
  static const char *const restoring[] = {"sgr0", "clear", "rmkx", "cnorm", "rmcup"};
  for (size_t i = 0; i < sizeof restoring / sizeof *restoring; i++)
    append(capability(restoring[i]), sequences, sizeof sequences);
  rescue_learn(sequences);
  set_up_window();
  stderr_hide();
  return 0;
}

// If a terminal such as tmux was enlarged meanwhile, it keeps the lines that no longer fit when it returns to the old size, and
// shows them above the previous screen. So this clears them first.
static void leave_screen(void) {
  erase();
  refresh();
  endwin();
}

void cncurses_close(void) {
  if (!screen) return;
  if (!rescue_happened()) leave_screen();
  rescue_end();
  delscreen(screen);
  screen = 0;
  stderr_show();
}

int32_t cncurses_rows(void) { return LINES; }
int32_t cncurses_columns(void) { return COLS; }
int32_t cncurses_colors(void) { return has_colors() ? COLORS : 0; }
int32_t cncurses_is_unicode(void) { return is_unicode; }

int32_t cncurses_has_mouse(void) { return *capability("kmous") != 0; }
int32_t cncurses_pointer_column(void) { return pointer_column; }
int32_t cncurses_pointer_row(void) { return pointer_row; }

void cncurses_use_mouse(int32_t wanted) {
  if (!cncurses_has_mouse()) return;
  // Requests all events, though few are used: after an event that was not requested, such as a release, ncurses waits for the
  // next key without a limit.
  mousemask(wanted ? ALL_MOUSE_EVENTS : 0, 0);
}

void cncurses_define_ink(int32_t ink, int32_t color) { init_pair((short)ink, (short)color, -1); }

void cncurses_put(
    int32_t row, int32_t column, const uint32_t *characters, int32_t count, int32_t ink,
    int32_t look) {
  attr_t attributes = (look & 1 ? A_BOLD : 0) | (look & 2 ? A_REVERSE : 0) | (look & 4 ? A_DIM : 0);
  for (int32_t i = 0; i < count; i++) {
    wchar_t text[2] = {(wchar_t)characters[i], 0};
    cchar_t cell;
    setcchar(&cell, text, attributes, (short)ink, 0);
    mvadd_wchnstr(row, column + i, &cell, 1);
  }
}

void cncurses_clear(void) { erase(); }

void cncurses_flush(void) {
  if (!rescue_happened()) refresh();
}

void cncurses_redraw(void) { clearok(stdscr, TRUE); }

static int32_t stop(void) {
  leave_screen();
  rescue_stop();
  clearok(stdscr, TRUE);
  refresh();
  return CNCURSES_RESUMED;
}

static int has_hung_up(void) {
  struct pollfd input = {STDIN_FILENO, POLLIN, 0};
  return poll(&input, 1, 0) > 0 && (input.revents & (POLLHUP | POLLERR | POLLNVAL));
}

static int32_t take_action(void) {
  if (next_action == action_count) return CNCURSES_NONE;
  struct action action = actions[next_action++];
  pointer_column = action.column;
  pointer_row = action.row;
  return action.code;
}

static void add_action(int32_t code, int times, const MEVENT *event) {
  for (int i = 0; i < times; i++)
    actions[action_count++] = (struct action){code, event->x, event->y};
}

// ncurses reports a press whose release has already arrived, as from a touchpad, as a click, and two or three of these as one
// event. Events without a meaning here, such as a release, are not keys.
static void add_actions(const MEVENT *event) {
  if (event->bstate & (BUTTON1_PRESSED | BUTTON1_CLICKED)) add_action(CNCURSES_CLICK, 1, event);
  else if (event->bstate & BUTTON1_DOUBLE_CLICKED) add_action(CNCURSES_CLICK, 2, event);
  else if (event->bstate & BUTTON1_TRIPLE_CLICKED) add_action(CNCURSES_CLICK, most_clicks, event);
  else if (event->bstate & BUTTON4_PRESSED) add_action(CNCURSES_WHEEL_UP, 1, event);
  else if (event->bstate & BUTTON5_PRESSED) add_action(CNCURSES_WHEEL_DOWN, 1, event);
}

// ncurses reports one key for all events that arrived at once, and returns the newest first.
static int32_t code_of_mouse(void) {
  MEVENT events[most_events];
  int count = 0;
  while (count < most_events && getmouse(&events[count]) == OK) count++;
  action_count = next_action = 0;
  while (count > 0) add_actions(&events[--count]);
  return take_action();
}

static int32_t code_of(wint_t key) {
  switch (key) {
    case KEY_UP: return CNCURSES_UP;
    case KEY_DOWN: return CNCURSES_DOWN;
    case KEY_LEFT: return CNCURSES_LEFT;
    case KEY_RIGHT: return CNCURSES_RIGHT;
    case KEY_ENTER: return CNCURSES_ENTER;
    case KEY_RESIZE: return CNCURSES_RESIZED;
    case KEY_PPAGE: return CNCURSES_PAGE_UP;
    case KEY_NPAGE: return CNCURSES_PAGE_DOWN;
    case KEY_MOUSE: return code_of_mouse();
    default: return CNCURSES_OTHER;
  }
}

int32_t cncurses_key(int32_t milliseconds) {
  if (rescue_takes_stop()) return stop();
  if (rescue_takes_continue()) {
    // The process that stopped this one may have changed the terminal.
    reset_prog_mode();
    mmask_t mouse = 0;
    mousemask(0, &mouse);
    mousemask(mouse, 0);
    clearok(stdscr, TRUE);
    return CNCURSES_RESUMED;
  }
  int32_t action = take_action();
  if (action != CNCURSES_NONE) return action;
  wint_t key = 0;
  timeout(milliseconds);
  int kind = get_wch(&key);
  if (kind == KEY_CODE_YES) return code_of(key);
  if (kind == ERR) return has_hung_up() ? CNCURSES_HUNG_UP : CNCURSES_NONE;
  return key == '\r' || key == '\n' ? CNCURSES_ENTER : (int32_t)key;
}
