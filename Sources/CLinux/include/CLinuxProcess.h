#ifndef CLINUX_PROCESS_H
#define CLINUX_PROCESS_H

#include <stdint.h>

/// Starting another process to talk to.

/// Starts the program at `path` with one argument. Its standard input is `socket`, and nothing else is open in it but
/// the null device. It has a process group of its own: what is typed at a terminal is not meant for it. It can start none
/// itself (EPERM). Returns its id, or an errno as a negative number.
int32_t clinux_start_process(const char *path, const char *argument, int32_t socket);

/// Starts a browser that talks over DevTools' pipe, which is `socket` in both directions. `words` has the path of its program
/// and its arguments, `count` in all, each followed by a zero. Its diagnostics go to the file `errors`; nothing else is open
/// in it. It has a process group of its own. Returns its id, or an errno as a negative number.
int32_t clinux_start_browser(const char *words, int32_t count, int32_t socket, int32_t errors);

/// Starts a program as `clinux_start_browser` does, without a pipe: what it prints goes to the file `output`.
int32_t clinux_start_program(const char *words, int32_t count, int32_t output);

/// How `process`, a child that is still to be reaped, has ended, as `clinux_reap` says it; -1 while it runs.
int32_t clinux_ended(int32_t process);

/// Waits until `process`, a child, has ended, which is then still to be reaped, or until the other side of `socket` is closed.
void clinux_wait_for_end(int32_t process, int32_t socket);

/// From now on processes whose parents have ended become children of this one, if they descend from it.
void clinux_adopt_orphans(void);

/// Has the kernel kill this process as soon as the thread that started it ends.
void clinux_die_with_parent(void);

/// Waits until `process`, a child, has ended: its exit status, 256 and the number of the signal that ended it, or -1.
int32_t clinux_reap(int32_t process);

#endif
