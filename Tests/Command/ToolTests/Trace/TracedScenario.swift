/// A second with hitches, locks that two threads want, and posts from lane to lane, for both engines.
enum TracedScenario {
  static let text = """
    scenario: traced
    display: {refresh: 60 Hz, render: 5 ms}
    duration: 1 s
    seed: 7
    services: {files: {}, catalogue: {state: 200 records}}
    workloads:
      - name: add-file
        arrival: {batch: 20, every: 400 ms, start: 100 ms}
        steps:
          - {name: stat, service: files, cpu: 0.5 ms}
          - {name: insert, service: catalogue, cpu: 1 ms}
        result: {cpu: 10 us}
      - name: tap
        arrival: {every: 90 ms}
        priority: user
        steps: [{service: catalogue, cpu: 0.4 ms}]
        respond_within: 100 ms
    ui: {reads: [{service: catalogue, cpu: 200 us}]}
    strategies:
      - main-thread
      - time-sliced
      - threads-and-locks
      - threads-and-locks: {locking: coarse, lock: fair}
      - schedulable
      - as: two-lanes
        lanes: {files: {carrier: scheduler}, data: {carrier: thread}}
        services: {files: files, catalogue: data}
        reads: snapshot

    """
}
