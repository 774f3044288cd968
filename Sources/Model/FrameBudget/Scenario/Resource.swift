/// Something outside the app that serves a limited number of waits at a time: connections, a disk.
public struct Resource: Hashable, Sendable {
  /// The name; unique in a scenario.
  public var name: String
  /// How many waits it serves at a time; further ones wait in the order in which they came.
  public var parallel: Int

  /// - Parameters:
  ///   - name: the name; unique in a scenario.
  ///   - parallel: how many waits it serves at a time.
  public init(name: String, parallel: Int) {
    self.name = name
    self.parallel = parallel
  }
}

/// An index of `Scenario.resources`.
public typealias ResourceIndex = TypedIndex<Resource>
/// A value for each resource of a scenario.
public typealias PerResource<Value> = IndexedArray<Resource, Value>

/// A wait at the end of a step that occupies no thread, no service and no lock. Afterwards, the item continues on the lane of the
/// step, as a new event.
public struct Suspension: Hashable, Sendable {
  /// The length of the wait, without the time until its resource serves it.
  public var span: DurationDistribution
  /// What it waits for; nil if any number of items may wait at a time.
  public var resource: ResourceIndex?

  /// - Parameters:
  ///   - span: the length of the wait.
  ///   - resource: what it waits for, if that is limited.
  public init(_ span: DurationDistribution, on resource: ResourceIndex? = nil) {
    self.span = span
    self.resource = resource
  }
}
