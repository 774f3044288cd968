// swift-tools-version: 6.2
import PackageDescription

/// A package that depends on every library.
let package = Package(
  name: "AllLibraries",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(url: "https://git.example.org/framebudget", from: "0.3.0")
  ],
  targets: [
    .executableTarget(
      name: "Client",
      dependencies: [
        .product(name: "SchedulableObjects", package: "framebudget"),
        .product(name: "OrderedDelivery", package: "framebudget"),
        .product(name: "SchedulableOperations", package: "framebudget"),
        .product(name: "SchedulableJobs", package: "framebudget"),
        .product(name: "FrameBudget", package: "framebudget"),
      ])
  ]
)
