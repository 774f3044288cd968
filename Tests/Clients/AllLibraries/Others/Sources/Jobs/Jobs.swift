/// The name of this package's module.
public let nameOfJobs = "Jobs"
