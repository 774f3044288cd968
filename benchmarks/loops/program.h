// What the programs of this folder share: arguments, a screen's ticks, items of work, and what is printed.
#pragma once
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { REFRESH_HZ = 60 };

/// An item of a flood. Whether whoever called it is to call it again, in another turn of its loop.
typedef bool (*Item)(void);

/// Reads the arguments: how items are posted, the flood's shape, its items, ticks from one flood to the next, how many floods.
void begin(char **arguments);

/// Whether items are to be posted in this way.
bool is_way(const char *name);

/// The first tick is now. Posts all floods by this function, each half a period behind its tick, on a thread of its own.
void post_floods(void (*post)(Item));

/// Nanoseconds from the first tick.
long long now(void);

/// Nanoseconds from the first tick to the one that comes next.
long long next_tick(void);

/// Nanoseconds of the monotonic clock at the first tick.
long long first_tick(void);

/// A frame, which draws nothing; before the first tick none counts. Whether it is the last one. To be called on the main
/// thread.
bool frame(void);

/// Prints when each frame and each item began, and ends the program.
#ifdef __cplusplus
[[noreturn]]
#else
_Noreturn
#endif
void end(void);

/// Ends the program: this loop does not have this way, or a flood this shape.
#ifdef __cplusplus
[[noreturn]]
#else
_Noreturn
#endif
void no_such_way(void);

#ifdef __cplusplus
}
#endif
