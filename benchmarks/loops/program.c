#include "program.h"
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { NANOSECONDS = 1000000000, ITEM = NANOSECONDS / 1000, MOST_EVENTS = 1 << 20 };

typedef struct {
  const char *what;
  long long at;
} Event;

static const char *way, *shape;
static int items, spacing, last;
static long long origin;
static Event *events;
static int event_count;

static long long clock_now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (long long)time.tv_sec * NANOSECONDS + time.tv_nsec;
}

static long long tick(long long number) { return number * NANOSECONDS / REFRESH_HZ; }

long long now(void) { return clock_now(CLOCK_MONOTONIC) - origin; }

long long first_tick(void) { return origin; }

long long next_tick(void) {
  const long long instant = now();
  long long number = instant * REFRESH_HZ / NANOSECONDS;
  while (tick(number) <= instant) number++;
  return tick(number);
}

void begin(char **arguments) {
  way = arguments[1];
  shape = arguments[2];
  items = atoi(arguments[3]);
  spacing = atoi(arguments[4]);
  last = spacing * (atoi(arguments[5]) + 1);
  events = calloc(MOST_EVENTS, sizeof *events);
}

bool is_way(const char *name) { return !strcmp(way, name); }

static void note(const char *what) {
  if (!events || event_count == MOST_EVENTS) abort();
  events[event_count++] = (Event){what, now()};
}

bool frame(void) {
  if (!origin) return false;
  note("frame");
  return now() >= tick(last);
}

static bool work(void) {
  note("item");
  const long long until = clock_now(CLOCK_THREAD_CPUTIME_ID) + ITEM;
  while (clock_now(CLOCK_THREAD_CPUTIME_ID) < until) continue;
  return false;
}

// How items reach the main thread, and how many of a flood remain to be posted there.
static void (*post_item)(Item);
static int left;

static void post_items(int count) {
  while (count--) post_item(work);
}

// Posts the other half of the items when it runs, for a separate turn.
static bool half(void) {
  work();
  post_items(items / 2);
  return false;
}

// Posts the next item after it has run.
static bool link_of_chain(void) {
  work();
  if (--left > 0) post_item(link_of_chain);
  return false;
}

static bool repeated(void) {
  work();
  return --left > 0;
}

static sem_t held, all_posted;

static bool hold(void) {
  sem_post(&held);
  sem_wait(&all_posted);
  return false;
}

// Blocks the main thread meanwhile: a sleeping loop would start with the few items that exist when it wakes, and their
// number is random.
static void post_flood(void) {
  if (!strcmp(shape, "nothing")) return;
  post_item(hold);
  sem_wait(&held);
  left = items;
  if (!strcmp(shape, "batch")) {
    post_items(items);
  } else if (!strcmp(shape, "first-posts-half")) {
    post_item(half);
    post_items(items / 2 - 1);
  } else if (!strcmp(shape, "last-posts-half")) {
    post_items(items / 2 - 1);
    post_item(half);
  } else if (!strcmp(shape, "chain")) {
    post_item(link_of_chain);
  } else if (!strcmp(shape, "repeat")) {
    post_item(repeated);
  } else {
    no_such_way();
  }
  sem_post(&all_posted);
}

static void *poster(void *none) {
  for (int number = spacing; number < last; number += spacing) {
    const long long due = origin + tick(number) + tick(1) / 2;
    const struct timespec time = {due / NANOSECONDS, due % NANOSECONDS};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL)) continue;
    post_flood();
  }
  return none;
}

void post_floods(void (*post)(Item)) {
  post_item = post;
  origin = clock_now(CLOCK_MONOTONIC);
  pthread_t thread;
  if (sem_init(&held, 0, 0) || sem_init(&all_posted, 0, 0) || pthread_create(&thread, NULL, poster, NULL)) abort();
}

void end(void) {
  for (int place = 0; place < event_count; place++)
    printf("%s,%.3f\n", events[place].what, (double)events[place].at / 1e6);
  fflush(stdout);
  _Exit(0);
}

void no_such_way(void) {
  fprintf(stderr, "this loop has no way '%s', or no flood '%s'\n", way, shape);
  _Exit(64);
}
