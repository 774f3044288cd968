"use strict";
// Shared by the pages of changes that are tried: frames that draw, and what the page expects of itself. `passes()` is what the
// flow of each recording waits for.

// Works for that long.
function spin(ms) {
  for (const end = performance.now() + ms; performance.now() < end;);
}

const checks = [];
// A page's own test: whether `check` holds in the end.
function expectAtLast(check) { checks.push(check); }

const seconds = 10;
let isOver = false;
setTimeout(() => { isOver = true; }, 1000 * seconds);

// After the last event, and the longest time that a change holds it back.
const passes = () => performance.now() > 1000 * (seconds + 1) && checks.every((check) => check());

function frame(drawing, draw = () => {}) {
  const box = document.body.appendChild(document.createElement("div"));
  let frames = 0;
  requestAnimationFrame(function next() {
    spin(drawing);
    box.textContent = ++frames;
    draw(frames);
    requestAnimationFrame(next);
  });
}
