import FrameRecording
import Foundation

// The services: plain objects without locks. Each notes its work under the name by which arrangements place it.

final class Thumbnails {
  private var count = 0

  func add() {
    FrameRecorder.interval("thumbnail") { compute(milliseconds: 4) }
    count += 1
  }
}

final class Index {
  private var words = 0

  func update() {
    FrameRecorder.interval("search") { compute(milliseconds: 26) }
    words += 1
  }
}

final class Spelling {
  private var checked = 0

  func check() {
    FrameRecorder.interval("spelling") { compute(milliseconds: 18) }
    checked += 1
  }
}

final class Cloud {
  private var merged = 0

  func merge() {
    FrameRecorder.interval("sync") { compute(milliseconds: 45) }
    merged += 1
  }
}

final class NotesFile {
  private var versions = 0

  func write() {
    FrameRecorder.interval("autosave") { compute(milliseconds: 70) }
    versions += 1
  }
}

/// Takes that much processor time of the calling thread, on any machine.
func compute(milliseconds: Int) {
  let end = processorTime() + milliseconds * 1_000_000
  while processorTime() < end {}
}

/// The processor time of the calling thread, in nanoseconds.
private func processorTime() -> Int {
  var now = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)
  return now.tv_sec * 1_000_000_000 + now.tv_nsec
}
