/// A mistake that `ScreenOracle` makes on request, as a test that a comparison with it finds mistakes.
enum ScreenFault: CaseIterable {
  /// A frame is shown as soon as it is ready, before b + d.
  case shownEarly
  /// All that is ready is shown at one vsync.
  case twoAtOneVsync
  /// Ready exactly at a vsync is late.
  case readyAtVsyncIsLate
  /// Frames that the arrangement shows later are due when the screen says.
  case laterIsNotDueLater
  /// Frames that the arrangement shows later have no more buffers.
  case laterWithoutBuffers
  /// A frame begins with all buffers taken.
  case bufferTooMany
  /// A buffer is free a vsync after its frame was shown.
  case bufferFreedLate
  /// A frame that waited for a buffer is not counted as stuffed.
  case stuffedForgotten
  /// A request that comes while a frame is on the main thread is forgotten.
  case requestLost
  /// A request counts from the vsync after the one that it wants.
  case requestLate
  /// A dropped vsync is charged twice.
  case causeCountedTwice
  /// The second stage begins a frame before it has ended the one before.
  case stagesOverlap
  /// The second stage's span does not count its waiting.
  case stageWaitForgotten
  /// `join: true` continues at once.
  case joinDoesNotWait
  /// A step that is not awaited is waited for.
  case forkAwaited
  /// An item is done when its last step is, regardless of its forks.
  case doneWithForksOpen
  /// Waiting to begin is charged to drawing.
  case waitingChargedToRender
  /// Waiting for the reads and the drawing of the frame before is charged to a late wake-up.
  case waitingForDrawingUncharged
  /// `newest` and `posted` are exchanged.
  case frameTimeSwapped
  /// A late `posted` frame is not followed by one that catches up.
  case noCatchingUp
  /// The frame event waits its turn although it goes first, or the reverse.
  case fifoSwapped
  /// A frame goes before all waiting tasks although it is the queue's turn.
  case alternateGoesFirst
  /// It is the queue's turn behind a frame, however long the main thread was idle in between.
  case idleForgotten
  /// A turn takes all waiting tasks instead of one, or the reverse.
  case batchSwapped
  /// Tasks that are posted during a turn belong to it.
  case turnGrows
  /// A waiting frame is charged to the longest task, not to the turn.
  case tasksHoldAlone
  /// A timer's item waits its turn from when it is due, not from when the main thread is free.
  case timerPostedWhenDue
  /// On a tie the item goes first.
  case itemFirstOnTie
  /// The rest of a task that yielded in turn runs before anything else.
  case restResumesFirst
  /// A task is never ended before its item is.
  case neverYields
  /// Each step of an item is a task of its own.
  case stepsAreTasks
  /// A frame drains all results, regardless of its budget.
  case drainUnlimited
  /// Work between frames is taken as shown by the frame that began before it.
  case contentTooEarly
  /// Parts of drawing are forgotten.
  case partForgotten
  /// A part that has run early runs again in its frame.
  case aheadRunsAgain
  /// A part runs early although it is not expected to fit.
  case aheadAlwaysFits
  /// A part runs a frame earlier than it may.
  case aheadTooEarly
  /// On demand, a part runs early for the next vsyncs, whether they want a frame or not.
  case aheadOfVsyncs
  /// On demand, a part may take the time until the next frame that is wanted.
  case aheadUntilFrame
  /// A part is expected to take as long as the last time.
  case aheadForgets
  /// A part of several pieces is one.
  case unitForgotten
  /// The rest of a part runs before its whole pieces.
  case restFirst
  /// A part that is in the cache costs what it does without one.
  case cacheForgotten
  /// Each frame that begins draws whether it finds a part in the cache, rather than each vsync.
  case cacheByCount
  /// All parts find their frames in one cache.
  case cacheShared
  /// A part that is spread runs as a whole.
  case spreadUnlimited
  /// What a frame puts off is forgotten.
  case restForgotten
  /// Of what frames put off, the newest runs first.
  case restNewestFirst
  /// What a frame puts off requests no frame.
  case restNotRequested
  /// A frame that is requested only for the rest needs a part of its own, too.
  case restNeedsNew
  /// All that is put off at the end counts as left.
  case restInFlightLeft
  /// A part that a lane prepares runs in its frame, too.
  case preparedOnMain
  /// Each frame that may hands over a part, however often that was done.
  case preparedAgain
  /// A part is handed over a frame earlier than it may.
  case preparedTooEarly
  /// A frame does not wait for parts that lanes prepare.
  case preparedNotAwaited
  /// Parts are handed over behind the arrivals that the frame delivers.
  case preparedBehindArrivals
  /// The wait for parts is charged to drawing.
  case preparedWaitIsDrawing
  /// A step with `repeat` runs once.
  case repeatsForgotten
  /// A step with `slices` runs in one piece although tasks yield.
  case slicesForgotten
  /// The first slice is longer than the others.
  case sliceTooLong
  /// An item answers where it ends.
  case answersAtEnd
  /// An item whose step has answered shows a result where it ends, too.
  case answersTwice
  /// With `results: coalesced`, an item that ends on the main thread shows its result at once.
  case coalescedAtOnce
  /// With `results: coalesced`, each result is an update of its own.
  case coalescedOneByOne
  /// With `latest`, an item that runs is not ended by a newer one.
  case latestRunsOn
  /// With `latest`, an item that waits is not ended by a newer one.
  case latestWaitsOn
  /// A newer item ends an older one as soon as it arrives, before the main thread has received it.
  case latestBeforeReceipt
  /// With `debounce`, an item starts some time after the first one of a row, not after the last one.
  case debounceFromFirst
  /// With `debounce`, the age of a timer's item counts from when the main thread notices it.
  case debounceFromTurn
  /// With `latest`, an item in its last step at the end counts as ended by a newer one.
  case lastStepReplaced
  /// With `throttle`, the first item waits, too.
  case throttleWithoutLeading
  /// With `throttle`, items that come too early never start.
  case throttleWithoutTrailing
  /// With `throttle`, the oldest of the items that wait starts.
  case throttleOfOldest
  /// A replaced item has no answer.
  case replacedUnanswered
  /// A suspended item keeps its thread.
  case suspensionHoldsThread
  /// An item is done, or goes on, before its suspension is over.
  case suspensionNotWaitedFor
  /// A suspended item goes on where its next step is, without an event on the lane of the one before.
  case suspensionEndsElsewhere
  /// A step that is not awaited is waited for until its suspension is over.
  case suspendedForkAwaited
  /// A resource serves any number of waits at a time.
  case resourceUnlimited
  /// The item that came last gets the next place of a resource.
  case resourceLastInFirstOut
  /// Only one thread of a lane runs at a time.
  case parallelInTurn
  /// A deadline is missed at the vsync after the frame's own, however many periods it has.
  case deadlineAtNextVsync
  /// A frame counts from the vsync whose time it shows, not from the one that it was asked for.
  case askedAtBegin
  /// Only frames hang, not turns of the queue.
  case turnsDoNotHang
  /// An item is shown when it is done.
  case doneIsShown
  /// An item whose step has answered is no backlog, whatever is left of it.
  case answerIsEnd
  /// All that waits at the end is a backlog.
  case backlogIsWhatWaits
  /// Items of fewer than four instants are in flight for ever.
  case fewNeverWait
  /// No task waits for a frame behind an input.
  case deferralForgotten
  /// Behind an input, other inputs wait, too.
  case deferralOfInputs
  /// Behind an input, tasks wait for a frame however long that takes.
  case deferralUnlimited
  /// Behind an input, tasks wait no longer than for a frame that was due before.
  case deferralToDueFrame
  /// Behind an input, tasks do not wait once no frame is wanted any more.
  case deferralToUnwanted
  /// Behind an input, tasks wait although no frame is wanted.
  case deferralWithoutFrame
  /// Tasks wait for a frame behind every task.
  case deferralByEveryTask
  /// Behind an input, the rest of a task that resumes first does not wait.
  case deferralWithoutRests
  /// Behind an input, parts of drawing run early.
  case deferralWithoutParts
}
