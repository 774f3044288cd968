import TestSupport
import Testing

@testable import SchedulableObjects

/// One app under several arrangements.
@Suite struct ServiceHomesTests {
  /// What an item does in order, and on which scheduler.
  private final class Album {
    let log: Recorder<String>
    let here: SchedulerContext

    init(_ log: Recorder<String>, _ here: SchedulerContext) { (self.log, self.here) = (log, here) }

    func add(_ photo: Int) { log.add("\(here.scheduler.name) \(photo)") }
  }

  /// Adds two photos in one go on the main actor, and returns what happened.
  @MainActor private func twoPhotos(under text: String) async throws -> [String] {
    let homes = try ServiceHomes(AppArrangement(text))
    let log = Recorder<String>()
    let album = try await homes.service("thumbnail") { Album(log, $0) }
    for photo in 1...2 {
      album.schedule { $0.add(photo) }
      log.add("asked \(photo)")
    }
    try await album.call { $0.log.add("called") }
    await homes.shutdown()
    return log.all
  }

  @Test func `on the caller's thread a service is called directly`() async throws {
    #expect(
      try await twoPhotos(under: "")
        == ["main queue 1", "asked 1", "main queue 2", "asked 2", "called"])
  }

  @Test func `with yield each call is an event of its own`() async throws {
    #expect(
      try await twoPhotos(under: "yield")
        == ["asked 1", "asked 2", "main queue 1", "main queue 2", "called"])
  }

  @Test func `on a lane it gets events there`() async throws {
    let log = try await twoPhotos(under: "background: thumbnail")
    #expect(log.filter { !$0.hasPrefix("asked") } == ["background 1", "background 2", "called"])
    #expect(log.filter { $0.hasPrefix("asked") } == ["asked 1", "asked 2"])
  }

  @Test func `services of one lane call each other directly`() async throws {
    let homes = try ServiceHomes(AppArrangement("background: thumbnail, index"))
    let log = Recorder<String>()
    let album = try await homes.service("thumbnail") { Album(log, $0) }
    let index = try await homes.service("index") { _ in Recorder<Int>() }
    try await index.call { _ in
      album.schedule { $0.add(1) }
      log.add("asked")
    }
    #expect(log.all == ["background 1", "asked"])
    await homes.shutdown()
  }

  @Test(arguments: [(" overtaking", [2, 1]), ("", [1, 2])])
  func `priorities count where the arrangement says so`(
    option: String, order: [Int]
  ) async throws {
    let homes = try ServiceHomes(AppArrangement("background\(option): thumbnail"))
    let numbers = try await homes.service("thumbnail") { _ in Recorder<Int>() }
    let thread = try #require(homes.scheduler(of: "thumbnail") as? ThreadScheduler)
    await onOwnThread {
      let gate = thread.holdAtGate()
      numbers.schedule { $0.add(1) }
      numbers.schedule(priority: .user) { $0.add(2) }
      gate.open()
    }
    #expect(try await numbers.call(priority: .background) { $0.all } == order)
    await homes.shutdown()
  }

  @Test func `services that the app has not created are named`() async throws {
    let homes = try ServiceHomes(AppArrangement("background: thumbnail, indx"))
    _ = try await homes.service("thumbnail") { _ in Recorder<Int>() }
    _ = try await homes.service("index") { _ in Recorder<Int>() }
    #expect(homes.missingServices == ["indx"])
    #expect(homes.scheduler(of: "index") === MainActorScheduler.shared)
    await homes.shutdown()
  }

  @Test func `code on the main actor uses objects of its scheduler directly`() async throws {
    let main = MainActorScheduler(name: "direct")
    let numbers = try await main.assemble { $0.bind(Recorder<Int>()) }
    await MainActor.run { numbers.assumeIsolated { $0.add(1) } }
    await onOwnThread { #expect(!main.isCurrent) }
    #expect(try await numbers.call { $0.all } == [1])
    await main.shutdown()
  }
}
