package import SDAnswering
import SDIndexing
import SDLinting
public import SDMatching
public import SDStubModel

/// The stubs of one file, compiled before the session applies them: that is most of the work, needs no lock, and may
/// run on any thread.
public struct PreparedStubs: Sendable {
    /// The stubs in file order, without the refused ones; sequence numbers and file are set later.
    package private(set) var stubs: [CompiledStub] = []
    public private(set) var ids: [StubMapping.ID] = []
    /// The warnings when the daemon reads a stub: parts that are probably not intended, or a missing body file. `stub`
    /// is the index in the file.
    public private(set) var startProblems: [(stub: Int, problem: ModelProblem)] = []
    /// The warnings about stubs that will be refused.
    public private(set) var refusedProblems: [(stub: Int, problem: ModelProblem)] = []
    /// The reasons why stubs of the file will be refused.
    public private(set) var refusals: [StubRefusal] = []
    /// The indices of the refused stubs in the file, ascending.
    private var refusedPlaces: [Int] = []
    /// The body files that the problems name.
    package private(set) var missingBodies: Set<String> = []

    /// The stubs' fields that the index copies; nil unless complete.
    private(set) var summaries: StubSummaries?
    /// The stubs that were appended in parts, without the refused ones.
    package private(set) var byID = StubIDMap<CompiledStub>()
    /// The indices in `stubs` of those that a set of stubs records separately.
    private(set) var notable: [Int] = []
    /// Whether the stubs were appended in parts and have distinct ids.
    private var isDistinct = false
    /// The ids of the refused stubs of parts.
    private var refusedIDs: Set<StubMapping.ID> = []

    /// - Parameter summarizing: whether to compute `summaries`: if they may be the first stubs of a session, and many.
    public init(summarizing: Bool = false) {
        if summarizing { summaries = StubSummaries() }
    }

    /// Whether the stubs are known to have distinct ids.
    var hasDistinctIDs: Bool { ids.count < 2 || isDistinct }

    /// Reserves capacity for this many stubs.
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
            // A valid stub and a refused one may have the same id.
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

    /// Calls `body` with each stub and its index in the file.
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

    /// The stubs that can be served and have a different id.
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
    ///   - problems: the warnings about it.
    ///   - missing: the body files that they name.
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

    /// Adds the index of a stub that will be refused.
    /// - Parameter problems: the other warnings about it.
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
