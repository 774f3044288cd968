/// The name of the client's own module.
public let nameOfReports = "Reports"
