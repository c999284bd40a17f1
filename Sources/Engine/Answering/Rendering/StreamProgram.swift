import SDHTTPTransport
import SDRequestTemplates
import SDStubModel
import SDTemplating

/// A compiled stream definition. Parts that are the same for all readers are encoded once.
struct StreamProgram: Sendable {
    package let definition: StreamDefinition
    /// The items, encoded as far as they are the same for all readers.
    private let items: [Item]
    /// For each item, the end of its run of items that are sent unconditionally.
    private let runEnds: [Int]
    /// The runs by the index of their first item, shared by all readers.
    private let runs: [Int: Part]
    let isTemplated: Bool
    /// The bytes of a round, as far as they are the same for all readers; listeners get them as the body.
    package let bytes: [UInt8]

    private enum Item: Sendable {
        case steps([WireStep])
        case template(wait: [WireStep], TemplatedStreamItem)
        case hold(wait: [WireStep], GateHold)
    }

    /// The next step for a reader.
    enum Next {
        /// A part, and the index of the item after it.
        case part(Part, end: Int)
        /// A chunk that is rendered when it is sent, after a wait.
        case template(wait: [WireStep], TemplatedStreamItem)
        case hold(wait: [WireStep], GateHold)
        /// All items are sent.
        case end
    }

    /// Chunks that are sent unconditionally, one after the other.
    package struct Part: Sendable {
        package let script: WireScript
        /// The size of its body in bytes.
        package let count: Int
        private let steps: [WireStep]

        fileprivate init(_ steps: [WireStep]) {
            self.steps = steps
            script = .part(steps)
            count = steps.reduce(0) { $0 + $1.bodyCount }
        }

        /// The first bytes of its body.
        package func prefix(_ most: Int) -> [UInt8] { StreamProgram.prefix(steps, most) }
    }

    /// The first bytes of the bodies of steps.
    package static func prefix(_ steps: [WireStep], _ most: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for case .body(let body, let range) in steps {
            guard bytes.count < most else { break }
            bytes += body.prefix(range.upperBound)[range.lowerBound...]
        }
        return Array(bytes.prefix(most))
    }

    /// - Parameter isTemplated: whether texts are templates.
    /// - Throws: the template with an error, with its path in the response.
    package init(_ definition: StreamDefinition, isTemplated: Bool) throws(UnreadableTemplate) {
        self.definition = definition
        // The list is the value itself, or a member of an object.
        let place = definition.name == nil && definition.rounds == nil ? ["stream"] : ["stream", "events"]
        var items: [Item] = []
        for (index, item) in definition.items.enumerated() {
            items.append(try Self.item(item, at: place + [String(index)], isTemplated: isTemplated))
        }
        self.items = items
        self.isTemplated = items.contains { if case .template = $0 { true } else { false } }
        bytes = self.isTemplated ? [] : definition.items.flatMap(\.content.bytes)
        var ends: [Int] = []
        var end = items.count
        for (index, item) in items.enumerated().reversed() {
            if case .steps = item {
                if index + 1 < items.count, case .steps = items[index + 1] {} else { end = index + 1 }
            } else {
                end = index
            }
            ends.append(end)
        }
        runEnds = ends.reversed()
        var runs: [Int: Part] = [:]
        let repeats = definition.rounds == .forever
        for (index, end) in runEnds.enumerated() where end > index && (index == 0 || runEnds[index - 1] != end) {
            runs[index] = Part(Self.steps(items[index..<end], repeats: repeats && index == 0 && end == items.count))
        }
        self.runs = runs
    }

    private static func item(
        _ item: StreamDefinition.Item, at path: [String], isTemplated: Bool
    ) throws(UnreadableTemplate) -> Item {
        let wait: [WireStep] = item.after.map { $0 > 0 ? [.wait(nanoseconds: UInt64($0) * 1_000_000)] : [] } ?? []
        switch item.content {
        case .hold(let hold): return .hold(wait: wait, hold)
        case .chunk(let text) where isTemplated:
            if let piece = try TemplatedStreamItem(chunk: text, at: path) { return .template(wait: wait, piece) }
        case .event(let event) where isTemplated:
            if let piece = try TemplatedStreamItem(event, at: path) { return .template(wait: wait, piece) }
        case .chunk, .base64, .event: break
        }
        return .steps(wait + [.body(WireBytes(item.content.bytes))])
    }

    /// The smallest size of a part that repeats without a pause, in bytes, approximately.
    private static let minWithoutPause = 16 << 10
    /// The largest number of rounds in one part.
    private static let maxCopies = 256

    /// The steps of a run.
    /// - Parameter repeats: whether the run is the whole stream and repeats forever: without a pause, several rounds
    ///   are combined.
    private static func steps(_ items: ArraySlice<Item>, repeats: Bool) -> [WireStep] {
        let steps = items.flatMap { item -> [WireStep] in if case .steps(let steps) = item { steps } else { [] } }
        guard repeats, !steps.contains(where: \.isWait) else { return steps }
        let size = max(steps.reduce(0) { $0 + $1.bodyCount }, 1)
        let copies = min(max(minWithoutPause / size, 1), maxCopies)
        return Array(repeatElement(steps, count: copies).joined())
    }

    /// Whether a round takes time, apart from gates.
    var isPaused: Bool { definition.items.contains { ($0.after ?? 0) > 0 } }

    // MARK: Sending

    package var count: Int { items.count }

    /// The next step for a reader that has come to an item.
    package func next(at index: Int) -> Next {
        guard items.indices.contains(index) else { return .end }
        switch items[index] {
        case .hold(let wait, let hold): return .hold(wait: wait, hold)
        case .template(let wait, let piece): return .template(wait: wait, piece)
        case .steps:
            let end = runEnds[index]
            return .part(runs[index] ?? Part(Self.steps(items[index..<end], repeats: false)), end: end)
        }
    }

    /// The whole answer after the head, if it is short and the same for all readers.
    /// - Parameter first: the index of the first item.
    package func whole(from first: Int) -> [WireStep]? {
        guard definition.name == nil, items.indices.contains(first) else { return nil }
        let rounds: Int
        switch definition.rounds {
        case nil: rounds = 1
        case .times(let count): rounds = count
        case .forever: return nil
        }
        guard runEnds[0] == items.count else { return nil }
        let all = Self.steps(items[...], repeats: false)
        let size = all.reduce(0) { $0 + $1.bodyCount }
        let most = StreamDefinition.maxWhole
        guard rounds <= most.steps, rounds * all.count <= most.steps, rounds * size <= most.bytes
        else { return nil }
        return Self.steps(items[first...], repeats: false)
            + Array(repeatElement(all, count: rounds - 1).joined())
    }

    /// The chunk of an item whose id is a template; nil for any other.
    func templatedID(at index: Int) -> TemplatedStreamItem? {
        if case .template(_, let piece) = items[index], piece.hasID { piece } else { nil }
    }
}

extension WireStep {
    fileprivate var isWait: Bool { if case .wait = self { true } else { false } }

    fileprivate var bodyCount: Int { if case .body(_, let range) = self { range.count } else { 0 } }
}
