#define _GNU_SOURCE
#include "CLinuxFiles.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { room = 64 };
static _Atomic(char *) unfinished[room];

// The path from the root, which stays right when the process changes its folder; what it names need not exist. The caller frees
// it; 0 if there is no such folder.
static char *absolute(const char *path) {
  char *found = realpath(path, 0);
  if (found) return found;
  const char *slash = strrchr(path, '/');
  size_t length = slash ? (size_t)(slash - path) + 1 : 0;
  char *folder = slash ? strndup(path, length) : strdup(".");
  char *root = folder ? realpath(folder, 0) : 0;
  if (root && asprintf(&found, "%s/%s", root, path + length) < 0) found = 0;
  free(folder);
  free(root);
  return found;
}

int32_t clinux_unfinished(const char *path) {
  char *copy = absolute(path);
  if (!copy) return -1;
  for (int32_t place = 0; place < room; place++) {
    char *none = 0;
    if (atomic_compare_exchange_strong(&unfinished[place], &none, copy)) return place;
  }
  free(copy);
  return -1;
}

// The path is not freed: a handler on another thread may be reading it.
void clinux_finished(int32_t place) {
  if (place >= 0) atomic_store(&unfinished[place], 0);
}

struct entry {
  uint64_t inode;
  int64_t offset;
  uint16_t length;
  uint8_t kind;
  char name[];
};

static void remove_files(int folder) {
  _Alignas(struct entry) char block[4096];
  long size;
  while ((size = syscall(SYS_getdents64, folder, block, sizeof block)) > 0) {
    int removed = 0;
    for (long place = 0; place < size;) {
      struct entry *entry = (struct entry *)(block + place);
      removed += unlinkat(folder, entry->name, 0) == 0;
      place += entry->length;
    }
    // The removal may have moved the other entries.
    if (!removed || lseek(folder, 0, SEEK_SET) != 0) return;
  }
}

void clinux_remove(const char *path) {
  int before = errno;
  int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder >= 0) {
    remove_files(folder);
    close(folder);
    rmdir(path);
  } else {
    unlink(path);
  }
  errno = before;
}

void clinux_remove_unfinished(void) {
  for (int place = 0; place < room; place++) {
    char *path = atomic_load(&unfinished[place]);
    if (path) clinux_remove(path);
  }
}

int32_t clinux_lock(int32_t file) { return flock(file, LOCK_EX | LOCK_NB) == 0 ? 0 : errno; }

void clinux_unlock_and_close(int32_t file) {
  flock(file, LOCK_UN);
  close(file);
}

int32_t clinux_rename_new(const char *from, const char *to) {
  if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
  // For file systems without this operation: link the new name, then unlink the old one. Folders have no links, and replace only
  // an empty folder.
  if (link(from, to) != 0) return errno == EPERM && rename(from, to) == 0 ? 0 : errno;
  unlink(from);
  return 0;
}

void clinux_raise_file_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}
