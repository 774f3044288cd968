"use strict";
// Shared by all pages: calls of their services, on the main thread or in Workers, as given in the address. Before this file,
// a page defines `services` in its script with the id `services`, which Workers also get: functions by name that run the given
// number of rounds. It also defines
//
//   work   the input: {every: ms, calls: [names]}, or {keys: true, calls: [names]} for each key that is pressed
//   draw   draws frame number n, in addition to `services.draw`
//
// Parameters of the address:
//
//   SERVICE=WORKER                   runs the service in the Worker of that name; the default is the main thread
//   yield=channel                    yields after each call on the main thread, by a message channel
//   yield=scheduler                  the same, by scheduler.yield()
//   every=5                          yields only after a call that ends at least 5 ms after the last yield
//   rounds=draw:N,hash:N,...         rounds of each call
//
// Work is counted, not timed, so that disturbances show.

// Code is slow until it has run for a while.
function warmUp() {
  for (const service of Object.values(services)) {
    for (let rounds = 1, end = performance.now() + 300; performance.now() < end; rounds = Math.min(20000, 2 * rounds)) {
      service(rounds);
    }
  }
}

// Its time is in the recording under its name.
function call(name, rounds) {
  const start = performance.now();
  const result = services[name](rounds);
  performance.measure(name, {start, end: performance.now()});
  return result;
}

const parameters = new URLSearchParams(location.search);
const rounds = Object.fromEntries((parameters.get("rounds") ?? "").split(",").filter(Boolean)
  .map((part) => part.split(":")).map(([name, count]) => [name, Number(count)]));

// A thread that runs calls in the order of their arrival.
class Home {
  constructor() {
    const code = `${numbersOf}
      ${sumUp}
      ${document.getElementById("services").textContent}
      ${warmUp}
      ${call}
      warmUp();
      onmessage = ({data: {number, calls}}) => {
        for (const [name, rounds] of calls) call(name, rounds);
        postMessage(number);
      };
      postMessage("ready");`;
    this.worker = new Worker(URL.createObjectURL(new Blob([code], {type: "text/javascript"})));
    this.waiting = new Map();
    this.ready = new Promise((ready, failed) => {
      this.waiting.set("ready", ready);
      this.worker.onerror = failed;
    });
    this.number = 0;
    this.worker.onmessage = ({data}) => {
      const done = this.waiting.get(data);
      this.waiting.delete(data);
      done();
    };
  }

  make(calls) {
    const number = this.number++;
    this.worker.postMessage({number, calls});
    return new Promise((done) => this.waiting.set(number, done));
  }
}

const homes = new Map();
for (const service of Object.keys(services)) {
  const name = parameters.get(service) ?? "main";
  if (name !== "main" && !homes.has(name)) homes.set(name, new Home());
}
const homeOf = (service) => homes.get(parameters.get(service) ?? "main");

const channel = new MessageChannel();
const turns = [];
channel.port1.onmessage = () => turns.shift()();
const giveWay = {
  channel: () => new Promise((turn) => {
    turns.push(turn);
    channel.port2.postMessage(0);
  }),
  scheduler: () => scheduler.yield(),
}[parameters.get("yield")];

// Consecutive calls in one place are sent together.
function parts(calls) {
  const parts = [];
  for (const name of calls) {
    const home = homeOf(name);
    if (parts.at(-1)?.home !== home || parts.length === 0) parts.push({home, calls: []});
    parts.at(-1).calls.push([name, rounds[name]]);
  }
  return parts;
}

const grain = Number(parameters.get("every") ?? 0);

// Runs the calls, and records the time of the response to the input of `since`.
async function run(parts, since) {
  let begin = performance.now();
  for (const {home, calls} of parts) {
    if (home) {
      await home.make(calls);
      begin = performance.now();
      continue;
    }
    for (const [name, rounds] of calls) {
      call(name, rounds);
      if (!giveWay || performance.now() - begin < grain) continue;
      await giveWay();
      begin = performance.now();
    }
  }
  reporter.answers.push(performance.now() - since);
}

// Work in frames; parts.js has some.
const inFrames = {begin() {}, end() {}, over() {}};

let frames = 0;
let sources = null;
function frame() {
  if (!sources) return;
  frames += 1;
  inFrames.begin(frames);
  services.draw(rounds.draw);
  draw(frames);
  inFrames.end(frames);
  requestAnimationFrame(frame);
}

// The number of rounds of each service that take a millisecond on an idle machine.
function measured() {
  const speed = {};
  for (const [name, service] of Object.entries(services)) {
    let rounds = 1;
    const time = () => {
      const start = performance.now();
      service(rounds);
      return performance.now() - start;
    };
    // A disturbed measurement is discarded.
    while (Math.min(time(), time(), time()) < 8) rounds *= 2;
    speed[name] = rounds / Math.min(...Array.from({length: 25}, time));
  }
  return speed;
}

// Calls `answer` with each due time, until the returned function is called.
function source({every, keys, calls}) {
  const all = parts(calls);
  if (keys) {
    const pressed = (event) => run(all, event.timeStamp);
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }
  let due = performance.now();
  const timer = setInterval(() => {
    due += every;
    // A late timer fires when it can, and the next ones follow the clock again.
    run(all, Math.min(due, performance.now()));
  }, every);
  return () => clearInterval(timer);
}

// Resolves when the page has warmed up.
async function begin() {
  warmUp();
  await Promise.all([...homes.values()].map((home) => home.ready));
  reporter.answers = [];
  sources = work.map(source);
  requestAnimationFrame(frame);
}

// Requests no more frames and no more work.
function end() {
  sources.forEach((stop) => stop());
  sources = null;
  inFrames.over();
}
