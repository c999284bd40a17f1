/// An estimate of the memory that a JSON document takes once it is read, made before it is read: a number of one byte
/// becomes a value of forty.
struct DocumentWeight {
    /// The estimate in bytes.
    let bytes: Int
    /// The least that names and values take in a session's state, in its own measure.
    let content: Int

    /// The most bytes that a document of a call may take.
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
        // A comma that parts no members parts elements.
        content = letters + 32 * members + 16 * max(values - 2 * members, 0)
    }

    var isTooMuch: Bool { bytes > Self.most }
}
