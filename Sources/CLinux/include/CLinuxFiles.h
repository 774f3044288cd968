#ifndef CLINUX_FILES_H
#define CLINUX_FILES_H

#include <stdint.h>

/// Files and folders that are not finished yet: whatever ends this process, as far as it can be caught, removes them.

/// From now on `path`, a file or a folder of files, goes when a signal ends the process. Returns its place, or -1 if
/// there is no room for more: then it stays until the next run removes it.
int32_t clinux_unfinished(const char *path);

/// What is at `place` is finished, or gone.
void clinux_finished(int32_t place);

/// Removes a file, or a folder and the files in it. Only calls that a signal handler may make.
void clinux_remove(const char *path);

/// Removes what is not finished.
void clinux_remove_unfinished(void);

/// Locks the open file or folder for as long as it is open: 0, or an errno, EWOULDBLOCK if another process has it.
int32_t clinux_lock(int32_t file);

/// Ends that and closes the file. A child process that another thread has just forked may still have it open, and with it
/// the lock, until it runs its program: closing alone would end nothing.
void clinux_unlock_and_close(int32_t file);

/// Gives the file `from` the name `to`, unless something has it already; 0 or an errno, EEXIST for that.
int32_t clinux_rename_new(const char *from, const char *to);

/// Lets the process have as many files open at once as it may without privilege; where that fails, opening says so.
void clinux_raise_file_limit(void);

#endif
