/// The scenarios that come with the tool: the files of this folder, built in, so that their names
/// work wherever the tool is.
public enum ShippedScenarios {
  /// In the order in which they are listed: the main one first, then from simple to special.
  public static let all: [ShippedScenario] = [
    ShippedScenario(name: "camera-upload", bytes: PackageResources.camera_upload_yaml),
    ShippedScenario(name: "steady", bytes: PackageResources.steady_yaml),
    ShippedScenario(name: "three-files", bytes: PackageResources.three_files_yaml),
    ShippedScenario(name: "multi-select", bytes: PackageResources.multi_select_yaml),
    ShippedScenario(name: "gallery-scan", bytes: PackageResources.gallery_scan_yaml),
    ShippedScenario(name: "import-folder", bytes: PackageResources.import_folder_yaml),
    ShippedScenario(name: "lock-starvation", bytes: PackageResources.lock_starvation_yaml),
  ]

  /// The scenario called `name`.
  public static func scenario(_ name: String) -> ShippedScenario? { all.first { $0.name == name } }
}
