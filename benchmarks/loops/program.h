// Shared by the programs of this folder: arguments, a screen's ticks, items of work, and output.
#pragma once
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { REFRESH_HZ = 60 };

/// Runs an item of a flood. Returns whether the caller must call it again, in another turn of its loop.
typedef bool (*Item)(void);

/// Reads the arguments: the method of posting, the flood's shape, its items, ticks between floods, the number of floods.
void begin(char **arguments);

/// Whether items are posted by this method.
bool is_way(const char *name);

/// Makes this instant the first tick. Posts all floods with this function on a separate thread, each half a period after its tick.
void post_floods(void (*post)(Item));

/// Nanoseconds from the first tick.
long long now(void);

/// Nanoseconds from the first tick to the next one.
long long next_tick(void);

/// Nanoseconds of the monotonic clock at the first tick.
long long first_tick(void);

/// Records a frame, which draws nothing; frames before the first tick do not count. Returns whether it is the last
/// one. Call it on the main thread.
bool frame(void);

/// Prints the start time of each frame and each item, and exits.
#ifdef __cplusplus
[[noreturn]]
#else
_Noreturn
#endif
void end(void);

/// Exits with an error: this loop lacks this method of posting, or this shape of flood.
#ifdef __cplusplus
[[noreturn]]
#else
_Noreturn
#endif
void no_such_way(void);

#ifdef __cplusplus
}
#endif
