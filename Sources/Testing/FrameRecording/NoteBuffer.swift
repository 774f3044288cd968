internal import SchedulableThreads

/// The notes that are not written yet and the work that is under way, in memory allocated once. Notes that find no room are
/// counted as lost.
final class NoteBuffer: Sendable {
  private struct State {
    /// Threads append to `filling` while `written` is being written.
    var filling: [Note] = []
    var written: [Note] = []
    /// In the order in which it began, and a copy for the writer.
    var open: [OpenWork] = []
    var seen: [OpenWork] = []
    var lost = 0

    mutating func add(_ note: Note, room: Int) -> Bool {
      guard filling.count < room else {
        lost += 1
        return false
      }
      filling.append(note)
      return filling.count == room / 2
    }
  }

  private let state = Locked(State())
  private let room: Int

  /// The most work under way at a time that is kept. The outermost comes first, and says since when a thread is busy.
  static let openRoom = 128

  init(room: Int) {
    self.room = room
    state.withLock {
      $0.filling.reserveCapacity(room)
      $0.written.reserveCapacity(room)
      $0.open.reserveCapacity(Self.openRoom)
      $0.seen.reserveCapacity(Self.openRoom)
    }
  }

  /// The number of notes and of work under way that fit into memory, including those being written.
  var capacity: Int {
    state.withLock {
      $0.filling.capacity + $0.written.capacity + $0.open.capacity + $0.seen.capacity
    }
  }

  /// Keeps work as being under way until its `end`, from any thread.
  func begin(_ work: OpenWork) {
    state.withLock { state in
      if state.open.count < Self.openRoom { state.open.append(work) }
    }
  }

  /// Adds a note, from any thread. Returns whether it is time to write.
  func add(_ note: Note) -> Bool {
    let room = room
    return state.withLock { $0.add(note, room: room) }
  }

  /// Adds the note of work that was under way, from any thread. Returns whether it is time to write.
  func end(_ number: UInt32, with note: Note) -> Bool {
    let room = room
    return state.withLock { state in
      // On one thread, the newest ends first.
      if let index = state.open.lastIndex(where: { $0.number == number }) {
        state.open.remove(at: index)
      }
      return state.add(note, room: room)
    }
  }

  /// Returns the notes since the last call, the number of lost ones, and what is under way. Only for the writer, which is one
  /// thread.
  func take() -> (notes: [Note], lost: Int, open: [OpenWork]) {
    state.withLock { state in
      state.written.removeAll(keepingCapacity: true)
      swap(&state.filling, &state.written)
      state.seen.removeAll(keepingCapacity: true)
      state.seen.append(contentsOf: state.open)
      defer { state.lost = 0 }
      return (state.written, state.lost, state.seen)
    }
  }
}
