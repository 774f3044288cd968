"use strict";
// For pages with work in frames, after harness.js. Frame n needs `pieces(n)` calls of the service `bind`, each of `bindTime` ms, and its
// input is known three frames earlier. They are made in the frame, or as the address says:
//
//   bind=WORKER     in that Worker, as early as possible; a frame shows what is there
//   frame=idle      as early as possible, in idle time of the main thread, if a call is expected to fit
//   ahead=N         with one of these, at most N frames early
//   frame=spread    at most 4 ms of them in a frame, the oldest first
//   frame=cached    in the frame, but 80 % of the frames find theirs in a cache

const ahead = Number(parameters.get("ahead") ?? 3), budget = 4, hits = 0.8, newest = 1 / 8;

// A number from 0 to 1 for each place, always the same.
const fraction = (place) => (Math.imul(place + 1, 2654435761) >>> 0) / 2 ** 32;

// What frames lack, in calls.
const lacking = new Map();
let needed = 0, made = 0;

const left = (frame) => lacking.get(frame) ?? 0;

function need(frame) {
  if (lacking.has(frame)) return;
  const isHit = parameters.get("frame") === "cached" && fraction(7 * frame) < hits;
  lacking.set(frame, isHit ? 0 : pieces(frame));
  needed += left(frame);
}

function done(frame, share) {
  lacking.set(frame, left(frame) - share);
  made += share;
}

// Makes a call or a part of one.
function bind(frame, share = 1) {
  call("bind", Math.round(share * rounds.bind));
  done(frame, share);
}

const isOpen = (share) => share > 1e-9;

function bindAll(frame) {
  while (isOpen(left(frame))) bind(frame);
}

function bindSome() {
  let rest = budget / bindTime;
  for (const frame of lacking.keys()) {
    while (isOpen(left(frame)) && isOpen(rest)) {
      // A call that was begun is ended before the next one.
      const open = left(frame) % 1;
      const share = Math.min(rest, isOpen(open) ? open : 1);
      bind(frame, share);
      rest -= share;
    }
  }
}

let expected = 0;
function bindEarly(deadline) {
  for (let frame = frames + 1; frame <= frames + ahead; frame++) {
    need(frame);
    while (isOpen(left(frame))) {
      if (deadline.timeRemaining() < expected) return;
      const start = performance.now();
      bind(frame);
      const took = performance.now() - start;
      expected = expected === 0 ? took : expected + newest * (took - expected);
    }
  }
}

let handed = 0;
function hand() {
  for (; handed < frames + ahead; handed++) {
    const frame = handed + 1;
    need(frame);
    for (let piece = left(frame); piece > 0; piece--) homeOf("bind").make([["bind", rounds.bind]]).then(() => done(frame, 1));
  }
}

Object.assign(inFrames, {
  begin(frame) {
    need(frame);
    if (parameters.get("frame") === "spread") bindSome();
    else if (!homeOf("bind")) bindAll(frame);
    for (const [old, share] of lacking) if (old < frame && !isOpen(share)) lacking.delete(old);
  },
  end() {
    if (homeOf("bind")) hand();
    else if (parameters.get("frame") === "idle") requestIdleCallback(bindEarly);
  },
  over() {
    const open = [...lacking.values()].reduce((sum, share) => sum + share, 0);
    if (needed === 0 || Math.abs(needed - made - open) > 1e-3) throw new Error(`${made} of ${needed} calls were made, ${open} are open`);
  },
});
