public import SDJSON
package import SDPlatform
import Synchronization

/// The values that a session's stubs store for later requests: WireMock's state extension, with its terms. A context is
/// a name with properties and a list of records.
///
/// Changed only under the session's lock, so that changes and requests have one order; read without it.
package final class StateStore: Sendable {
    private let contents: Mutex<StateContents>
    /// The name of the context that is used if none is named.
    package static let defaultContext = "session"

    /// - Parameter memory: counts the contents.
    package init(limits: StateLimits, _ memory: MemoryLedger) {
        contents = Mutex(StateContents(limits: limits, memory))
    }

    /// The context of that name; nil if there is none.
    package subscript(name: String) -> StoredContext? { contents.withLock { $0[name] } }

    /// All contexts, in order of creation.
    package var all: [(name: String, context: StoredContext)] { contents.withLock { $0.all } }

    /// Called under the session's lock.
    /// - Throws: what `change` throws.
    package func change<Result: Sendable>(
        _ change: (inout StateContents) throws(StateProblem) -> Result
    ) throws(StateProblem) -> Result {
        try contents.withLock { contents throws(StateProblem) in try change(&contents) }
    }

    /// Removes all contexts. Called under the session's lock.
    package func removeAll() {
        contents.withLock { $0.removeAll() }
    }

    // MARK: Replication

    /// Starts to track changed contexts.
    package func noteChanges() { contents.withLock { $0.noted = [] } }

    /// The contexts changed since the last call, in their current state, with their positions.
    package func takeChanges() -> [(name: String, context: PlacedContext?)] {
        contents.withLock { contents in
            guard let noted = contents.noted, !noted.isEmpty else { return [] }
            contents.noted = []
            return noted.sorted().map { ($0, contents.placed($0)) }
        }
    }

    /// All contexts with their positions.
    package var allPlaced: [(name: String, context: PlacedContext?)] {
        contents.withLock { contents in contents.all.map { ($0.name, contents.placed($0.name)) } }
    }

    /// Applies contexts of another replica; nil for a removed one. That replica has checked the limits.
    package func takeOver(_ changes: [(name: String, context: PlacedContext?)]) {
        contents.withLock { contents in
            for (name, context) in changes { contents.takeOver(name, context) }
        }
    }
}

/// A context with its number in the order of creation.
package struct PlacedContext: Sendable {
    package var context: StoredContext
    package var number: Int

    package init(_ context: StoredContext, number: Int) {
        self.context = context
        self.number = number
    }
}

/// The limits of a session's state.
public struct StateLimits: Sendable, Equatable {
    /// The largest number of contexts, properties and records together: `--max-state-entries`.
    public var entries = 10_000
    /// The largest number of bytes of all names and values: `--max-state-size`.
    public var bytes = 16 << 20

    public init() {}
}

/// The reason why a state was not changed.
public struct StateProblem: Error, Sendable, Equatable {
    public let message: String

    public init(_ message: String) {
        self.message = message
    }

    public static func tooLarge(_ limits: StateLimits) -> StateProblem {
        StateProblem("the session's state has no room: it may take \(limits.bytes) bytes (--max-state-size)")
    }
}

/// One context of a session's state.
public struct StoredContext: Sendable, Equatable {
    /// The number of requests and calls that changed it.
    public internal(set) var updateCount = 0
    public internal(set) var properties = JSONObject()
    /// Records, each an object of names and values.
    public internal(set) var list: [JSONObject] = []

    public init(updateCount: Int = 0, properties: JSONObject = JSONObject(), list: [JSONObject] = []) {
        (self.updateCount, self.properties, self.list) = (updateCount, properties, list)
    }
}

/// The contexts of a session by name, within limits.
package struct StateContents: Sendable {
    private let limits: StateLimits
    private let charge: MemoryCharge
    private var contexts: [String: Entry] = [:]
    private var made = 0
    private var entryCount = 0
    private var byteCount = 0
    /// The names of changed contexts; nil if they are not tracked.
    fileprivate var noted: Set<String>?

    private struct Entry: Sendable {
        var context: StoredContext
        /// The number in the order of creation.
        let number: Int
        var size: Size
    }

    private struct Size: Sendable {
        var entries = 0
        var bytes = 0

        init() {}

        init(_ name: String, _ context: borrowing StoredContext) {
            entries = 1 + context.properties.count + context.list.count
            bytes = 64 + name.utf8.count + Self.bytes(context.properties)
            for record in context.list { bytes += 32 + Self.bytes(record) }
        }

        private static func bytes(_ object: JSONObject) -> Int {
            object.members.reduce(0) { $0 + 32 + $1.key.utf8.count + bytes($1.value) }
        }

        private static func bytes(_ value: JSONValue) -> Int {
            switch value {
            case .string(let text): text.utf8.count
            case .number(let number): number.text.utf8.count
            case .array(let elements): elements.reduce(0) { $0 + 16 + bytes($1) }
            case .object(let object): bytes(object)
            case .null, .bool: 8
            }
        }
    }

    package init(limits: StateLimits, _ memory: MemoryLedger) {
        self.limits = limits
        charge = MemoryCharge(0, to: memory.account(.state))
    }

    package subscript(name: String) -> StoredContext? { contexts[name]?.context }

    package var all: [(name: String, context: StoredContext)] {
        contexts.sorted { $0.value.number < $1.value.number }.map { ($0.key, $0.value.context) }
    }

    /// Changes a context, which is created if needed.
    /// - Throws: if a limit is exceeded; then nothing has changed.
    package mutating func update(_ name: String, _ change: (inout StoredContext) -> Void) throws(StateProblem) {
        let known = contexts[name]
        var entry = known ?? Entry(context: StoredContext(), number: made + 1, size: Size())
        change(&entry.context)
        let size = Size(name, entry.context)
        let entries = entryCount + size.entries - entry.size.entries
        guard entries <= limits.entries else {
            throw StateProblem(
                "the session's state has no room: it may hold \(limits.entries) contexts, properties and records "
                    + "(--max-state-entries)")
        }
        let bytes = byteCount + size.bytes - entry.size.bytes
        guard bytes <= limits.bytes else {
            throw .tooLarge(limits)
        }
        if known == nil { made += 1 }
        charge.add(bytes - byteCount)
        (entryCount, byteCount) = (entries, bytes)
        entry.size = size
        contexts[name] = entry
        noted?.insert(name)
    }

    /// - Returns: whether there was such a context.
    @discardableResult
    package mutating func remove(_ name: String) -> Bool {
        guard let entry = contexts.removeValue(forKey: name) else { return false }
        entryCount -= entry.size.entries
        byteCount -= entry.size.bytes
        charge.add(-entry.size.bytes)
        noted?.insert(name)
        return true
    }

    package mutating func removeAll() {
        noted?.formUnion(contexts.keys)
        charge.add(-byteCount)
        (contexts, made, entryCount, byteCount) = ([:], 0, 0, 0)
    }

    fileprivate func placed(_ name: String) -> PlacedContext? {
        contexts[name].map { PlacedContext($0.context, number: $0.number) }
    }

    fileprivate mutating func takeOver(_ name: String, _ placed: PlacedContext?) {
        let notes = noted
        remove(name)
        noted = notes
        guard let placed else { return }
        let size = Size(name, placed.context)
        contexts[name] = Entry(context: placed.context, number: placed.number, size: size)
        made = max(made, placed.number)
        entryCount += size.entries
        byteCount += size.bytes
        charge.add(size.bytes)
    }
}
