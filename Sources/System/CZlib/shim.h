#ifndef CZLIB_SHIM_H
#define CZLIB_SHIM_H

#include <zlib.h>

// zlib declares this as a macro, which Swift does not import. 32 more than the largest window: detects gzip's header or zlib's own.

static inline int czlib_inflate_init(z_stream *stream) {
  return inflateInit2(stream, 15 + 32);
}

// Negative: the compressed data alone, as in a ZIP archive.

static inline int czlib_inflate_init_raw(z_stream *stream) {
  return inflateInit2(stream, -15);
}

#endif
