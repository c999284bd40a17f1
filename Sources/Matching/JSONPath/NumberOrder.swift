import SDJSON
import SDPlatform

extension JSONNumber {
    enum Order: Sendable, Hashable {
        case less, equal, greater
    }

    /// Compares by value: whole numbers exactly, whatever their length, and others as doubles.
    func compared(to other: JSONNumber) -> Order {
        if let left = Int(text), let right = Int(other.text) {
            return left < right ? .less : left == right ? .equal : .greater
        }
        if isWhole, other.isWhole { return wholeOrder(other) }
        let left = doubleValue
        let right = other.doubleValue
        return left < right ? .less : left == right ? .equal : .greater
    }

    private var isWhole: Bool {
        text.utf8.allSatisfy { $0 == UInt8(ascii: "-") || ($0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9")) }
    }

    private func wholeOrder(_ other: JSONNumber) -> Order {
        let isNegative = text.utf8.first == UInt8(ascii: "-")
        guard isNegative == (other.text.utf8.first == UInt8(ascii: "-")) else { return isNegative ? .less : .greater }
        let left = text.utf8.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "0") }
        let right = other.text.utf8.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "0") }
        if left.elementsEqual(right) { return .equal }
        let isSmaller = left.count == right.count ? left.lexicographicallyPrecedes(right) : left.count < right.count
        return isSmaller != isNegative ? .less : .greater
    }
}

extension String {
    /// Whether the bytes of `other` occur in this text, in linear time.
    func containsBytes(of other: String) -> Bool {
        guard !other.isEmpty else { return true }
        guard other.utf8.count <= utf8.count else { return false }
        var search = ByteSearch(for: other.utf8)
        for byte in utf8 where search.ends(with: byte) { return true }
        return false
    }
}
