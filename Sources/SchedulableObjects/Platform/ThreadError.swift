// The error that starting a scheduler throws belongs to the threads, and to this library's interface.
@_exported public import enum Concurrency.ThreadError
