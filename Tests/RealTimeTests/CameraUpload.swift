import FrameBudget

/// The reference scenario, built without its file: 2500 photos at once, and taps.
enum CameraUpload {
  static func scenario(
    files: Int = 2500, duration: TimeSpan = .seconds(10), start: TimeSpan = .seconds(1)
  ) -> Scenario {
    let steps = [(300, 0), (1200, 1), (800, 2), (300, 3)].map { cost, service in
      Step(
        name: "step-\(service)", service: service,
        load: .cpu(.constant(.microseconds(Int64(cost)))))
    }
    let tap = Step(name: "tap", service: 2, load: .cpu(.constant(.microseconds(100))))
    return Scenario(
      name: "camera-upload",
      display: Display(refresh: RefreshRate(60), render: .constant(.milliseconds(10))),
      duration: duration, warmup: .milliseconds(100), seed: 42,
      services: [
        Service(name: "gallery"), Service(name: "hasher"),
        Service(name: "catalogue", records: 20000), Service(name: "uploader"),
      ],
      workloads: [
        Workload(
          name: "add-file", arrival: .once(files, start: start), steps: steps,
          result: .constant(.microseconds(1))),
        Workload(
          name: "tap", arrival: .batch(1, every: .seconds(1), start: start + .milliseconds(500)),
          steps: [tap], priority: .user, respondWithin: .milliseconds(100)),
      ],
      reads: [UIRead(service: 2, cpu: .constant(.microseconds(20)))])
  }
}
