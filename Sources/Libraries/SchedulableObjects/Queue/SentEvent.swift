/// An event in the memory of its node: up to four words, and the kind of what they hold.
///
/// A closure around an object and an event for it would cost an allocation, and a reference to the object's handle a reference
/// count on a cache line that all senders write. So these events have a bare pointer to the object. It stays valid because
/// the object's release waits for the events sent before, see `DeferredRelease`.
@safe
@usableFromInline
struct SentEvent: ~Copyable {
  @usableFromInline typealias Words = (UInt, UInt, UInt, UInt)

  @usableFromInline var words: Words = (0, 0, 0, 0)
  @usableFromInline let kind: SentEventKind.Type

  // Proof: only `kind` accesses what `fill` has written, as the same types; it may be moved bit by bit. It ends once: `run`
  // consumes the event, and otherwise `deinit` drops it.

  /// `fill` writes what `kind` expects.
  @inlinable
  init(_ kind: SentEventKind.Type, _ fill: (UnsafeMutableRawPointer) -> Void) {
    self.kind = kind
    unsafe withUnsafeMutablePointer(to: &words) { unsafe fill(UnsafeMutableRawPointer($0)) }
  }

  deinit {
    // Refused: releases what was sent and does not access the object.
    var words = words
    unsafe withUnsafeMutablePointer(to: &words) { unsafe kind.drop($0) }
  }

  /// Runs the event. Only on its scheduler.
  consuming func run() {
    var words = words
    unsafe withUnsafeMutablePointer(to: &words) { unsafe kind.run($0) }
    discard self
  }
}

/// The operations on the words of an event. A metatype is never released and needs no reference counts.
///
/// The code of a generic subclass is not specialised, so it works on parts whose layout does not depend on the types: a lookup
/// of a generic struct's metadata would take longer than the rest of an event.
@usableFromInline
class SentEventKind {
  /// Runs the event, and releases what was sent.
  class func run(_ words: UnsafeMutableRawPointer) {}
  /// Releases what was sent.
  class func drop(_ words: UnsafeMutableRawPointer) {}
}

/// The memory of a scheduler's object. Not copyable, so that an event borrows the object in place: a copy would retain and
/// release the object for each event.
@usableFromInline
struct Resident<Object>: ~Copyable {
  let value: Object
}

// MARK: - The first word is an object, the next two are a closure

/// The memory of a closure for an object, where nil is 0.
private struct ObjectClosure<Object>: ~Copyable {
  var run: ((Object) -> Void)?
}

extension SentEvent {
  /// `kind` is `ObjectEvent<Object>`, which the handle looks up once, because the lookup takes time.
  init<Object>(
    _ body: consuming @escaping (Object) -> Void,
    to object: UnsafeMutablePointer<Resident<Object>>, kind: SentEventKind.Type
  ) {
    unsafe self.init(kind) { words in
      unsafe words.storeBytes(of: UInt(bitPattern: object), as: UInt.self)
      unsafe (words + wordSize).assumingMemoryBound(to: ObjectClosure<Object>.self)
        .pointee.run = body
    }
  }
}

final class ObjectEvent<Object>: SentEventKind {
  override class func run(_ words: UnsafeMutableRawPointer) {
    let object = unsafe words.load(as: UnsafeMutableRawPointer.self)
      .assumingMemoryBound(to: Resident<Object>.self)
    let closure = unsafe (words + wordSize).assumingMemoryBound(to: ObjectClosure<Object>.self)
    unsafe call(closure.pointee, on: object.pointee)
    unsafe closure.pointee.run = nil
  }

  override class func drop(_ words: UnsafeMutableRawPointer) {
    unsafe (words + wordSize).assumingMemoryBound(to: ObjectClosure<Object>.self).pointee.run = nil
  }

  /// Borrows both parameters. If it were called with the memory itself, the compiler would copy the object first.
  private static func call(
    _ closure: borrowing ObjectClosure<Object>, on object: borrowing Resident<Object>
  ) { closure.run?(object.value) }
}

// MARK: - The first word is the function of a closure that captures nothing, and a value follows

@usableFromInline
struct ValueClosure<Value>: ~Copyable {
  @usableFromInline var run: ((Value) -> Void)?
}

extension SentEvent {
  /// The function of the closure; nil if it captures something or the value does not fit.
  @inlinable
  static func function<Value>(of body: @escaping (Value) -> Void) -> UInt? {
    guard fits(Value.self, behind: 1) else { return nil }
    return unsafe BareClosure.function { words in
      unsafe words.assumingMemoryBound(to: ValueClosure<Value>.self).pointee.run = body
    } release: { words in
      unsafe words.assumingMemoryBound(to: ValueClosure<Value>.self).pointee.run = nil
    }
  }

  /// `kind` is `ValueEvent<Value>`.
  @inlinable
  init<Value>(_ function: UInt, with value: Value, kind: SentEventKind.Type) {
    unsafe self.init(kind) { words in
      unsafe words.storeBytes(of: function, as: UInt.self)
      unsafe (words + wordSize).assumingMemoryBound(to: Value.self).initialize(to: value)
    }
  }
}

