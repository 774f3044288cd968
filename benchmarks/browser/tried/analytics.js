"use strict";
setInterval(function measure() {
  const end = performance.now() + 60;
  while (performance.now() < end);
}, 310);
