import Foundation
import TestSupport
import Testing

/// The seeds of Perfetto's format equal the output of an independent encoder for their texts.
struct EncodedSeedTests {
  static let hasEncoder = FileManager.default.isExecutableFile(atPath: "/usr/bin/protoc")

  @Test(
    .enabled(
      if: hasEncoder, "no /usr/bin/protoc (protobuf-compiler): the encoding is not compared"),
    arguments: ["phone", "page", "flutter", "frames"])
  func `the text encodes to the bytes that are committed`(_ seed: String) throws {
    let folder = Project.folder.appending(path: "Tests/Fuzz")
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/protoc")
    process.currentDirectoryURL = folder
    process.arguments = ["--encode=Trace", "recording.proto"]
    process.standardInput = try FileHandle(
      forReadingFrom: folder.appending(component: "\(seed).txtpb"))
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(Array(data) == (try Seeds.bytes("recording-perfetto/\(seed).pftrace")))
  }
}
