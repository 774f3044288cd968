/// Where the memory of nodes comes from.
enum NodePool {
  static func take() -> UnsafeMutablePointer<EventNode.Content> {
    .allocate(capacity: 1)
  }

  static func giveBack(_ node: UnsafeMutablePointer<EventNode.Content>) {
    unsafe node.deallocate()
  }
}
