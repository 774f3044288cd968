"""hour.yaml under threads-and-locks:lock=fair, written for SimPy 4.

There is a core for each thread and handing over costs nothing, so cores need not be modelled: that is in
SimPy's favour. Prints dropped frames and finished items.
"""

import sys

try:
    import simpy
except ImportError:
    print("SimPy is missing (python3 -m pip install simpy)", file=sys.stderr)
    sys.exit(69)

HZ = 120
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


class App:
    def __init__(self):
        self.env = simpy.Environment()
        names = ("gallery", "hasher", "catalogue", "uploader")
        self.locks = {name: simpy.Resource(self.env) for name in names}
        self.files, self.taps = simpy.Store(self.env), simpy.Store(self.env)
        self.results = []
        self.dropped = self.done = 0
        self.env.process(self.main())
        self.env.process(self.worker(self.files, FILE_STEPS, RESULT))
        self.env.process(self.worker(self.taps, TAP_STEPS, 0))

    def worker(self, queue, steps, result):
        while True:
            yield queue.get()
            for service, cost in steps:
                with self.locks[service].request() as lock:
                    yield lock
                    yield self.env.timeout(cost)
            self.done += 1
            self.results.append(result)

    def deliver(self, until, next_tap):
        if self.next_file is not None and self.next_file <= until:
            for _ in range(FILES):
                self.files.put(None)
            self.next_file = None
        while next_tap <= until:
            self.taps.put(None)
            next_tap += TAPS_EVERY
        return next_tap

    def main(self):
        env, catalogue = self.env, self.locks["catalogue"]
        self.next_file = FILES_START
        next_tap = TAPS_START
        last = DURATION * HZ // 10**9
        number = 0
        while number < last:
            yield env.timeout(vsync(number) - env.now)
            next_tap = self.deliver(env.now, next_tap)
            results, self.results = self.results, []
            for cost in results:
                if cost:
                    yield env.timeout(cost)
            with catalogue.request() as lock:
                yield lock
                yield env.timeout(READ)
            yield env.timeout(RENDER)
            shown = max(first_vsync(env.now), number + 1)
            self.dropped += min(shown, last + 1) - number - 1
            number = shown


app = App()
app.env.run(until=DURATION)
print(app.dropped, app.done)
