"use strict";
// A page's report about itself: interactions, long animation frames, long tasks, and response times. A page includes this file; `report()`,
// called when the page is idle, stores it in the recording as the detail of a mark named `page report`.
const reporter = {
  inputs: [], frames: [], tasks: [],
  // In ms, from the time when each was due; the page adds them.
  answers: [],

  observe(type, options, take) {
    const observer = new PerformanceObserver((list) => list.getEntries().forEach(take));
    observer.observe({type, buffered: true, ...options});
    return () => observer.takeRecords().forEach(take);
  },

  // As in web-vitals 5: the longest interaction, with one left out of every fifty. Durations are whole multiples of 8 ms, so
  // several interactions may be it: `candidates` has the parts of each.
  inp() {
    const longest = new Map();
    for (const entry of this.inputs.filter(({interactionId}) => interactionId)) {
      const known = longest.get(entry.interactionId);
      if (!known || entry.duration > known.duration) longest.set(entry.interactionId, entry);
    }
    const order = [...longest.values()].sort((one, other) => other.duration - one.duration).slice(0, 10);
    const entry = order[Math.min(order.length - 1, Math.floor(longest.size / 50))];
    if (!entry) return null;
    const candidates = [...longest.values()].filter(({duration}) => duration === entry.duration);
    return {interactions: longest.size, inp: entry.duration, candidates: candidates.map((entry) => this.parts(entry))};
  },

  // The parts of an interaction.
  parts(entry) {
    const paint = (input) => input.startTime + input.duration;
    const frame = this.inputs.filter((input) => Math.abs(paint(input) - paint(entry)) <= 8);
    const start = Math.min(...frame.map(({processingStart}) => processingStart));
    const end = Math.min(Math.max(...frame.map(({processingEnd}) => processingEnd)), paint(entry));
    return {
      inputDelay: Math.max(0, start - entry.startTime), processing: end - Math.max(start, entry.startTime),
      presentation: paint(entry) - end,
    };
  },
};

reporter.pending = [
  // Shorter events are never reported.
  reporter.observe("event", {durationThreshold: 16}, (entry) => reporter.inputs.push(entry)),
  reporter.observe("long-animation-frame", {}, ({startTime, duration, blockingDuration}) =>
    reporter.frames.push([startTime, duration, blockingDuration])),
  reporter.observe("longtask", {}, ({startTime, duration}) => reporter.tasks.push([startTime, duration])),
];

// Resolves when the mark is recorded.
async function report() {
  // The last frame is presented after its work, and its entries are added then.
  await new Promise((rested) => setTimeout(rested, 500));
  reporter.pending.forEach((take) => take());
  performance.mark("page report", {
    detail: {interactions: reporter.inp(), frames: reporter.frames, tasks: reporter.tasks},
  });
}
