"""hour.yaml under threads-and-locks:lock=fair, written for SimPy 4.

Prints dropped frames and finished items. There is a core for each thread, so with the argument `no-cores` the
script leaves cores out, which changes no figure and is what a person might do by hand; without it, a thread
takes a core when it wakes and gives it back when it blocks, as the virtual engine models it.
"""

import sys

try:
    import simpy
except ImportError:
    print("SimPy is missing (python3 -m pip install simpy)", file=sys.stderr)
    sys.exit(69)

HZ = 120
CORES = 6
DURATION = 3600 * 10**9
RENDER = 7_800_000
READ = 20_000
RESULT = 1_000
FILES, FILES_START = 20_000, 10**9
TAPS_EVERY, TAPS_START = 10**9, 1_500_000_000
FILE_STEPS = [("gallery", 300_000), ("hasher", 1_200_000), ("catalogue", 800_000), ("uploader", 300_000)]
TAP_STEPS = [("catalogue", 100_000)]


def vsync(number):
    return number * 10**9 // HZ


def first_vsync(instant):
    number = instant * HZ // 10**9
    while vsync(number) < instant:
        number += 1
    return number


class Thread:
    """A process that runs on a core, and releases it whenever it blocks."""

    def __init__(self, app):
        self.cores = app.cores
        self.core = None

    def block(self, event):
        """Waits for an event, without the core unless it has happened already."""
        if self.cores is None or event.triggered:
            yield event
            return
        if self.core is not None:
            self.cores.release(self.core)
        yield event
        self.core = self.cores.request()
        yield self.core


class App:
    def __init__(self, has_cores):
        self.env = simpy.Environment()
        self.cores = simpy.Resource(self.env, CORES) if has_cores else None
        names = ("gallery", "hasher", "catalogue", "uploader")
        self.locks = {name: simpy.Resource(self.env) for name in names}
        self.files, self.taps = simpy.Store(self.env), simpy.Store(self.env)
        self.results = []
        self.dropped = self.done = 0
        self.next_file, self.next_tap = FILES_START, TAPS_START
        self.env.process(self.main())
        self.env.process(self.worker(self.files, FILE_STEPS, RESULT))
        self.env.process(self.worker(self.taps, TAP_STEPS, 0))

    def worker(self, queue, steps, result):
        thread = Thread(self)
        while True:
            yield from thread.block(queue.get())
            for service, cost in steps:
                with self.locks[service].request() as lock:
                    yield from thread.block(lock)
                    yield self.env.timeout(cost)
            self.done += 1
            self.results.append(result)

    def deliver(self, until):
        if self.next_file is not None and self.next_file <= until:
            for _ in range(FILES):
                self.files.put(None)
            self.next_file = None
        while self.next_tap <= until:
            self.taps.put(None)
            self.next_tap += TAPS_EVERY

    def main(self):
        env, catalogue = self.env, self.locks["catalogue"]
        thread = Thread(self)
        last = DURATION * HZ // 10**9
        number = 0
        while number < last:
            # A timeout counts as triggered from the start, so sleeping is spelt out.
            if thread.core is not None:
                self.cores.release(thread.core)
            yield env.timeout(vsync(number) - env.now)
            if self.cores is not None:
                thread.core = self.cores.request()
                yield thread.core
            self.deliver(env.now)
            results, self.results = self.results, []
            for cost in results:
                if cost:
                    yield env.timeout(cost)
            with catalogue.request() as lock:
                yield from thread.block(lock)
                yield env.timeout(READ)
            yield env.timeout(RENDER)
            shown = max(first_vsync(env.now), number + 1)
            self.dropped += min(shown, last + 1) - number - 1
            number = shown


app = App(has_cores="no-cores" not in sys.argv[1:])
app.env.run(until=DURATION)
print(app.dropped, app.done)
