#ifndef CLINUX_FILES_H
#define CLINUX_FILES_H

#include <stdint.h>

/// Unfinished files and folders, which are removed when a signal ends this process.

/// Registers `path`, a file or a folder of files, to be removed when a signal ends the process. It need not exist yet: registered
/// before its creation, it is removed at every moment. Returns its place in the list, or -1 if the list is full: then the next
/// run removes it.
int32_t clinux_unfinished(const char *path);

/// Unregisters the entry at `place`, which is finished or removed.
void clinux_finished(int32_t place);

/// Removes a file, or a folder and the files in it. Uses only calls that are safe in a signal handler.
void clinux_remove(const char *path);

/// Removes all registered files and folders.
void clinux_remove_unfinished(void);

/// Locks the open file or folder until it is closed. Returns 0 or an errno, EWOULDBLOCK if another process has locked it.
int32_t clinux_lock(int32_t file);

/// Unlocks and closes the file. A child process that another thread has just forked may share the open file, and with it the
/// lock, until it executes its program; closing alone would not unlock it.
void clinux_unlock_and_close(int32_t file);

/// Renames the file `from` to `to` unless `to` exists. Returns 0 or an errno, EEXIST if it exists.
int32_t clinux_rename_new(const char *from, const char *to);

/// Raises the limit of open files to the most that the process may have without privileges. Ignores failures: opening a file reports them.
void clinux_raise_file_limit(void);

#endif
