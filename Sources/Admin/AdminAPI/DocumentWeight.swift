/// An estimate of the memory that a JSON document takes once it is read, made before it is read: a number of one byte
/// becomes a value of forty.
struct DocumentWeight {
    /// The estimate in bytes.
    let bytes: Int

    /// The most bytes that a document of a call may take.
    static let most = 384 << 20

    private static let value = 48
    private static let container = 120

    init(_ text: [UInt8]) {
        var values = 0
        var containers = 0
        var isString = false
        var isEscaped = false
        for byte in text {
            if isString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isString = true
            case UInt8(ascii: ","), UInt8(ascii: ":"): values += 1
            case UInt8(ascii: "{"), UInt8(ascii: "["): containers += 1
            default: break
            }
        }
        bytes = text.count + Self.value * values + Self.container * containers
    }

    var isTooMuch: Bool { bytes > Self.most }
}
