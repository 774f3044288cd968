import SchedulableThreads
import Foundation
import TestSupport
import Testing

@Suite struct PlatformThreadTests {
  @Test func `a thread has its name before it runs`() throws {
    let names = Recorder<String>()
    try PlatformThread(name: "a name that is too long") {
      let path = "/proc/self/task/\(Platform.threadID())/comm"
      names.add((try? String(contentsOfFile: path, encoding: .utf8)) ?? "")
    }.join()
    #expect(names.all == ["a name that is \n"])
  }

  @Test func `a thread has its nice value before it runs`() throws {
    let values = Recorder<Int>()
    let before = Platform.nice(thread: Platform.threadID())
    try PlatformThread(name: "nice", nice: 12) {
      values.add(Platform.nice(thread: Platform.threadID()))
    }.join()
    #expect(values.all == [12])
    #expect(Platform.nice(thread: Platform.threadID()) == before)
  }

  @Test func `a nice value that is not permitted is an error and the closure does not run`() throws
  {
    let ran = Tally()
    do {
      let thread = try PlatformThread(name: "eager", nice: -7) { ran.add() }
      thread.join()  // this process has the privilege
      #expect(ran.count == 1)
    } catch {
      guard case .niceRefused("eager", -7, _) = error else { throw error }
      #expect(ran.count == 0)
      #expect("\(error)".contains("thread 'eager' cannot have nice -7: "))
    }
  }

  @Test(arguments: [100_000, -1])
  func `processors that do not exist are an error`(_ processor: Int) {
    #expect(throws: ThreadError.self) {
      try PlatformThread(name: "nowhere", processors: [processor]) {}
    }
  }

  @Test func `a thread can be pinned to the first processor that it may use`() throws {
    let ran = Tally()
    try PlatformThread(name: "pinned", processors: [0]) { ran.add() }.join()
    #expect(ran.count == 1)
  }

  @Test func `several threads may join one`() throws {
    let gate = Gate()
    let thread = try PlatformThread(name: "joined") { gate.wait() }
    let joined = Tally()
    let others = try (0..<3).map { _ in
      try PlatformThread(name: "joiner") {
        thread.join()
        joined.add()
      }
    }
    gate.open()
    for other in others { other.join() }
    thread.join()
    #expect(joined.count == 3)
  }
}
