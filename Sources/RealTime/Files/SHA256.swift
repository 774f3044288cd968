internal import CLibcrypto

/// The SHA-256 of bytes that come in blocks, as OpenSSL works it out.
@safe
struct SHA256: ~Copyable {
  private let context: OpaquePointer

  init() {
    guard let context = unsafe EVP_MD_CTX_new(),
      unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1
    else { preconditionFailure("OpenSSL has SHA-256, and memory for it") }
    unsafe self.context = context
  }

  deinit { unsafe EVP_MD_CTX_free(context) }

  func update(_ block: UnsafeRawBufferPointer) {
    let outcome = unsafe EVP_DigestUpdate(context, block.baseAddress, block.count)
    precondition(outcome == 1, "OpenSSL takes every block")
  }

  consuming func digest() -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    let outcome = unsafe EVP_DigestFinal_ex(context, &digest, nil)
    precondition(outcome == 1, "OpenSSL ends what it began")
    return digest
  }

  static func digest(of path: String) throws(FileProblem) -> [UInt8] {
    let hash = SHA256()
    try unsafe FileReading.read(path) { block in unsafe hash.update(block) }
    return hash.digest()
  }
}
