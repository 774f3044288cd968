internal import FrameBudget

/// A value for each thread, core, lock and so on of a run, in memory of its own.
///
/// It is never copied, so that a change needs no check for other owners of the memory. An array makes that check before each
/// change, and the engine changes its tables several times in each operation.
///
/// Safety: `base` points to `count` initialised elements from `init` to `deinit`. The table is the only owner of that memory,
/// because it is not copyable and `base` is private, so the rule of exclusive access to the table protects its elements too. The
/// subscript is the only access, and checks its index.
@safe
struct OwnedTable<Kind, Element>: ~Copyable {
  private let base: UnsafeMutablePointer<Element>
  let count: Int

  /// Creates a table of the elements, in their order.
  init(_ elements: some Sequence<Element>) {
    let elements = ContiguousArray(elements)
    count = elements.count
    unsafe base = .allocate(capacity: count)
    for index in elements.indices { unsafe (base + index).initialize(to: elements[index]) }
  }

  deinit {
    unsafe base.deinitialize(count: count)
    unsafe base.deallocate()
  }

  @inline(__always)
  var indices: Range<TypedIndex<Kind>> { TypedIndex(0)..<endIndex }

  @inline(__always)
  var endIndex: TypedIndex<Kind> { TypedIndex(count) }

  /// Accesses the element in place.
  @inline(__always)
  subscript(index: TypedIndex<Kind>) -> Element {
    @_transparent unsafeAddress {
      precondition(index.position < count, "an index of the table")
      return unsafe UnsafePointer(base + index.position)
    }
    @_transparent unsafeMutableAddress {
      precondition(index.position < count, "an index of the table")
      return unsafe base + index.position
    }
  }
}

extension OwnedTable {
  /// Transforms each element.
  func map<Other>(_ other: (Element) -> Other) -> [Other] { indices.map { other(self[$0]) } }
}

/// A value for each thread of a run.
typealias ThreadTable<Value> = OwnedTable<Arrangement.Thread, Value>
