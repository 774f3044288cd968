"""A GTK 4 program that animates, and compresses batches of items, on its main loop or on a thread.

    items.py main|thread EVERY ITEMS KIB MIB

Each EVERY ms a timer brings ITEMS items of KIB KiB. The work is one function of zlib, `compress2`, which Python calls without
its lock, so a thread runs beside the main loop. What is done with a result stays there: a checksum of MIB MiB. It prints a line
when its window draws.
"""
import ctypes
import queue
import random
import sys
import threading

import gi

gi.require_version("Gtk", "4.0")
from gi.repository import GLib, Gtk  # pylint: disable=wrong-import-position

ZLIB = ctypes.CDLL("libz.so.1")
ZLIB.compress2.argtypes = [
    ctypes.c_char_p, ctypes.POINTER(ctypes.c_ulong), ctypes.c_char_p, ctypes.c_ulong, ctypes.c_int]
ZLIB.crc32.argtypes = [ctypes.c_ulong, ctypes.c_char_p, ctypes.c_uint]


class Items:
    """Batches of work, the same each time."""

    def __init__(self, count, size, rest):
        self.count, self.rest = count, b"x" * rest
        self.data = bytes(random.Random(1).choices(b"a quick brown fox", k=size))
        self.room = ctypes.create_string_buffer(2 * size + 64)

    def work(self):
        for _ in range(self.count):
            length = ctypes.c_ulong(len(self.room))
            ZLIB.compress2(self.room, length, self.data, len(self.data), 6)

    def check(self):
        ZLIB.crc32(0, self.rest, len(self.rest))


class Window:
    """Draws in each frame, and shows how many batches were done."""

    def __init__(self, app, place, every, items):
        self.items = items
        self.frames = self.done = 0
        self.bar, self.label = Gtk.ProgressBar(), Gtk.Label(label="0")
        box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        box.append(self.bar)
        box.append(self.label)
        window = Gtk.ApplicationWindow(application=app, child=box)
        window.set_default_size(300, 100)
        self.bar.add_tick_callback(self.tick)
        self.batches = queue.SimpleQueue()
        if place == "thread":
            threading.Thread(target=self.serve, daemon=True).start()
        GLib.timeout_add(every, self.arrive if place == "main" else self.hand_over)
        window.present()

    def tick(self, *_):
        self.frames += 1
        self.bar.set_fraction(self.frames % 100 / 100)
        if self.frames == 60:
            print("draws", flush=True)
        return True

    def arrive(self):
        self.items.work()
        self.finish()
        return True

    def hand_over(self):
        self.batches.put(1)
        return True

    def serve(self):
        while True:
            self.batches.get()
            self.items.work()
            GLib.idle_add(self.finish)

    def finish(self):
        self.items.check()
        self.done += 1
        self.label.set_text(str(self.done))
        return False


def main():
    place, (every, count, size, rest) = sys.argv[1], map(int, sys.argv[2:6])
    items = Items(count, size << 10, rest << 20)
    app = Gtk.Application()
    app.connect("activate", lambda app: Window(app, place, every, items))
    app.run()


if __name__ == "__main__":
    main()
