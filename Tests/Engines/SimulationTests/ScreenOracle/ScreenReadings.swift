/// The interpretation by `ScreenOracle` of those rules of the screen and of the main loop that are ambiguous.
///
/// Interpretations that are options here can be changed, to find the one that an engine follows. The others:
///
/// - Order at one instant: ends, then arrivals, requests, the vsync (shown, then begun or posted),
///   then free threads start work; an event of another thread at that instant makes the case ambiguous.
/// - The warm-up: leaves no work, no request and an idle second stage; its frames never keep a buffer from a measured
///   one.
/// - Delivery in a `frame` loop: what the first steps need from other lanes is posted at once; then a step on the
///   main thread waits its turn in that frame.
/// - An arrival whose first step is on a lane, `events`: is run by the main thread in its turn, which posts it.
/// - An item that returns to a step on the main thread: `frame`: in the next frame, behind arrivals; `events`: behind
///   what waits.
/// - A result of an item whose last step was on the main thread: runs there at once, as part of its task; it is shown
///   by the frame in which, or before which, it ran to its end.
/// - The frame that shows a drained result: the one that drains it.
/// - A result of an item whose last step was on the main thread reaches it, and requests a frame, when that step ends.
/// - Results left over by a drain's budget, on demand: request another frame when theirs ends.
/// - An item of a workload that draws: requests as it arrives, and like any other when it is done.
/// - A join whose last step ends on the lane of the joining one: continues there directly, like any next step.
/// - A main task's forks to other lanes: are posted before it yields.
/// - Yielding after a time: after the first step at whose end the task has run that long.
/// - Yielding in a `frame` loop: not drawn: a frame that does all waiting work has no reason to yield.
/// - A stuffed frame, `frame`: one that found no buffer at a vsync with no frame on the main thread; `events`: one whose
///   event would have been posted at an earlier vsync if a buffer had been free.
/// - A vsync whose frame waits for a buffer: the frame belongs to the vsync that frees one, `posted` too.
/// - `alternate` with nothing served since the main thread was idle: the frame goes first.
/// - The rest of a task that is resumed first: is in the turn of the task, or in one of its own if that is over.
/// - Behind the first task of an input: whenever the main thread is free while tasks wait, it looks at what has arrived, before a
///   rest that resumes first, too, and whether a frame is still wanted; if none is, tasks wait until the first vsync. Requests in
///   the file for the next vsync count. A frame is new if its event is posted from then on. Those that wait are where they were
///   in the queue when a frame has ended or the time is over.
/// - What delayed the start, for the dropped vsyncs of one frame before b + d: one delay, from V(k - d) of the first of them
///   to the start: stuffed if no buffer was free at V(k - d); else the frame or turn that held the main thread longest in
///   between, the first of such.
/// - The cause of a frame that held it: its largest phase, the second stage left out.
/// - The cause of a turn that held it: `logic`, or `drain` where results took longer.
/// - Waiting to begin: each part is charged to what ran then, in a turn or in the frame before.
/// - A frame whose event waits at the run's end: belongs to the vsync that posted it, is in no count of frames, and is
///   charged as if it had begun when the main thread was free, but not before the run's last vsync.
/// - Parts that run early: while the main thread is idle and it is known at which vsync the next frame begins, or its event is
///   posted; the parts of that frame first, then of the next vsyncs; the first that is expected to end by then, and nothing
///   interrupts it. What was never measured is tried. A loop of frames whose part runs past the vsync begins at the next one.
/// - Parts that run early, on demand: the next frames are those of the vsyncs for which a request is known, in the file or made; the
///   idle time ends at the next vsync, whether that wants a frame or not.
/// - A part of several pieces: whole ones first, the rest last, early as in its frame; only the first that is not ready is tried.
/// - What parts are expected to take: a mean of pieces in which the newest cost counts an eighth, rounded towards the mean.
/// - A part in a cache: in a hit it costs nothing and has no pieces. The vsync of a frame decides, from the stream
///   `ui/frame/NAME/cache` of the seed, before anything else is known of the frame.
/// - A part that is spread: a frame runs it in one piece, at most the budget, the oldest work first. What is left when drawing ends
///   requests a frame, unless such a request waits; a frame that serves no other request needs nothing of its own of such parts. A
///   frame that the run's end cuts off runs and puts off nothing.
/// - A part that a lane prepares: a frame that begins, before all else, hands over its own, and those of the next vsyncs that want a
///   frame, on demand as far as requests for them are known, each once. Its other parts run first; then it waits, which is a wait for a
///   lock; then it draws the rest. Nothing wakes it meanwhile.
/// - Age of a part: between vsyncs of frames, or up to the end of the run.
/// - A part that delays a frame: is charged as drawing, and as a turn of its own.
/// - On time without a phase: R less its span, at V(b + d).
/// - A frame whose R the run's end cuts off: its largest phase, the second stage counted up to the end.
/// - A deadline missed at the run's end: not ready at V(b + d), if that is not after the run's last vsync.
/// - Frames that would begin at V(K) or later: by the start s: `posted` ones too.
/// - Vsyncs wanted on demand: from the first one at or after the first request that the frame serves, plus d, to p;
///   no vsync twice.
struct ScreenReadings: Equatable {
  /// The requests that a frame serves: those up to the vsync to which it belongs, or up to its start.
  enum Serves: Equatable { case vsync, begin }
  /// The vsync of a frame that catches up: the newest passed when the late one ends, behind which its event is
  /// posted; the same, or the first after the late one's, unless a vsync has posted an event while that one was on the
  /// main thread; or the newest passed in any case.
  enum CatchesUp: Equatable { case behind, newest, next, newestAlways }
  /// The place of results in `events`: within the next frame, or as events of their own.
  enum Results: Equatable { case inFrame, asEvents }

  var serves = Serves.vsync
  var catchesUp = CatchesUp.behind
  var results = Results.inFrame
}
