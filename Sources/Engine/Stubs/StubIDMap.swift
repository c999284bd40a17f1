package import SDStubModel

/// Values by stub id. Ids are hashed as two numbers, which takes a fraction of the time.
package struct StubIDMap<Value: Sendable>: Sendable {
    private struct Bits: Hashable, Sendable {
        private let high, low: UInt64

        init(_ id: StubMapping.ID) {
            (high, low) = withUnsafeBytes(of: id) {
                ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            }
        }
    }

    private var entries: [Bits: Value] = [:]

    package var isEmpty: Bool { entries.isEmpty }

    package var count: Int { entries.count }

    package var values: some Collection<Value> { entries.values }

    package subscript(id: StubMapping.ID) -> Value? {
        get { entries[Bits(id)] }
        set { entries[Bits(id)] = newValue }
    }

    /// Adds a value. Returns false if it replaces another.
    package mutating func insert(_ value: Value, for id: StubMapping.ID) -> Bool {
        entries.updateValue(value, forKey: Bits(id)) == nil
    }

    package mutating func reserveCapacity(_ count: Int) {
        entries.reserveCapacity(count)
    }
}
