/// Which jobs are meant.
public enum JobSelection: Hashable, Sendable {
  case id(String)
  case tag(String)
  case group(String)
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
