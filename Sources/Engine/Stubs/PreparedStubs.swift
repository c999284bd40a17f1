package import SDAnswering
import SDIndexing
import SDLinting
public import SDMatching
public import SDStubModel

/// The stubs of one file, compiled before the session takes them over: that is most of the work, needs no lock, and may
/// be done on any thread.
public struct PreparedStubs: Sendable {
    /// The stubs in the order of the file, without the refused ones; their sequences and file are set later.
    package private(set) var stubs: [CompiledStub] = []
    public private(set) var ids: [StubMapping.ID] = []
    /// What the daemon reports when it reads a stub: what is valid in it and hardly meant, or that a body file is
    /// missing. `stub` is the place in the file.
    public private(set) var startProblems: [(stub: Int, problem: ModelProblem)] = []
    /// What would be reported of the stubs that will be refused.
    public private(set) var refusedProblems: [(stub: Int, problem: ModelProblem)] = []
    /// The reasons why stubs of the file will be refused.
    public private(set) var refusals: [StubRefusal] = []
    /// The places of the refused stubs in the file, ascending.
    private var refusedPlaces: [Int] = []
    /// The body files among the problems.
    package private(set) var missingBodies: Set<String> = []

    /// What the index copies of the stubs; nil if it is not known of all.
    private(set) var summaries: StubSummaries?
    /// The stubs that were appended in parts, without the refused ones.
    package private(set) var byID = StubIDMap<CompiledStub>()
    /// The places in `stubs` of those of which a set of stubs knows more than what all have.
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
        for found in part.startProblems { startProblems.append((ids.count + found.stub, found.problem)) }
        for found in part.refusedProblems { refusedProblems.append((ids.count + found.stub, found.problem)) }
        for place in part.notable { notable.append(stubs.count + place) }
        part.forEachStub { place, stub in
            let id = part.ids[place]
            let isNew = byID.insert(stub, for: id)
            // An id may belong to a good stub and to a refused one.
            isDistinct = isDistinct && isNew && (refusedIDs.isEmpty || !refusedIDs.contains(id))
        }
        for place in part.refusedPlaces {
            let id = part.ids[place]
            isDistinct = refusedIDs.insert(id).inserted && byID[id] == nil && isDistinct
            refusedPlaces.append(ids.count + place)
        }
        stubs += part.stubs
        ids += part.ids
        refusals += part.refusals
        missingBodies.formUnion(part.missingBodies)
        if let others = part.summaries { summaries?.append(others) } else { summaries = nil }
        return hasDistinctIDs
    }

    /// Whether no stub of the file is refused.
    var hasAll: Bool { refusedPlaces.isEmpty }

    /// Calls `body` with each stub and its place in the file.
    func forEachStub(_ body: (_ place: Int, CompiledStub) -> Void) {
        var refused = refusedPlaces[...]
        var place = 0
        let stubs = stubs.span
        for index in stubs.indices {
            while refused.first == place {
                refused.removeFirst()
                place += 1
            }
            body(place, stubs[index])
            place += 1
        }
    }

    /// The stubs that can be served.
    public var withoutRefused: PreparedStubs { all { _ in true } }

    /// The stubs that have another id, and can be served.
    public func without(_ id: StubMapping.ID) -> PreparedStubs { all { $0 != id } }

    private func all(where isWanted: (StubMapping.ID) -> Bool) -> PreparedStubs {
        var rest = PreparedStubs()
        rest.stubs = stubs.filter { isWanted($0.id) }
        rest.ids = rest.stubs.map(\.id)
        rest.missingBodies = missingBodies
        return rest
    }

    /// Adds a stub after the others.
    /// - Parameters:
    ///   - problems: what is reported of it.
    ///   - missing: the body files among them.
    package mutating func append(
        _ stub: CompiledStub, problems: [ModelProblem], missingBodies missing: [String]
    ) {
        for problem in problems { startProblems.append((ids.count, problem)) }
        if !missing.isEmpty { missingBodies.formUnion(missing) }
        if stub.isNotable { notable.append(stubs.count) }
        ids.append(stub.id)
        stubs.append(stub)
        summaries?.append(stub)
    }

    /// Adds the place of a stub that will be refused.
    /// - Parameter problems: what else would be reported of it.
    package mutating func append(
        _ id: StubMapping.ID, refused refusal: StubRefusal, problems: [ModelProblem] = []
    ) {
        for problem in problems { refusedProblems.append((ids.count, problem)) }
        refusedPlaces.append(ids.count)
        ids.append(id)
        refusals.append(refusal)
        summaries = nil
    }
}
