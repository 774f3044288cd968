#define _GNU_SOURCE
#include "CLinuxHost.h"

#include <errno.h>
#include <pty.h>

int32_t clinux_open_terminal(uint16_t columns, uint16_t rows, int32_t ends[2]) {
  struct winsize size = {.ws_row = rows, .ws_col = columns};
  return openpty(&ends[0], &ends[1], 0, 0, &size) == 0 ? 0 : errno;
}
