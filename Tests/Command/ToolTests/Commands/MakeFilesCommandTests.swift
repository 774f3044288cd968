import Foundation
import TestSupport
import Testing

@testable import FrameBudgetCLI

@Suite struct `framebudget make-files` {
  @Test func `makes the same files each time, none like another`() throws {
    let scratch = try Scratch()
    for folder in ["a", "b"] {
      let made = try Performed(
        "make-files", scratch.path(folder), "--count", "3", "--size", "1001 B")
      #expect(made.status == .success)
      #expect(made.output == "" && made.diagnostics == "")
    }
    let names = ["photo-000001.jpeg", "photo-000002.jpeg", "photo-000003.jpeg"]
    #expect(scratch.names(in: "a") == names && scratch.names(in: "b") == names)
    let files = try names.map { try Data(contentsOf: URL(filePath: scratch.path("a/\($0)"))) }
    #expect(files.allSatisfy { $0.count == 1001 })
    #expect(Set(files).count == 3)
    #expect(try Data(contentsOf: URL(filePath: scratch.path("b/\(names[0])"))) == files[0])
    #expect(scratch.names() == ["a", "b"])
  }

  @Test func `leaves what is there alone`() throws {
    let scratch = try Scratch()
    try scratch.write("mine", to: "photos")
    let made = try Performed("make-files", scratch.path("photos"))
    #expect(made.status == .cannotCreate)
    #expect(made.diagnostics.contains("exists already"))
    #expect(scratch.names() == ["photos"] && scratch.text("photos") == "mine")
  }

  @Test func `says where it cannot make a folder`() throws {
    let made = try Performed("make-files", "\(Scratch.nowhere)/photos")
    #expect(made.status == .cannotCreate)
    #expect(made.diagnostics.contains("cannot create \(Scratch.nowhere)/photos: No such file"))
  }

  @Test(arguments: [
    ["--count", "0"], ["--count", "100001"], ["--size", "1 parsec"], ["--size", "1 GB"],
  ])
  func `refuses what is too much, or no number`(_ flags: [String]) throws {
    let scratch = try Scratch()
    let made = try Performed(["make-files", scratch.path("photos")] + flags)
    #expect(made.status == .usage)
    #expect(scratch.names() == [])
  }
}
