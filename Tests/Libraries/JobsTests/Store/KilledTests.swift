import Foundation
import TestSupport
import Testing

/// The jobs that survive `kill -9`.
@Suite struct KilledTests {
  private static let kills = Tries.kills.count

  /// Slow: starts and kills a process for each try.
  @Test(arguments: ["file", "sqlite"])
  func `killed at any moment, no accepted job is lost, and each runs at least once`(
    kind: String
  ) async throws {
    let scratch = try Scratch()
    let outcome = try await onOwnThread { try Self.killAgainAndAgain(kind, scratch) }
    check(outcome, scratch)
  }

  /// Slow: starts and kills two processes for each try.
  @Test(arguments: ["file", "sqlite"])
  func `of two processes on one store one works at a time, and no kill loses an accepted job`(
    kind: String
  ) async throws {
    let scratch = try Scratch()
    let outcome = try await onOwnThread { try Self.killOneOfTwo(kind, scratch) }
    check(outcome, scratch)
  }

  @Test(arguments: ["file", "sqlite"])
  func `a job that crashes the process starts as often as it may, and then has failed`(
    kind: String
  ) async throws {
    let scratch = try Scratch()
    let reports = try await onOwnThread {
      try ["crash", "finish", "finish", "finish", "finish"].map {
        try Victim([kind, scratch.root, $0]).waitForEnd()
      }
    }
    #expect(scratch.numbers("ran") == [666, 666, 666])
    #expect(reports[2] == ["restored 1"])
    let failure = try #require(reports[3].first { $0.hasPrefix("wrong: failed") })
    #expect(failure.contains("the process ended during each of its 3 starts"))
    #expect(reports[3].last == "left 0")
    #expect(reports[4] == ["restored 0", "left 0"])
  }

  private func check(_ outcome: Outcome, _ scratch: Scratch) {
    let accepted = Set(scratch.numbers("accepted"))
    let ran = Set(scratch.numbers("ran"))
    #expect(accepted.subtracting(ran).isEmpty, "accepted and never run")
    #expect(outcome.finished.last == "left 0")
    #expect(outcome.complaints.isEmpty)
    // A run is repeated only if a kill interrupted it, and each kill interrupts at most the two runs of the queue's width.
    let runs = scratch.numbers("ran").count
    let planned = ran.count + ran.count { $0 % 10 == 0 }
    #expect(runs <= planned + 2 * 2 * Self.kills, "jobs ran again without a reason")
    // Ensures that some jobs could have been lost.
    #expect(accepted.count > Self.kills, "jobs were accepted")
    #expect(outcome.restored > Self.kills, "jobs were there after a kill")
  }

  private struct Outcome: Sendable {
    var restored = 0
    var complaints: [String] = []
    var finished: [String] = []
  }

  private static func killAgainAndAgain(_ kind: String, _ scratch: Scratch) throws -> Outcome {
    var outcome = Outcome()
    for round in 0..<kills {
      let victim = try Victim([kind, scratch.root, "\(round * 1_000_000)"])
      // Some die while they start and restore, most while they add, run and remove jobs.
      if round % 4 == 0 {
        usleep(.random(in: 0..<25_000))
      } else {
        victim.waitUntilReady()
        let goal = scratch.size("accepted") + .random(in: 0..<60)
        _ = becomesTrue { scratch.size("accepted") >= goal || !victim.isRunning }
        usleep(.random(in: 0..<3000))
      }
      note(victim.kill(), in: &outcome)
    }
    try finish(kind, scratch, &outcome)
    return outcome
  }

  /// One process works and one waits for the store, which it gets when it is the other that dies first.
  private static func killOneOfTwo(_ kind: String, _ scratch: Scratch) throws -> Outcome {
    var outcome = Outcome()
    for round in 0..<kills {
      let victims = try (0..<2).map {
        try Victim([kind, scratch.root, "\((2 * round + $0) * 1_000_000)"])
      }
      let goal = scratch.size("accepted") + .random(in: 1..<60)
      _ = becomesTrue { scratch.size("accepted") >= goal }
      for victim in victims.shuffled() {
        usleep(.random(in: 0..<20_000))
        note(victim.kill(), in: &outcome)
      }
    }
    try finish(kind, scratch, &outcome)
    return outcome
  }

  private static func finish(_ kind: String, _ scratch: Scratch, _ outcome: inout Outcome) throws {
    let last = try Victim([kind, scratch.root, "finish"])
    outcome.finished = last.waitForEnd()
    note(outcome.finished, in: &outcome)
  }

  private static func note(_ lines: [String], in outcome: inout Outcome) {
    for line in lines {
      if line.hasPrefix("wrong") { outcome.complaints.append(line) }
      if line.hasPrefix("restored "), let count = Int(line.dropFirst(9)) {
        outcome.restored += count
      }
    }
  }
}

/// The program that is killed, started.
private final class Victim {
  private let process = Process()
  private let output = Pipe()
  private var heard = Data()

  init(_ arguments: [String]) throws {
    process.executableURL = Project.products.appending(component: "JobsVictim")
    process.arguments = arguments
    process.standardOutput = output
    process.environment = ["SWIFT_BACKTRACE": "enable=no"]
    try process.run()
  }

  var isRunning: Bool { process.isRunning }

  func waitUntilReady() {
    while !lines.contains("ready") {
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { return }
      heard.append(more)
    }
  }

  /// Kills it, and returns its output.
  func kill() -> [String] {
    // The program never ends by itself; if it did, this would fail, and its output would show the reason.
    let outcome = Foundation.kill(process.processIdentifier, SIGKILL)
    let said = waitForEnd()
    let wasKilled = outcome == 0 && process.terminationReason == .uncaughtSignal
    return wasKilled ? said : said + ["wrong: it had ended with \(process.terminationStatus)"]
  }

  func waitForEnd() -> [String] {
    heard.append(output.fileHandleForReading.readDataToEndOfFile())
    process.waitUntilExit()
    return lines
  }

  private var lines: [String] {
    String(decoding: heard, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}

extension Scratch {
  fileprivate func size(_ name: String) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path(name))
    return attributes?[.size] as? Int ?? 0
  }

  fileprivate func numbers(_ name: String) -> [Int] {
    (text(name) ?? "").split(separator: "\n").compactMap { Int($0) }
  }
}
