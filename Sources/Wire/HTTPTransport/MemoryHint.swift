import CReactor

/// Where something stands that will be needed soon. To ask for it early is to spare a request the wait: with thousands of
/// stubs and a journal of as many events, most of what a request touches is in none of the processor's caches.
///
/// A number and no reference: whoever holds one keeps nothing alive and counts nothing, and what it told of may be gone.
public struct MemoryHint: Sendable {
    private let address: UInt

    /// Of nothing.
    public init() {
        address = 0
    }

    public init(_ object: AnyObject) {
        address = UInt(bitPattern: ObjectIdentifier(object))
    }

    /// Of the elements of an array, as long as it does not change its size.
    public init<Element>(of elements: [Element]) {
        address = elements.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
    }

    init(address: UInt) {
        self.address = address
    }

    /// Begins to bring `byteCount` bytes into the caches, and does not wait for them.
    public func prefetch(byteCount: Int = 64, from offset: Int = 0) {
        cr_prefetch(address &+ UInt(bitPattern: offset), byteCount)
    }
}
