// swift-tools-version: 6.2
import PackageDescription

/// A package that depends on one library.
let package = Package(
  name: "OneLibrary",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(url: "https://git.example.org/framebudget", from: "0.3.0", traits: [])
  ],
  targets: [
    .executableTarget(
      name: "Client",
      dependencies: [
        .product(name: "SchedulableObjects", package: "framebudget")
      ])
  ]
)
