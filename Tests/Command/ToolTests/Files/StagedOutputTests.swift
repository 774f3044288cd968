import CFrameBudgetLinux
import Foundation
import TestSupport
import Testing

@testable import FrameBudgetCLI

/// The messages of a command on a console during `body`.
struct Heard {
  let text: String

  init(_ scratch: Scratch, _ body: (Console) throws -> Void) throws {
    let own = try Scratch()
    let file = own.path("heard")
    var console = Console()
    console.diagnostics = unsafe creat(file, 0o600)
    try body(console)
    close(console.diagnostics)
    text = own.text("heard") ?? ""
  }
}

struct `What a killed run has left` {
  @Test func `is removed and reported by the next command that writes there`() throws {
    let scratch = try Scratch()
    for name in [".a.1.unfinished", ".a.4711.unfinished"] { try scratch.write("half", to: name) }
    let heard = try Heard(scratch) { console in
      try NewFile(scratch.path("a"), on: console).commit()
    }
    #expect(scratch.names() == ["a"])
    #expect(heard.text.contains("removed \(scratch.path(".a.1.unfinished")), a leftover of a"))
    #expect(heard.text.contains("removed \(scratch.path(".a.4711.unfinished"))"))
  }

  @Test func `may be a folder`() throws {
    let scratch = try Scratch()
    let left = scratch.path(".photos.12.unfinished")
    try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: true)
    for number in 1...300 { try scratch.write("", to: ".photos.12.unfinished/photo-\(number)") }
    let heard = try Heard(scratch) { console in
      try NewFolder(scratch.path("photos/"), on: console).commit()
    }
    #expect(scratch.names() == ["photos"])
    #expect(heard.text.contains(".photos.12.unfinished"))
  }

  @Test func `is left alone where a process that lives writes it`() throws {
    let scratch = try Scratch()
    let file = try NewFile(scratch.path("a"))
    try file.write("one")
    let heard = try Heard(scratch) { console in
      StagedOutput.removeLeftovers(of: scratch.path("a"), on: console)
    }
    #expect(heard.text == "")
    try file.commit()
    #expect(scratch.text("a") == "one")
  }

  /// A signal can come between the note and the creation, and right behind that.
  @Test func `is noted before it is there, but for a folder that is missing`() throws {
    let scratch = try Scratch()
    let place = unsafe clinux_unfinished(scratch.path("not-yet"))
    #expect(place >= 0)
    clinux_finished(place)
    #expect(unsafe clinux_unfinished(scratch.path("no-folder/not-yet")) == -1)
  }

  @Test func `is not confused with similar names`() throws {
    let scratch = try Scratch()
    let others = [
      ".a.12", ".a.b.unfinished", ".a..unfinished", ".ab.12.unfinished", "a.12.unfinished",
      ".b.12.unfinished", ".a.12.unfinished.csv",
    ]
    for name in others { try scratch.write("mine", to: name) }
    let heard = try Heard(scratch) { console in
      StagedOutput.removeLeftovers(of: scratch.path("a"), on: console)
    }
    #expect(heard.text == "")
    #expect(scratch.names() == others.sorted())
  }
}

struct `Files of one command` {
  @Test(arguments: [
    ("out/summary.csv", "out/./summary.csv"), ("out/a", "out//a"), ("a", "./a"),
    ("there/a", "there/../there/a"), ("there/a", "link/a"), ("there/new/a", "link/new/a"),
  ])
  func `are recognised as the same however they are spelled`(_ one: String, _ other: String) throws
  {
    let scratch = try Scratch()
    try FileManager.default.createDirectory(
      atPath: scratch.path("there"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: scratch.path("link"), withDestinationPath: "there")
    #expect(FileIdentity("\(scratch.root)/\(one)") == FileIdentity("\(scratch.root)/\(other)"))
    #expect(FileIdentity("\(scratch.root)/\(one)") != FileIdentity("\(scratch.root)/\(other)2"))
  }

  /// A fork inherits all open files, until the child runs its program.
  @Test func `release their lock even if another descriptor keeps them open`() throws {
    let scratch = try Scratch()
    let path = scratch.path("file")
    var place: StagedOutput? = try StagedOutput(beside: path)
    let handedOn = dup(place?.descriptor ?? -1)
    defer { close(handedOn) }
    #expect(place?.rename(to: path) == 0)
    place = nil
    let file = unsafe open(path, O_RDONLY)
    defer { close(file) }
    #expect(clinux_lock(file) == 0)
  }
}
