import SDStubModel

/// The faults that acted, by kind, stub and path, in a bounded memory.
public struct FaultTally: Sendable {
    private var entries: [Key: Entry] = [:]
    /// The number of those for whose kinds there was no room.
    private var rest = 0

    /// The most kinds with a path, beyond which their paths are not told apart, and the most of all.
    private static let mostPaths = 100
    private static let most = 200
    /// The longest part of a path that is kept, in bytes.
    private static let longestPath = 300

    private struct Key: Hashable {
        let fault: String
        let source: String?
        let stub: StubReference?
        let test: Report.Test?
        var path: [UInt8]?
    }

    private struct Entry {
        /// The place in the order of the first.
        let number: Int
        var fault: Report.ActedFault
    }

    public init() {}

    /// Adds a fault as often as it says.
    /// - Parameter path: that of the request; nil for what has none, or where it does not matter.
    public mutating func add(_ fault: Report.ActedFault, path: [UInt8]? = nil) {
        var key = Key(
            fault: fault.fault, source: fault.source, stub: fault.stub, test: fault.test,
            path: path.map { Array($0.prefix(Self.longestPath)) })
        if entries[key] == nil, entries.count >= Self.mostPaths { key.path = nil }
        if entries[key] != nil {
            entries[key]?.fault.count += fault.count
        } else if entries.count < Self.most {
            entries[key] = Entry(number: entries.count, fault: fault)
        } else {
            rest += fault.count
        }
    }

    public mutating func add(_ other: FaultTally, of test: Report.Test?) {
        for (key, entry) in other.entries.sorted(by: { $0.value.number < $1.value.number }) {
            var fault = entry.fault
            fault.test = fault.test ?? test
            add(fault, path: key.path)
        }
        rest += other.rest
    }

    /// The faults by kind and stub, in the order of the first of each, and how often any acted.
    /// - Parameter isIgnored: whether requests for a path do not count.
    public func findings(ignoring isIgnored: ([UInt8]) -> Bool) -> (faults: [Report.ActedFault], count: Int) {
        var all = FaultTally()
        for (key, entry) in entries.sorted(by: { $0.value.number < $1.value.number })
        where !(key.path.map(isIgnored) ?? false) { all.add(entry.fault) }
        let faults = all.entries.values.sorted { $0.number < $1.number }.map(\.fault)
        return (faults, faults.reduce(all.rest + rest) { $0 + $1.count })
    }
}
