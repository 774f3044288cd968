#if !(Tool || NIO)
  #error("pass --traits NIO for framebudget (make does), or --target NAME for a library")
#endif

// What the command needs of other packages waits for this module, so that whoever builds it without
// its traits reads one line.
