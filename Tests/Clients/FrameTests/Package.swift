// swift-tools-version: 6.2
import PackageDescription

/// A package that measures its own code in its tests.
let package = Package(
  name: "FrameTests",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(url: "https://git.example.org/framebudget", from: "0.3.0", traits: [])
  ],
  targets: [
    .executableTarget(
      name: "Client",
      dependencies: [
        .product(name: "SchedulableObjects", package: "framebudget")
      ]),
    .testTarget(
      name: "ClientTests",
      dependencies: [
        "Client",
        .product(name: "FrameBudgetTesting", package: "framebudget"),
        .product(name: "SchedulableObjects", package: "framebudget"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
