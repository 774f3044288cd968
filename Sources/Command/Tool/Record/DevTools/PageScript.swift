internal import FrameBudget

/// The script that reports the frames of a page, in a world of its own: the page's scripts see none of it.
///
/// It requests every frame, notes when each begins and when its drawing has ended, and answers `next()` about every
/// 100 ms. It stops by itself when nothing has asked for 5 s, so a command that is killed leaves nothing that runs.
enum PageScript {
  /// The name of a world. Each client has its own, so that several can watch a page.
  static func world() -> String { "framebudget-\(UInt32.random(in: .min ... .max))" }

  /// What begins to report; its value is the page's address.
  static let begin = """
    (() => {
      if (self.framebudget) return location.href;
      const interval = 100, patience = 5000, length = 80;
      let frames = [], long = [], cost = 0, sent = performance.now(), reported = false;
      let running = false, fresh = true, answer = null;
      const file = (url) => url.split(/[?#]/)[0].split("/").filter(Boolean).pop();
      const name = (script) => (script.sourceFunctionName
        ? `${script.sourceFunctionName} (${file(script.sourceURL)})` : script.invoker || script.invokerType).slice(0, length);
      const take = (entries) => {
        for (const entry of entries) {
          const scripts = [...entry.scripts ?? []].sort((a, b) => b.duration - a.duration).slice(0, 3);
          long.push([entry.startTime, entry.renderStart, entry.startTime + entry.duration,
            scripts.map((script) => [name(script), script.startTime, script.duration])]);
        }
      };
      const observer = PerformanceObserver.supportedEntryTypes?.includes("long-animation-frame")
        ? new PerformanceObserver((list) => take(list.getEntries())) : null;
      const channel = new MessageChannel();
      const waiting = [];
      channel.port1.onmessage = () => waiting.shift()?.();
      const afterDrawing = self.scheduler?.postTask
        ? (work) => { scheduler.postTask(work, {priority: "user-blocking"}); }
        : (work) => { waiting.push(work); channel.port2.postMessage(0); };
      const send = () => {
        take(observer?.takeRecords() ?? []);
        const now = performance.now();
        answer(JSON.stringify(
          {origin: performance.timeOrigin, now, hidden: document.hidden, cost, frames, long}));
        [answer, frames, long, cost, sent, reported] = [null, [], [], 0, now, document.hidden];
        cost += performance.now() - now;
      };
      const stop = () => {
        running = false;
        fresh = true;
        [frames, long] = [[], []];
        observer?.disconnect();
      };
      const frame = (vsync) => {
        if (!running) return;
        const begin = performance.now();
        if (!answer && begin - sent > patience) return stop();
        requestAnimationFrame(frame);
        afterDrawing(() => {
          const end = performance.now();
          if (!running) return;
          frames.push([vsync, begin, end, fresh ? 1 : 0]);
          fresh = false;
          if (answer && end - sent >= interval) send();
          cost += performance.now() - end;
        });
        cost += performance.now() - begin;
      };
      const start = () => {
        running = true;
        observer?.observe({type: "long-animation-frame"});
        requestAnimationFrame(frame);
      };
      const seen = () => {
        if (document.hidden) fresh = true;
        if (answer && document.hidden !== reported) send();
      };
      document.addEventListener("visibilitychange", seen);
      self.framebudget = {
        next: () => new Promise((resolve) => {
          answer = resolve;
          if (!running) start();
          seen();
        }),
        isRunning: () => running,
        end: () => {
          stop();
          document.removeEventListener("visibilitychange", seen);
          channel.port1.close();
          delete self.framebudget;
        },
      };
      return location.href;
    })()
    """

  /// What waits for the next report.
  static let next = "framebudget.next()"

  /// What ends the reports, and removes the script.
  static let end = "self.framebudget?.end()"
}
