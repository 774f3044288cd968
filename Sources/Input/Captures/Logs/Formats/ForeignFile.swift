import FrameBudgetParsing

/// Files that people take for recordings of frames, with what to do instead.
enum ForeignFile {
  static let lighthouse = InputError(
    "is a report of Lighthouse, which has no frames; 'framebudget record chrome PAGE -o DIR' records a page"
  )
}
