/// A selection of jobs.
public enum JobSelection: Hashable, Sendable {
  /// The job with this id.
  case id(String)
  /// All jobs with this tag.
  case tag(String)
  /// All jobs of this group.
  case group(String)
  /// All jobs of the queue.
  case all

  func includes(_ job: Job) -> Bool {
    switch self {
    case .id(let id): job.id == id
    case .tag(let tag): job.tags.contains(tag)
    case .group(let group): job.group == group
    case .all: true
    }
  }
}
