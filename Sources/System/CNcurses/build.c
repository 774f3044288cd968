#include "CNcurses.h"

#include <stdint.h>

#ifndef FRAMEBUDGET_COMMIT
#define FRAMEBUDGET_COMMIT ""
#endif

const char *framebudget_commit(void) { return FRAMEBUDGET_COMMIT; }

#ifdef FRAMEBUDGET_ICU_DATA
// An empty ICU table under the name of Foundation's own, which is then not linked: 34 MB of locales for formatters, which this
// program does not use. ICU's stubdata does the same.
struct {
  uint16_t header_size;
  uint8_t magic[2];
  uint16_t info_size, reserved;
  uint8_t is_big_endian, charset_family, char_size, reserved_too;
  uint8_t format[4], format_version[4], data_version[4];
  uint8_t padding[8];
  uint32_t count, reserved_last;
} const FRAMEBUDGET_ICU_DATA = {
  .header_size = 32,
  .magic = {0xda, 0x27},
  .info_size = 20,
  .is_big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__,
  .char_size = 2,
  .format = {'T', 'o', 'C', 'P'},
  .format_version = {1},
};
#endif
