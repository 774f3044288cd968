/// The name of this package's module.
public let nameOfSQLite = "SQLite"
