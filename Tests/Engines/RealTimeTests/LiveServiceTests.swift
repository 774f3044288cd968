import FrameBudget
import Testing

@testable import FrameBudgetRealTime

@Suite struct `A live service` {
  @Test func `lets one thread in at a time`() {
    let service = LiveService(Service(name: "files"), memory: 0, isPublished: false)
    let nested: Bool? = service.enter { _ in service.enter { _ in true } == nil }
    #expect(nested == true)
  }

  @Test func `copies its state at the first change after a snapshot, and only then`() throws {
    var state = ServiceState(records: 5000, memory: 0)
    let clock = RunClock()
    #expect(state.change(for: 1, clock: clock) == .zero)
    let published = state.publish(nil, in: 7)
    let snapshot = try #require(published)
    #expect(state.change(for: 1, clock: clock) > .zero)
    #expect(state.change(for: 1, clock: clock) == .zero)
    #expect(snapshot.records[1].revision == 1)
    #expect(snapshot.version == 1)
    #expect(state.version == 3)
  }

  @Test func `publishes at most once in a frame, or when its lane has run out of work`() {
    let service = LiveService(Service(name: "files", records: 10), memory: 0, isPublished: true)
    let clock = RunClock()
    func change() { _ = service.enter { $0.change(for: 0, clock: clock) } }
    func published() -> Int? { service.board?.read().snapshot.version }

    change()
    service.publish(.perFrame, in: 1)
    #expect(published() == 1)
    change()
    service.publish(.perFrame, in: 1)
    #expect(published() == 1)
    service.publish(.perStep, in: 1)
    #expect(published() == 2)
    change()
    service.publish(nil, in: 1)
    #expect(published() == 3)
    change()
    service.publish(.perFrame, in: 2)
    #expect(published() == 4)
  }
}

@Suite struct `A snapshot board` {
  private let item = LiveItem(number: 3)

  @Test func `says since when a snapshot has missed the newest item that is done`() throws {
    var state = ServiceState(records: 1, memory: 0)
    let board = SnapshotBoard(state.snapshot)
    _ = state.change(for: 3, clock: RunClock())
    board.changed(by: item, version: state.version)
    #expect(board.read().missesSince == nil)

    board.done(item, at: Instant(nanoseconds: 500))
    #expect(board.read().missesSince == Instant(nanoseconds: 500))

    let published = state.publish(nil, in: 1)
    board.publish(try #require(published))
    #expect(board.read().missesSince == nil)
  }

  @Test func `does not miss an item whose change is in the snapshot, whatever changed later`() {
    var state = ServiceState(records: 1, memory: 0)
    _ = state.change(for: 3, clock: RunClock())
    let board = SnapshotBoard(state.snapshot)
    board.changed(by: item, version: state.version)
    _ = state.change(for: 4, clock: RunClock())
    board.changed(by: LiveItem(number: 4), version: state.version)

    board.done(item, at: Instant(nanoseconds: 500))
    #expect(board.read().missesSince == nil)
  }
}

extension LiveItem {
  fileprivate init(number: Int) {
    self.init(workload: 0, number: number)
  }
}
