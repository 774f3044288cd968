/// An event for a scheduler's object: the closure that was sent, the object, and nothing around the two.
///
/// A closure around both would cost an allocation, and a reference to the handle a count on a line of memory that all
/// senders write. So the object is a bare pointer: it stays valid because its end waits for the events sent before, see
/// `Burial`.
@safe
struct SentEvent: ~Copyable {
  private let kind: SentEventKind.Type
  private let object: UnsafeMutableRawPointer
  /// Where the closure lies: an `ObjectClosure` of the kind's object.
  private var closure: (UInt, UInt) = (0, 0)

  // The kind is `SentEventOf<Object>`: asked for by the handle once, as finding it takes time.
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
    // Refused: what the closure captured is released, and the object is left alone.
    var closure = closure
    unsafe withUnsafeMutablePointer(to: &closure) { unsafe kind.drop($0) }
  }

  /// Runs the event. On the object's scheduler.
  consuming func run() {
    var closure = closure
    unsafe withUnsafeMutablePointer(to: &closure) { unsafe kind.run($0, on: object) }
    discard self
  }
}

/// The memory of a scheduler's object. Not copyable, so that an event borrows the object in place: a copy would count a
/// reference to it and back for each.
struct Resident<Object>: ~Copyable {
  let value: Object
}

/// A closure in the two words of a `SentEvent`, where nil is 0.
struct ObjectClosure<Object>: ~Copyable {
  var body: ((Object) -> Void)?
}

/// What knows the type of a sent event's object, as a type: it lives for ever, so nobody counts references to it.
class SentEventKind {
  /// Runs and ends the closure at `closure`.
  class func run(_ closure: UnsafeMutableRawPointer, on object: UnsafeMutableRawPointer) {}
  /// Ends the closure at `closure`.
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

  /// Borrows both: called with the memory itself, the compiler would copy the object first.
  private static func call(
    _ closure: borrowing ObjectClosure<Object>, on resident: borrowing Resident<Object>
  ) { closure.body?(resident.value) }
}
