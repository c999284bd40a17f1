/// Percent-encoding: `%20` for a space (RFC 3986, section 2.1). Hexadecimal digits may have either case; bytes outside
/// of an escape stay unchanged.
public enum PercentEncoding {
    /// The text with its escapes decoded; nil if one is invalid: a `%` without two hexadecimal digits after it.
    /// - Parameter plusIsBlank: whether `+` means a space, as in queries and forms.
    public static func decode(_ text: ArraySlice<UInt8>, plusIsBlank: Bool = false) -> [UInt8]? {
        decode(text, plusIsBlank: plusIsBlank, keepsBroken: false)
    }

    /// The text with its escapes decoded. Invalid escapes stay unchanged.
    public static func decodeLeniently(_ text: ArraySlice<UInt8>) -> [UInt8] {
        decode(text, plusIsBlank: false, keepsBroken: true) ?? []
    }

    /// The common implementation. The result is never nil with `keepsBroken`.
    private static func decode(_ text: ArraySlice<UInt8>, plusIsBlank: Bool, keepsBroken: Bool) -> [UInt8]? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(text.count)
        let bytes = text.span
        var next = 0
        while next < bytes.count {
            let byte = bytes[next]
            next += 1
            switch byte {
            case UInt8(ascii: "+") where plusIsBlank: decoded.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                if next + 1 < bytes.count, let high = hexadecimalValue(bytes[next]),
                    let low = hexadecimalValue(bytes[next + 1])
                {
                    decoded.append(high << 4 | low)
                    next += 2
                } else if keepsBroken {
                    decoded.append(byte)
                } else {
                    return nil
                }
            default: decoded.append(byte)
            }
        }
        return decoded
    }

    /// The value of a hexadecimal digit, 0 to 15; nil for any other byte.
    public static func hexadecimalValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
