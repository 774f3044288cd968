/// Declarations of Apple's Darwin that the libraries use, and that Linux's Glibc lacks or has in another form.
///
/// `scripts/portable` compiles the code of the libraries for other systems against this. It is never run.
@_exported public import Glibc

public struct _opaque_pthread_t {}
public typealias pthread_t = UnsafeMutablePointer<_opaque_pthread_t>
public typealias pthread_key_t = UInt
public typealias mach_port_t = UInt32

public func pthread_self() -> pthread_t { absent() }
public func pthread_main_np() -> Int32 { absent() }
public func pthread_mach_thread_np(_ thread: pthread_t) -> mach_port_t { absent() }
@discardableResult
public func pthread_setname_np(_ name: UnsafePointer<CChar>) -> Int32 { absent() }
public func pthread_create(
  _ thread: UnsafeMutablePointer<pthread_t?>, _ attributes: UnsafePointer<pthread_attr_t>?,
  _ main: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?,
  _ argument: UnsafeMutableRawPointer?
) -> Int32 { absent() }
@discardableResult
public func pthread_join(
  _ thread: pthread_t, _ value: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> Int32 { absent() }
@discardableResult
public func pthread_detach(_ thread: pthread_t) -> Int32 { absent() }

public func pthread_key_create(
  _ key: UnsafeMutablePointer<pthread_key_t>,
  _ destructor: (@convention(c) (UnsafeMutableRawPointer) -> Void)?
) -> Int32 { absent() }
public func pthread_getspecific(_ key: pthread_key_t) -> UnsafeMutableRawPointer? { absent() }
@discardableResult
public func pthread_setspecific(_ key: pthread_key_t, _ value: UnsafeRawPointer?) -> Int32 {
  absent()
}

public func clock_gettime_nsec_np(_ clock: clockid_t) -> UInt64 { absent() }

private func absent() -> Never { fatalError("only to be checked against") }

public struct qos_class_t: Sendable {}
public let QOS_CLASS_USER_INITIATED = qos_class_t()
public let QOS_CLASS_DEFAULT = qos_class_t()
public let QOS_CLASS_UTILITY = qos_class_t()
public let QOS_CLASS_BACKGROUND = qos_class_t()
public func pthread_set_qos_class_self_np(_ qos: qos_class_t, _ relative: Int32) -> Int32 {
  absent()
}
public func flock(_ file: Int32, _ operation: Int32) -> Int32 { absent() }
