// swift-tools-version: 6.2
import PackageDescription

/// A package that depends on every library, beside packages and targets of its own with common names.
let package = Package(
  name: "AllLibraries",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(url: "https://git.example.org/framebudget", from: "0.3.0"),
    .package(path: "Others"),
  ],
  targets: [
    .target(name: "Reports"), .target(name: "Statistics"), .target(name: "Terminal"),
    .target(name: "Tool"),
    .executableTarget(
      name: "Client",
      dependencies: [
        "Reports", "Statistics", "Terminal", "Tool",
        .product(name: "Others", package: "Others"),
        .product(name: "SchedulableObjects", package: "framebudget"),
        .product(name: "OrderedDelivery", package: "framebudget"),
        .product(name: "SchedulableOperations", package: "framebudget"),
        .product(name: "SchedulableJobs", package: "framebudget"),
      ]),
  ]
)
