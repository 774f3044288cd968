import Testing

@testable import FrameRecording

struct NoteBufferTests {
  private static let note = Note(.interval("step"), 0, 1)

  @Test func `notes beyond the capacity are only counted`() {
    let buffer = NoteBuffer(room: 8)
    let wakes = (0..<20).map { _ in buffer.add(Self.note) }
    #expect(wakes.count { $0 } == 1)
    var (notes, lost, _) = buffer.take()
    #expect(notes.count == 8 && lost == 12)
    (notes, lost, _) = buffer.take()
    #expect(notes.isEmpty && lost == 0)
  }

  @Test func `the buffer never grows`() {
    let buffer = NoteBuffer(room: 64)
    let capacity = buffer.capacity
    #expect(capacity >= 128)
    for round in 0..<50 {
      for _ in 0..<(round * 7 % 90) { _ = buffer.add(Self.note) }
      for number in 0..<(UInt32(round) * 7) { buffer.begin(Self.work(number)) }
      let seen = buffer.take()
      #expect(seen.open.count <= NoteBuffer.openRoom)
      for number in 0..<(UInt32(round) * 7) { _ = buffer.end(number, with: Self.note) }
      // The writer still reads what it took.
      #expect(seen.open.count == min(round * 7, NoteBuffer.openRoom))
      #expect(buffer.take().open.isEmpty)
    }
    #expect(buffer.capacity == capacity)
  }

  private static func work(_ number: UInt32) -> OpenWork {
    OpenWork(number: number, kind: .interval("step"), track: .main, began: Int64(number))
  }

  @Test func `work is under way until its end, in whatever order it ends`() {
    let buffer = NoteBuffer(room: 64)
    for number in 0..<4 as Range<UInt32> { buffer.begin(Self.work(number)) }
    for (number, rest) in [(3, [0, 1, 2]), (0, [1, 2]), (9, [1, 2]), (2, [1]), (1, [])] {
      _ = buffer.end(UInt32(number), with: Self.note)
      #expect(buffer.take().open.map(\.number) == rest.map { UInt32($0) })
    }
  }
}
