#ifndef CLINUX_PROCESS_H
#define CLINUX_PROCESS_H

#include <stdint.h>

/// Starts other processes and talks to them.

/// Starts the program at `path` with one argument. Its standard input is `socket`; except for the null device no other file is
/// open in it. It has a process group of its own, so that keys of the terminal do not affect it, and cannot start a process
/// itself (EPERM). Returns its id, or an errno as a negative number.
int32_t clinux_start_process(const char *path, const char *argument, int32_t socket);

/// Starts a browser that communicates over DevTools' pipe, which is `socket` in both directions. `words` has the path of its
/// program and its arguments, `count` in all, each terminated by a zero. Its diagnostics go to the file `errors`; no other file
/// is open in it. It has a process group of its own. Returns its id, or an errno as a negative number.
int32_t clinux_start_browser(const char *words, int32_t count, int32_t socket, int32_t errors);

/// Starts a program as `clinux_start_browser` does, without a pipe; its output goes to the file `output`.
int32_t clinux_start_program(const char *words, int32_t count, int32_t output);

/// The status of `process`, a child that is not reaped yet, as `clinux_reap` returns it; -1 while it runs.
int32_t clinux_ended(int32_t process);

/// Waits until `process`, a child, has ended, without reaping it, or until the other end of `socket` is closed; then it returns
/// 0. Returns 1 as soon as `output` can be read, or has ended; a negative `output` is ignored.
int32_t clinux_wait_for_end(int32_t process, int32_t socket, int32_t output);

/// Makes orphaned descendants of this process its children.
void clinux_adopt_orphans(void);

/// Makes the kernel kill this process as soon as the thread that started it ends.
void clinux_die_with_parent(void);

/// Waits until `process`, a child, has ended. Returns its exit status, 256 plus the signal that ended it, or -1.
int32_t clinux_reap(int32_t process);

#endif
