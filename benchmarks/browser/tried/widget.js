"use strict";
(() => {
  let frames = 0;
  requestAnimationFrame(function animate() {
    frames += 1;
    const end = performance.now() + (frames % 5 ? 1 : 35);
    while (performance.now() < end);
    document.getElementById("offer").style.opacity = frames % 2;
    requestAnimationFrame(animate);
  });
})();
