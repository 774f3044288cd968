internal import FrameBudget

/// What the main thread is at within a frame, and since when.
struct FrameAccount {
  /// What the time since `since` goes on.
  private(set) var phase: Phase
  private(set) var since: Instant
  private let began: Instant
  private let usedBefore: ProcessorUse
  /// In which the thread could not have run: within the frame, and within the phase. Sleeping is part of its phase.
  private(set) var blocked = TimeSpan.zero
  private var blockedInPhase = TimeSpan.zero
  /// When the wait for a lock began that is under way.
  private var waitsSince: Instant?

  init(_ phase: Phase, at now: Instant, used: ProcessorUse = ProcessorUse()) {
    (self.phase, since, began, usedBefore) = (phase, now, now, used)
  }

  /// Goes on to `next`; returns what the phase took that ends.
  mutating func enter(_ next: Phase, at now: Instant) -> TimeSpan {
    let span = now - since - blockedInPhase
    (phase, since, blockedInPhase) = (next, now, .zero)
    return span
  }

  mutating func waits(since instant: Instant) { waitsSince = instant }

  mutating func waited(_ span: TimeSpan) {
    waitsSince = nil
    blocked += span
    blockedInPhase += span
  }

  mutating func slept(_ span: TimeSpan) { blocked += span }

  /// The time up to `now` in which the thread used no processor although it waited for nothing, by who did.
  func notRunning(
    until now: Instant, used: ProcessorUse, crowd: Crowd
  ) -> (preempted: TimeSpan, machine: TimeSpan) {
    let missing = max(.zero, now - began - blocked - (used.main - usedBefore.main))
    let own = crowd.taken(of: missing, using: used.others - usedBefore.others)
    return (own, missing - own)
  }

  /// What `frame` would know if it ended at `now`.
  func record(
    of frame: OpenFrame, asOf now: Instant, used: ProcessorUse, crowd: Crowd, _ refresh: RefreshRate
  ) -> FrameRecord {
    var (account, frame) = (self, frame)
    // The run may have ended before the phase began.
    let now = max(now, since, waitsSince ?? since)
    if let waitsSince {
      let span = now - waitsSince
      frame.spend(span, on: .lockWait)
      account.waited(span)
    }
    frame.spend(account.enter(phase, at: now), on: phase)
    let idle = account.notRunning(until: now, used: used, crowd: crowd)
    frame.spend(idle.preempted, on: .preempted)
    frame.spend(idle.machine, on: .machine)
    return frame.record(asOf: now, refresh)
  }
}