@usableFromInline
final class ValueEvent<Value>: SentEventKind {
  override class func run(_ words: UnsafeMutableRawPointer) {
    let value = unsafe (words + wordSize).assumingMemoryBound(to: Value.self)
    var closure = unsafe BareClosure(words.load(as: UInt.self))
    unsafe closure.access {
      unsafe $0.assumingMemoryBound(to: ValueClosure<Value>.self).pointee.run?(value.pointee)
    }
    unsafe value.deinitialize(count: 1)
  }

  override class func drop(_ words: UnsafeMutableRawPointer) {
    unsafe (words + wordSize).assumingMemoryBound(to: Value.self).deinitialize(count: 1)
  }
}

// MARK: - The first word is an object, the second the function of a closure that captures nothing, and a value follows

@usableFromInline
struct ObjectValueClosure<Object, Value>: ~Copyable {
  @usableFromInline var run: ((Object, Value) -> Void)?
}

extension SentEvent {
  /// The function of the closure; nil if it captures something or the value does not fit.
  @inlinable
  static func function<Object, Value>(of body: @escaping (Object, Value) -> Void) -> UInt? {
    guard fits(Value.self, behind: 2) else { return nil }
    return unsafe BareClosure.function { words in
      unsafe words.assumingMemoryBound(to: ObjectValueClosure<Object, Value>.self)
        .pointee.run = body
    } release: { words in
      unsafe words.assumingMemoryBound(to: ObjectValueClosure<Object, Value>.self)
        .pointee.run = nil
    }
  }

  /// `kind` is `ObjectValueEvent<Object, Value>`.
  @inlinable
  init<Object, Value>(
    _ function: UInt, with value: Value, to object: UnsafeMutablePointer<Resident<Object>>,
    kind: SentEventKind.Type
  ) {
    unsafe self.init(kind) { words in
      unsafe words.storeBytes(of: UInt(bitPattern: object), as: UInt.self)
      unsafe words.storeBytes(of: function, toByteOffset: wordSize, as: UInt.self)
      unsafe (words + 2 * wordSize).assumingMemoryBound(to: Value.self).initialize(to: value)
    }
  }
}

@usableFromInline
final class ObjectValueEvent<Object, Value>: SentEventKind {
  override class func run(_ words: UnsafeMutableRawPointer) {
    let object = unsafe words.load(as: UnsafeMutableRawPointer.self)
      .assumingMemoryBound(to: Resident<Object>.self)
    let value = unsafe (words + 2 * wordSize).assumingMemoryBound(to: Value.self)
    var closure = unsafe BareClosure(words.load(fromByteOffset: wordSize, as: UInt.self))
    unsafe closure.access {
      let closure = unsafe $0.assumingMemoryBound(to: ObjectValueClosure<Object, Value>.self)
      unsafe call(closure.pointee, on: object.pointee, with: value)
    }
    unsafe value.deinitialize(count: 1)
  }

  override class func drop(_ words: UnsafeMutableRawPointer) {
    unsafe (words + 2 * wordSize).assumingMemoryBound(to: Value.self).deinitialize(count: 1)
  }

  /// Borrows the object, see `ObjectEvent`.
  private static func call(
    _ closure: borrowing ObjectValueClosure<Object, Value>, on object: borrowing Resident<Object>,
    with value: UnsafeMutablePointer<Value>
  ) {
    unsafe closure.run?(object.value, value.pointee)
  }
}

// MARK: - Their parts

@inlinable
var wordSize: Int { MemoryLayout<UInt>.size }

/// Whether a value fits into an event behind other words.
@inlinable
func fits<Value>(_: Value.Type, behind count: Int) -> Bool {
  MemoryLayout<Value>.size <= MemoryLayout<SentEvent.Words>.size - count * wordSize
    && MemoryLayout<Value>.alignment <= MemoryLayout<UInt>.alignment
    // Events are moved bit by bit, which a weak reference of Objective-C may not be.
    && _isBitwiseTakable(Value.self)
}

/// The two words of a closure: the addresses of its function and of its captures, which is 0 if there are none.
///
/// Proof: such a closure has no reference count, so its function may be kept without it, and makes the same closure again. A
/// closure of another layout would write an address into the second word, and is not taken apart.
@usableFromInline
struct BareClosure {
  @usableFromInline var words: (function: UInt, captures: UInt)

  @inlinable
  init(_ function: UInt = 0) { words = (function, 0) }

  /// The function of the closure that `write` puts into the words; nil if it captures something, which `release` releases.
  @inlinable
  static func function(
    _ write: (UnsafeMutableRawPointer) -> Void, release: (UnsafeMutableRawPointer) -> Void
  ) -> UInt? {
    var closure = BareClosure()
    unsafe closure.access(write)
    if closure.words.captures == 0 { return closure.words.function }
    unsafe closure.access(release)
    return nil
  }

  /// Accesses the words as a closure of some type, where nil is 0.
  @inlinable
  mutating func access(_ body: (UnsafeMutableRawPointer) -> Void) {
    unsafe withUnsafeMutablePointer(to: &words) { unsafe body(UnsafeMutableRawPointer($0)) }
  }
}
