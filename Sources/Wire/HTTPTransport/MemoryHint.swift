import SDCReactor

/// The address of memory that will be needed soon. Loading it early saves a request the wait: with thousands of stubs
/// and as many events in the journal, most of the memory that a request needs is in none of the processor's caches.
///
/// It is a number rather than a reference: it keeps nothing alive and counts nothing, and the memory may have been
/// freed.
public struct MemoryHint: Sendable {
    private let address: UInt

    /// Makes an empty hint.
    public init() {
        address = 0
    }

    public init(_ object: AnyObject) {
        address = UInt(bitPattern: ObjectIdentifier(object))
    }

    /// Makes a hint for the elements of an array, valid while the array's size does not change.
    public init<Element>(of elements: [Element]) {
        address = elements.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
    }

    init(address: UInt) {
        self.address = address
    }

    /// Starts loading `byteCount` bytes into the caches without waiting for them.
    public func prefetch(byteCount: Int = 64, from offset: Int = 0) {
        cr_prefetch(address &+ UInt(bitPattern: offset), byteCount)
    }
}
