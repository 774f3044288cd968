internal import CLinux

/// SIGINT, SIGTERM and SIGHUP: the first ends a run with what it has measured, the second ends the process.
public enum Interruption {
  /// Begins to note them.
  public static func install() { clinux_note_interruptions() }

  /// The signal that came, if one did.
  public static var signal: Int32? {
    let noted = clinux_noted_interruption()
    return noted == 0 ? nil : noted
  }

  /// Forgets the signal, where it ended only a part of what the command does: the next one is the first again.
  public static func forget() { clinux_forget_interruption() }
}
