internal import SchedulableThreads

/// The notes that are not written yet, in memory allocated once. Notes that find no room are counted as lost.
final class NoteBuffer: Sendable {
  private struct State {
    /// Threads append to `filling` while `written` is being written.
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

  /// The number of notes that fit into memory, including those being written.
  var capacity: Int { state.withLock { $0.filling.capacity + $0.written.capacity } }

  /// Adds a note, from any thread. Returns whether it is time to write.
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

  /// Returns the notes since the last call, and the number of lost ones. Only for the writer, which is one thread.
  func take() -> (notes: [Note], lost: Int) {
    state.withLock { state in
      state.written.removeAll(keepingCapacity: true)
      swap(&state.filling, &state.written)
      defer { state.lost = 0 }
      return (state.written, state.lost)
    }
  }
}
