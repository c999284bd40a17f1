import SDBytes

/// Comparison without case, character by character like Java's `equalsIgnoreCase`: without a locale, and without
/// expansions (`ß` is not `SS`).
enum CaseFolding {
    static func equals(_ actual: ArraySlice<UInt8>, _ expected: String) -> Bool {
        let other = expected.utf8
        if actual.count == other.count, zip(actual, other).allSatisfy({ equalsASCII($0, $1) }) { return true }
        if actual.isASCII, other.allSatisfy({ $0 < 0x80 }) { return false }
        return String(decoding: actual, as: UTF8.self).unicodeScalars.elementsEqual(expected.unicodeScalars) {
            $0 == $1 || fold($0) == fold($1)
        }
    }

    private static func equalsASCII(_ left: UInt8, _ right: UInt8) -> Bool {
        left == right || (left ^ right == 0x20 && (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(left | 0x20))
    }

    /// Folds to upper case, then to lower case, because some letters agree in only one of them.
    private static func fold(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        let upper = single(scalar.properties.uppercaseMapping) ?? scalar
        return single(upper.properties.lowercaseMapping) ?? upper
    }

    private static func single(_ mapping: String) -> Unicode.Scalar? {
        mapping.unicodeScalars.count == 1 ? mapping.unicodeScalars.first : nil
    }
}
