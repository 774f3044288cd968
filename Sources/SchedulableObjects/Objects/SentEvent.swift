/// An event for a scheduler's object: only the sent closure and a pointer to the object.
///
/// A closure around both would cost an allocation, and a reference to the handle would cost a reference count on a cache line
/// that all senders write. The bare pointer stays valid because the object's release waits for the events sent before, see
/// `DeferredRelease`.
@safe
struct SentEvent: ~Copyable {
  private let kind: SentEventKind.Type
  private let object: UnsafeMutableRawPointer
  /// The memory of the closure: an `ObjectClosure` of the kind's object.
  private var closure: (UInt, UInt) = (0, 0)

  // The kind is `SentEventOf<Object>`. The handle looks it up once, because the lookup takes time.
  init<Object>(
    _ body: consuming @escaping (Object) -> Void, to object: UnsafeMutablePointer<Resident<Object>>,
    kind: SentEventKind.Type
  ) {
    self.kind = kind
    unsafe self.object = UnsafeMutableRawPointer(object)
    unsafe withUnsafeMutablePointer(to: &closure) {
      unsafe UnsafeMutableRawPointer($0).assumingMemoryBound(to: ObjectClosure<Object>.self)
        .pointee.body = body
    }
  }

  deinit {
    // Refused: releases the closure and does not access the object.
    var closure = closure
    unsafe withUnsafeMutablePointer(to: &closure) { unsafe kind.drop($0) }
  }

  /// Runs the event. Only on the object's scheduler.
  consuming func run() {
    var closure = closure
    unsafe withUnsafeMutablePointer(to: &closure) { unsafe kind.run($0, on: object) }
    discard self
  }
}

/// The memory of a scheduler's object. Not copyable, so that an event borrows the object in place: a copy would retain and
/// release the object for each event.
struct Resident<Object>: ~Copyable {
  let value: Object
}

/// A closure in the two words of a `SentEvent`, where nil is 0.
struct ObjectClosure<Object>: ~Copyable {
  var body: ((Object) -> Void)?
}

/// The operations on a sent event's closure and object. A metatype, which lives for ever and needs no reference counts.
class SentEventKind {
  /// Runs and releases the closure at `closure`.
  class func run(_ closure: UnsafeMutableRawPointer, on object: UnsafeMutableRawPointer) {}
  /// Releases the closure at `closure`.
  class func drop(_ closure: UnsafeMutableRawPointer) {}
}

final class SentEventOf<Object>: SentEventKind {
  override class func run(_ closure: UnsafeMutableRawPointer, on object: UnsafeMutableRawPointer) {
    let resident = unsafe object.assumingMemoryBound(to: Resident<Object>.self)
    let closure = unsafe closure.assumingMemoryBound(to: ObjectClosure<Object>.self)
    unsafe call(closure.pointee, on: resident.pointee)
    unsafe closure.pointee.body = nil
  }

  override class func drop(_ closure: UnsafeMutableRawPointer) {
    unsafe closure.assumingMemoryBound(to: ObjectClosure<Object>.self).pointee.body = nil
  }

  /// Borrows both parameters. If it were called with the memory itself, the compiler would copy the object first.
  private static func call(
    _ closure: borrowing ObjectClosure<Object>, on resident: borrowing Resident<Object>
  ) { closure.body?(resident.value) }
}
