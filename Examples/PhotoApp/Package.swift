// swift-tools-version: 6.2
import PackageDescription

/// An app that imports photos, in four arrangements from the main thread to a thread of low priority, each with its test.
let package = Package(
  name: "PhotoApp",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(url: "https://git.example.org/framebudget", from: "0.3.0", traits: [])
  ],
  targets: [
    .target(
      name: "PhotoApp",
      dependencies: [.product(name: "SchedulableObjects", package: "framebudget")]),
    .testTarget(
      name: "PhotoAppTests",
      dependencies: [
        "PhotoApp",
        .product(name: "SchedulableObjects", package: "framebudget"),
        .product(name: "FrameBudgetTesting", package: "framebudget"),
      ]),
    // The first step as a program of its own, which records itself.
    .executableTarget(
      name: "PhotoAppRecording",
      dependencies: [
        "PhotoApp",
        .product(name: "FrameRecording", package: "framebudget"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
