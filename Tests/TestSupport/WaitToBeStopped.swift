internal import Foundation

/// For the body of an exit test whose process another thread is to stop: returns after a minute, with which the test
/// fails, where waiting for ever would hang the whole run.
package func waitToBeStopped() { Thread.sleep(forTimeInterval: 60) }
