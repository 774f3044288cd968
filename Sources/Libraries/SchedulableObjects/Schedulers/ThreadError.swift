// Starting a scheduler throws this error, so it is a part of this library's interface.
@_exported public import enum SchedulableThreads.ThreadError
