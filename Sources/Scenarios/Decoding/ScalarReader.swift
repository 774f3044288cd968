import FrameBudget

/// Turns a single value's text into what it stands for.
struct ScalarReader<Value> {
  /// What is allowed, in words that fit after `allowed is `.
  let allowed: String
  let read: (String) throws(Quantity.Failure) -> Value

  init(_ allowed: String, read: @escaping (String) throws(Quantity.Failure) -> Value) {
    self.allowed = allowed
    self.read = read
  }

  /// The value of `node`; what is wrong with it is recorded.
  func value(of node: SourceNode, _ faults: Faults) -> Value? {
    guard let text = node.text else {
      faults.record("this is \(node.kind); allowed is \(allowed)", at: node.origin)
      return nil
    }
    do throws(Quantity.Failure) {
      return try read(text)
    } catch {
      faults.record("\(text.quoted) \(error.reason)", at: node.origin)
      return nil
    }
  }

  /// The same, and `failure` for what `isAllowed` says no to.
  func checked(
    _ failure: String, _ isAllowed: @escaping (Value) -> Bool
  ) -> ScalarReader {
    ScalarReader(allowed) { text throws(Quantity.Failure) in
      let value = try read(text)
      guard isAllowed(value) else { throw Quantity.Failure(failure) }
      return value
    }
  }
}
