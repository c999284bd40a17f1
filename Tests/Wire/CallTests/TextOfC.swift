extension [CChar] {
    /// The text before the first NUL.
    var upToNUL: String { String(decoding: prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) }
}
