import SDIndexing
import SDLinting
public import SDStubModel

/// The stubs of one file, compiled before the session takes them over: that is most of the work, needs no lock, and may
/// be done on any thread.
public struct PreparedStubs: Sendable {
    /// The stubs in the order of the file, nil for a refused one; their sequences and file are set later.
    private(set) var stubs: [CompiledStub?] = []
    public private(set) var ids: [StubMapping.ID] = []
    /// The problems that the daemon reports when it reads a stub: that it can never answer although WireMock accepts
    /// it, that a schema requires less than it seems to, or that a body file is missing. `stub` is the place in the
    /// file.
    public private(set) var startProblems: [(stub: Int, problem: ServingProblem)] = []
    /// The reasons why stubs of the file will be refused.
    public private(set) var refusals: [StubRefusal] = []
    /// The body files among the problems.
    private(set) var missingBodies: Set<String> = []

    /// What the index copies of the stubs; nil if it is not known of all.
    private(set) var summaries: StubSummaries?
    /// The stubs that were appended in parts, without the refused ones.
    private(set) var byID = StubIDMap<CompiledStub>()
    /// The places of the stubs of which a set of stubs knows more than what all have.
    private(set) var notable: [Int] = []
    /// Whether the stubs were appended in parts and have ids of their own.
    private var isDistinct = false
    /// The ids of the refused stubs of parts.
    private var refusedIDs: Set<StubMapping.ID> = []

    /// - Parameter summarizing: whether the index will need what it copies of the stubs: where they may be the first
    ///   stubs of a session, and many.
    public init(summarizing: Bool = false) {
        if summarizing { summaries = StubSummaries() }
    }

    /// Whether the stubs are known to have ids of their own.
    var hasDistinctIDs: Bool { ids.count < 2 || isDistinct }

    /// Makes room for this many stubs.
    public mutating func reserveCapacity(_ count: Int) {
        stubs.reserveCapacity(count)
        ids.reserveCapacity(count)
        summaries?.reserveCapacity(count)
    }

    /// Adds the next stubs of the file, for a file that is compiled in parts.
    /// - Returns: false if two of the stubs have the same id.
    public mutating func append(_ part: PreparedStubs) -> Bool {
        if ids.isEmpty {
            isDistinct = true
            byID.reserveCapacity(stubs.capacity)
        }
        for found in part.startProblems { startProblems.append((stubs.count + found.stub, found.problem)) }
        for place in part.notable { notable.append(stubs.count + place) }
        for (id, stub) in zip(part.ids, part.stubs) {
            let isNew = if let stub { byID.insert(stub, for: id) } else { refusedIDs.insert(id).inserted }
            // An id may belong to a good stub and to a refused one.
            let isElsewhere = stub == nil ? byID[id] != nil : !refusedIDs.isEmpty && refusedIDs.contains(id)
            isDistinct = isDistinct && isNew && !isElsewhere
        }
        stubs += part.stubs
        ids += part.ids
        refusals += part.refusals
        missingBodies.formUnion(part.missingBodies)
        if let others = part.summaries { summaries?.append(others) } else { summaries = nil }
        return hasDistinctIDs
    }

    /// The stubs that can be served.
    public var withoutRefused: PreparedStubs { at(stubs.indices.filter { stubs[$0] != nil }) }

    /// The stubs that have another id, and can be served.
    public func without(_ id: StubMapping.ID) -> PreparedStubs {
        at(stubs.indices.filter { ids[$0] != id && stubs[$0] != nil })
    }

    private func at(_ indices: [Int]) -> PreparedStubs {
        var rest = PreparedStubs()
        rest.stubs = indices.map { stubs[$0] }
        rest.ids = indices.map { ids[$0] }
        rest.missingBodies = missingBodies
        return rest
    }

    /// Adds a stub after the others.
    /// - Parameters:
    ///   - problems: what is reported of it.
    ///   - missing: the body files among them.
    fileprivate mutating func append(
        _ stub: CompiledStub, problems: [ServingProblem], missingBodies missing: [String]
    ) {
        for problem in problems { startProblems.append((stubs.count, problem)) }
        missingBodies.formUnion(missing)
        if stub.isNotable { notable.append(stubs.count) }
        ids.append(stub.id)
        stubs.append(stub)
        summaries?.append(stub)
    }

    /// Adds the place of a stub that will be refused.
    fileprivate mutating func append(_ id: StubMapping.ID, refused refusal: StubRefusal) {
        ids.append(id)
        stubs.append(nil)
        refusals.append(refusal)
        summaries = nil
    }
}

extension Session {
    /// Compiles the stubs of a file. Their problems are reported when the session takes them over.
    /// - Parameter lines: the lines on which they begin, from 1; empty if they are unknown.
    public func prepare(_ mappings: [StubMapping], lines: [Int] = []) -> PreparedStubs {
        var prepared = PreparedStubs()
        prepared.reserveCapacity(mappings.count)
        // Mappings are large. A span lends them, where an array would copy them.
        let mappings = mappings.span
        for index in mappings.indices {
            prepare(mappings[index], line: index < lines.count ? lines[index] : nil, into: &prepared)
        }
        return prepared
    }

    /// Compiles the next stub of a file.
    /// - Parameter line: the line on which it begins, from 1; nil if it is unknown.
    public func prepare(_ mapping: borrowing StubMapping, line: Int?, into prepared: inout PreparedStubs) {
        let stub: CompiledStub
        do throws(StubRefusal) {
            stub = try compile(mapping, line: line).get()
        } catch {
            return prepared.append(mapping.id, refused: error)
        }
        // WireMock accepts such a stub over the admin API, and answers 500; the author of a file is told.
        let problems = stub.templateProblems
        guard problems.isEmpty else { return prepared.append(mapping.id, refused: .unserved(mapping.id, problems)) }
        let missing = BodyFileLint.startFindings(in: mapping, files: files)
        let findings = StubLint.startFindings(in: mapping, compiled: stub.pattern) + missing.map(\.warning)
        prepared.append(
            stub, problems: findings.map { ServingProblem(pointer: $0.pointer, message: $0.message) },
            missingBodies: missing.map(\.name))
    }

    /// Prepares the stubs of files, and updates the session with them.
    public func update(_ files: [(name: String, stubs: [StubMapping]?)]) -> [(name: String, StubRefusal)] {
        update(files.map { (name: $0.name, stubs: $0.stubs.map { prepare($0) }) })
    }
}
