internal import Concurrency

/// What was noted and not yet written: room for so many notes, made once. What finds none is counted.
final class NoteBuffer: Sendable {
  private struct State {
    /// Threads append to the one while the other is written.
    var filling: [Note] = []
    var written: [Note] = []
    var lost = 0
  }

  private let state = Locked(State())
  private let room: Int

  init(room: Int) {
    self.room = room
    state.withLock {
      $0.filling.reserveCapacity(room)
      $0.written.reserveCapacity(room)
    }
  }

  /// For how many notes there is memory, those that are being written among them.
  var capacity: Int { state.withLock { $0.filling.capacity + $0.written.capacity } }

  /// Takes a note in, from any thread; whether it is time to write.
  func add(_ note: Note) -> Bool {
    let (room, half) = (room, room / 2)
    return state.withLock { state in
      guard state.filling.count < room else {
        state.lost += 1
        return false
      }
      state.filling.append(note)
      return state.filling.count == half
    }
  }

  /// What has been noted since the last call, and how much found no room; for the writer, who is one thread.
  func take() -> (notes: [Note], lost: Int) {
    state.withLock { state in
      state.written.removeAll(keepingCapacity: true)
      swap(&state.filling, &state.written)
      defer { state.lost = 0 }
      return (state.written, state.lost)
    }
  }
}
