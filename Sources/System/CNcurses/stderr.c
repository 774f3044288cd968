#define _GNU_SOURCE
#include "rescue.h"

#include <sys/mman.h>
#include <unistd.h>

static int real = -1;
static int hidden = -1;

void stderr_hide(void) {
  hidden = memfd_create("stderr", MFD_CLOEXEC);
  if (hidden < 0) return;
  real = dup(STDERR_FILENO);
  if (real >= 0) dup2(hidden, STDERR_FILENO);
}

// Uses only calls that are safe in a signal handler.
void stderr_show(void) {
  static char tail[16384];
  if (hidden < 0 || real < 0) return;
  dup2(real, STDERR_FILENO);
  off_t size = lseek(hidden, 0, SEEK_END);
  off_t from = size > (off_t)sizeof tail ? size - (off_t)sizeof tail : 0;
  ssize_t count = pread(hidden, tail, sizeof tail, from);
  for (ssize_t done = 0; done < count;) {
    ssize_t written = write(STDERR_FILENO, tail + done, count - done);
    if (written <= 0) break;
    done += written;
  }
  close(real);
  close(hidden);
  real = hidden = -1;
}
