// swift-tools-version: 6.2
import PackageDescription

/// An app of five services, which runs under any arrangement of them.
let package = Package(
  name: "NotesApp",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(url: "https://git.example.org/framebudget", from: "0.3.0", traits: [])
  ],
  targets: [
    .executableTarget(
      name: "NotesApp",
      dependencies: [
        .product(name: "SchedulableObjects", package: "framebudget"),
        .product(name: "FrameRecording", package: "framebudget"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
