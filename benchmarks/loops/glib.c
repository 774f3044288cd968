// Floods of a GLib main context beside frames: a source of the frame clock's priority, or, with GTK, a widget's ticks.
#include <glib.h>
#ifdef WITH_GTK
#include <gtk/gtk.h>
#endif
#include "program.h"

// GDK_PRIORITY_REDRAW.
enum { FRAME_CLOCK = G_PRIORITY_HIGH_IDLE + 20 };

static gboolean run(gpointer item) { return ((Item)item)(); }

static void invoke(Item item) { g_main_context_invoke(NULL, run, (gpointer)item); }
static void timeout(Item item) { g_timeout_add(0, run, (gpointer)item); }
static void idle(Item item) { g_idle_add(run, (gpointer)item); }
static void idle_high(Item item) { g_idle_add_full(G_PRIORITY_HIGH_IDLE, run, (gpointer)item, NULL); }
static void idle_default(Item item) { g_idle_add_full(G_PRIORITY_DEFAULT, run, (gpointer)item, NULL); }

static const struct {
  const char *name;
  void (*post)(Item);
} ways[] = {
    {"invoke", invoke}, {"timeout", timeout}, {"idle", idle}, {"idle-high", idle_high}, {"idle-default", idle_default},
};

static void begin_floods(void) {
  size_t way = 0;
  while (!is_way(ways[way].name))
    if (++way == G_N_ELEMENTS(ways)) no_such_way();
  post_floods(ways[way].post);
}

#ifdef WITH_GTK
// Waits until the window is open and its frames are idle.
enum { FIRST_FRAMES = 30 };

static gboolean ticked(GtkWidget *widget, GdkFrameClock *clock, gpointer none) {
  (void)clock, (void)none;
  static int count;
  if (++count == FIRST_FRAMES) begin_floods();
  if (frame()) end();
  gtk_widget_queue_draw(widget);
  return G_SOURCE_CONTINUE;
}

static void begin_frames(void) {
  gtk_init();
  GtkWidget *window = gtk_window_new();
  gtk_widget_add_tick_callback(window, ticked, NULL, NULL);
  gtk_window_present(GTK_WINDOW(window));
}
#else
static gboolean dispatch(GSource *source, GSourceFunc none, gpointer nothing) {
  (void)none, (void)nothing;
  if (frame()) end();
  g_source_set_ready_time(source, (first_tick() + next_tick()) / 1000);
  return G_SOURCE_CONTINUE;
}

static void begin_frames(void) {
  static GSourceFuncs functions = {.dispatch = dispatch};
  GSource *source = g_source_new(&functions, sizeof(GSource));
  g_source_set_priority(source, FRAME_CLOCK);
  begin_floods();
  g_source_set_ready_time(source, first_tick() / 1000);
  g_source_attach(source, NULL);
}
#endif

int main(int count, char **arguments) {
  (void)count;
  begin(arguments);
  begin_frames();
  g_main_loop_run(g_main_loop_new(NULL, FALSE));
}
