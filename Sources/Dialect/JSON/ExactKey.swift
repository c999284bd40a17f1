/// A member's name as a dictionary key that compares by code points.
public struct ExactKey: Hashable, Sendable {
    /// The name.
    public let text: String

    /// Makes a key of a member's name.
    @inlinable
    public init(_ text: String) {
        self.text = text
    }

    @inlinable
    public static func == (left: ExactKey, right: ExactKey) -> Bool {
        left.text.hasSameCodePoints(as: right.text)
    }
}

extension String {
    /// Compares by code points, as JSON and HTTP do. Swift's `==` treats composed and decomposed accents as equal.
    @inlinable
    public func hasSameCodePoints(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        // Contiguous bytes compare several times as fast.
        let isSame = utf8.withContiguousStorageIfAvailable { left in
            other.utf8.withContiguousStorageIfAvailable { right in left.elementsEqual(right) }
        }
        return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
    }
}
