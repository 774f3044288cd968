"use strict";
// What a page reports of itself: interactions, long animation frames, long tasks, and how long answers took. A page includes this file; `report()`,
// asked when nothing is under way any more, leaves it in a recording as the detail of a mark called `page report`.
const reporter = {
  inputs: [], frames: [], tasks: [],
  // In ms, from when each was due; the page adds them.
  answers: [],

  observe(type, options, take) {
    const observer = new PerformanceObserver((list) => list.getEntries().forEach(take));
    observer.observe({type, buffered: true, ...options});
    return () => observer.takeRecords().forEach(take);
  },

  // As web-vitals 5: the longest interaction, of which one is left out for each fifty.
  inp() {
    const longest = new Map();
    for (const entry of this.inputs.filter(({interactionId}) => interactionId)) {
      const known = longest.get(entry.interactionId);
      if (!known || entry.duration > known.duration) longest.set(entry.interactionId, entry);
    }
    const order = [...longest.values()].sort((one, other) => other.duration - one.duration).slice(0, 10);
    const entry = order[Math.min(order.length - 1, Math.floor(longest.size / 50))];
    if (!entry) return null;
    const paint = (input) => input.startTime + input.duration;
    const frame = this.inputs.filter((input) => Math.abs(paint(input) - paint(entry)) <= 8);
    const start = Math.min(...frame.map(({processingStart}) => processingStart));
    const end = Math.min(Math.max(...frame.map(({processingEnd}) => processingEnd)), paint(entry));
    return {
      interactions: longest.size, inp: entry.duration, inputDelay: Math.max(0, start - entry.startTime),
      processing: end - Math.max(start, entry.startTime), presentation: paint(entry) - end,
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

// Resolves once the mark is there.
async function report() {
  // The last picture and its entries come later than its work.
  await new Promise((rested) => setTimeout(rested, 500));
  reporter.pending.forEach((take) => take());
  performance.mark("page report", {
    detail: {interactions: reporter.inp(), frames: reporter.frames, tasks: reporter.tasks},
  });
}
