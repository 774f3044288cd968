"use strict";
// The page's own figures, in a recording as marks named "frames": how many animation frames it got, the vsync of the last one, and
// what its observer of long animation frames has seen. A page that asks for a meter shows the number of frames. Each twelfth frame
// has a mark, or, in a page that hangs until its end, every frame.
{
  const step = Number(document.currentScript.dataset.step ?? 12);
  const figures = {count: 0, vsync: 0, long: 0, blocking: 0};
  let meter = null;
  if ("meter" in document.currentScript.dataset) {
    meter = document.createElement("code");
    meter.style.cssText = "position: fixed; right: 4px; bottom: 4px; background: #000; color: #0f0; padding: 2px 6px";
    document.body.append(meter);
  }
  new PerformanceObserver((list) => list.getEntries().forEach(({blockingDuration}) => {
    figures.long += 1;
    figures.blocking += blockingDuration;
  })).observe({type: "long-animation-frame", buffered: true});
  const frame = (vsync) => {
    figures.count += 1;
    figures.vsync = vsync;
    if (meter) meter.textContent = `frame ${figures.count}`;
    if (figures.count % step === 0) performance.mark("frames", {detail: figures});
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}
