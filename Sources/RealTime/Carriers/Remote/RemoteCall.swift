/// A call as it crosses a border that closures cannot: whom it is for, what with, and where the answer goes.
///
/// The event itself stays behind, under the number of its callback. The argument is of the size and kind that such
/// calls have in an app: a photo's record, 250 bytes as JSON.
struct RemoteCall: Codable {
  let module: String
  let method: String
  let argument: Record
  let callback: Int

  init(module: String, callback: Int) {
    self.module = module
    method = "perform"
    argument = Record(id: callback)
    self.callback = callback
  }
}

/// What comes back once a call has been carried out.
struct RemoteAnswer: Codable {
  let callback: Int
  /// What the other side makes of the call's argument.
  let result: String

  init(to call: RemoteCall) {
    callback = call.callback
    result = call.argument.checksum
  }
}
