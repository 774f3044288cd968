/// Which jobs are meant.
public enum JobSelection: Hashable, Sendable {
  /// The one job of this id.
  case id(String)
  /// All that have this tag.
  case tag(String)
  /// All of this group.
  case group(String)
  /// Every job of the queue.
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
