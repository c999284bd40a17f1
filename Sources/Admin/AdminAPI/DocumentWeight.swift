/// An estimate of the memory that a JSON document needs, made before parsing: a one-byte number becomes a value of 40
/// bytes.
struct DocumentWeight {
    /// The estimate in bytes.
    let bytes: Int
    /// The minimum size of names and values in a session's state, in the state's own measure.
    let content: Int

    /// The maximum estimate for a call's document, in bytes.
    static let most = 384 << 20

    private static let value = 48
    private static let container = 120

    init(_ text: [UInt8]) {
        var values = 0
        var containers = 0
        var members = 0
        var letters = 0
        var isString = false
        var isEscaped = false
        for byte in text {
            if isString {
                letters += 1
                if isEscaped {
                    isEscaped = false
                    letters -= byte == UInt8(ascii: "u") ? 5 : 1
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isString = false
                    letters -= 1
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isString = true
            case UInt8(ascii: ","): values += 1
            case UInt8(ascii: ":"): (values, members) = (values + 1, members + 1)
            case UInt8(ascii: "{"), UInt8(ascii: "["): containers += 1
            default: break
            }
        }
        bytes = text.count + Self.value * values + Self.container * containers
        // Commas that do not separate members separate elements.
        content = letters + 32 * members + 16 * max(values - 2 * members, 0)
    }

    var isTooMuch: Bool { bytes > Self.most }
}
