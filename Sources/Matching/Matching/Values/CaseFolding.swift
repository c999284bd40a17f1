import SDPlatform

/// Comparison without case, character by character like Java's `equalsIgnoreCase`: without a locale, and without
/// expansions (`ß` is not `SS`).
enum CaseFolding {
    static func equals(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Bool {
        if equalsASCII(left.span, right.span) { return true }
        if left.isASCII, right.isASCII { return false }
        let table = table
        let (left, right) = (String(decoding: left, as: UTF8.self), String(decoding: right, as: UTF8.self))
        return left.unicodeScalars.elementsEqual(right.unicodeScalars) { $0 == $1 || table[$0] == table[$1] }
    }

    /// Whether texts differ only in the case of ASCII letters.
    private static func equalsASCII(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
        guard left.count == right.count else { return false }
        for index in left.indices where !equalsASCII(left[index], right[index]) { return false }
        return true
    }

    private static func equalsASCII(_ left: UInt8, _ right: UInt8) -> Bool {
        left == right || (left ^ right == 0x20 && (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(left | 0x20))
    }

    private static let table = FoldingTable()
}

extension RequestViews {
    /// `CaseFolding.equals`, at the budget's expense; false if the budget does not suffice.
    mutating func equalsIgnoringCase(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Bool {
        tryReserve(3, forTextOf: left.count + right.count) && CaseFolding.equals(left, right)
    }
}

/// The folding of Unicode scalars.
private struct FoldingTable {
    /// For each 256 scalars, the index in `distances` of their page.
    private var pages: [Int] = []
    /// The distances from scalars to their foldings. The first page is for scalars that fold to themselves.
    private var distances = [UInt32](repeating: 0, count: Self.pageSize)

    private static let pageSize = 256
    /// Scalars from here on have no case.
    private static let end: UInt32 = 0x1F000

    init() {
        for start in stride(from: 0, to: Self.end, by: Self.pageSize) {
            let page = (start..<start + UInt32(Self.pageSize)).map { Self.fold($0) &- $0 }
            if page.allSatisfy({ $0 == 0 }) {
                pages.append(0)
            } else {
                pages.append(distances.count)
                distances += page
            }
        }
    }

    subscript(scalar: Unicode.Scalar) -> UInt32 {
        guard scalar.value < Self.end else { return scalar.value }
        let (page, place) = Int(scalar.value).quotientAndRemainder(dividingBy: Self.pageSize)
        return scalar.value &+ distances[pages[page] + place]
    }

    /// Folds to upper case, then to lower case, because some letters are equal only in one of them.
    private static func fold(_ value: UInt32) -> UInt32 {
        guard let scalar = Unicode.Scalar(value), scalar.properties.changesWhenCaseMapped else { return value }
        let upper = single(scalar.properties.uppercaseMapping) ?? scalar
        return (single(upper.properties.lowercaseMapping) ?? upper).value
    }

    private static func single(_ mapping: String) -> Unicode.Scalar? {
        mapping.unicodeScalars.count == 1 ? mapping.unicodeScalars.first : nil
    }
}
