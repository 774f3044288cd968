import Testing

@testable import FrameRecording

struct NoteBufferTests {
  private static let note = Note(.interval("step"), 0, 1)

  @Test func `notes beyond the capacity are only counted`() {
    let buffer = NoteBuffer(room: 8)
    let wakes = (0..<20).map { _ in buffer.add(Self.note) }
    #expect(wakes.count { $0 } == 1)
    var (notes, lost) = buffer.take()
    #expect(notes.count == 8 && lost == 12)
    (notes, lost) = buffer.take()
    #expect(notes.isEmpty && lost == 0)
  }

  @Test func `the buffer never grows`() {
    let buffer = NoteBuffer(room: 64)
    let capacity = buffer.capacity
    #expect(capacity >= 128)
    for round in 0..<50 {
      for _ in 0..<(round * 7 % 90) { _ = buffer.add(Self.note) }
      _ = buffer.take()
    }
    #expect(buffer.capacity == capacity)
  }
}
