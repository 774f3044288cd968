import Foundation

/// A photo as the camera gives it.
package struct Photo: Sendable {
  package let number: Int
  package let bytes: [UInt8]

  /// A kilobyte, the same for the same number.
  package init(_ number: Int) {
    self.number = number
    bytes = (0..<1024).map { UInt8(truncatingIfNeeded: ($0 &* 31) ^ number) }
  }
}

/// The stored data of a photo.
package struct Thumbnail: Sendable {
  package let number: Int
  /// Of the photo's bytes.
  package let sum: UInt64

  /// Goes over the photo's bytes again and again for 4 ms of a processor, which is what decoding and scaling one takes: as
  /// much in a build without optimisation as in one with it.
  package init(of photo: Photo) {
    number = photo.number
    let began = ProcessorTime.now
    var sum = Self.sum(of: photo.bytes)
    while ProcessorTime.now - began < 0.004 { sum = Self.sum(of: photo.bytes) }
    self.sum = sum
  }

  private static func sum(of bytes: [UInt8]) -> UInt64 {
    bytes.reduce(14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
  }
}

/// The app's photos: a plain object with neither locks nor marks, the same in all four steps.
package final class Album {
  private var thumbnails: [Thumbnail] = []
  private var selected: Int?

  package init() {}

  package func add(_ photo: Photo) { thumbnails.append(Thumbnail(of: photo)) }
  package func select(_ number: Int) { selected = number }
  package var count: Int { thumbnails.count }
}

/// Processor time of the calling thread, in seconds.
package enum ProcessorTime {
  package static var now: Double {
    var now = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
  }
}
