#ifndef CLINUX_PROCESS_H
#define CLINUX_PROCESS_H

#include <stdint.h>

/// Starting another process to talk to.

/// Starts the program at `path` with one argument. Its standard input is `socket`, and nothing else is open in it but
/// the null device. It has a process group of its own: what is typed at a terminal is not meant for it. It can start none
/// itself (EPERM). Returns its id, or an errno as a negative number.
int32_t clinux_start_process(const char *path, const char *argument, int32_t socket);

/// Has the kernel kill this process as soon as the thread that started it ends.
void clinux_die_with_parent(void);

/// Waits until `process`, a child, has ended: its exit status, 256 and the number of the signal that ended it, or -1.
int32_t clinux_reap(int32_t process);

#endif
