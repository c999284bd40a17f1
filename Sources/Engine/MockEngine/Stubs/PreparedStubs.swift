import SDLinting
public import SDStubModel

/// The stubs of one file, compiled before the session takes them over: that is most of the work, needs no lock, and may
/// be done on any thread.
public struct PreparedStubs: Sendable {
    /// The stubs in the order of the file; their sequences and file are set later.
    fileprivate(set) var stubs: [Result<CompiledStub, StubRefusal>] = []
    public fileprivate(set) var ids: [StubMapping.ID] = []
    /// The problems that the daemon reports when it reads a stub: that it can never answer although WireMock accepts
    /// it, that a schema requires less than it seems to, or that a body file is missing. `stub` is the place in the
    /// file.
    public fileprivate(set) var startProblems: [(stub: Int, problem: ServingProblem)] = []
    /// The body files among the problems.
    fileprivate(set) var missingBodies: Set<String> = []

    /// The ids of the appended stubs.
    private var appendedIDs: Set<StubMapping.ID> = []

    public init() {}

    /// Whether the stubs are known to have ids of their own.
    var hasDistinctIDs: Bool { ids.count < 2 || appendedIDs.count == ids.count }

    /// Adds the next stubs of the file, for a file that is compiled in parts.
    /// - Returns: false if two of the stubs have the same id.
    public mutating func append(_ part: PreparedStubs) -> Bool {
        for id in part.ids { appendedIDs.insert(id) }
        for found in part.startProblems { startProblems.append((stubs.count + found.stub, found.problem)) }
        stubs += part.stubs
        ids += part.ids
        missingBodies.formUnion(part.missingBodies)
        return hasDistinctIDs
    }

    /// The reasons why stubs of the file will be refused.
    public var refusals: [StubRefusal] {
        stubs.compactMap { if case .failure(let refusal) = $0 { refusal } else { nil } }
    }

    /// The stubs that can be served.
    public var withoutRefused: PreparedStubs {
        let good = stubs.indices.filter { (try? stubs[$0].get()) != nil }
        return at(good)
    }

    /// The stubs that have another id.
    public func without(_ id: StubMapping.ID) -> PreparedStubs { at(ids.indices.filter { ids[$0] != id }) }

    private func at(_ indices: [Int]) -> PreparedStubs {
        var rest = PreparedStubs()
        rest.stubs = indices.map { stubs[$0] }
        rest.ids = indices.map { ids[$0] }
        rest.missingBodies = missingBodies
        return rest
    }
}

extension Session {
    /// Compiles the stubs of a file. Their problems are reported when the session takes them over.
    /// - Parameter lines: the lines on which they begin, from 1; empty if they are unknown.
    public func prepare(_ mappings: [StubMapping], lines: [Int] = []) -> PreparedStubs {
        var prepared = PreparedStubs()
        prepared.stubs.reserveCapacity(mappings.count)
        prepared.ids.reserveCapacity(mappings.count)
        // Mappings are large. A span lends them, where an array would copy them.
        let mappings = mappings.span
        for index in mappings.indices {
            var stub = compile(mappings[index], line: index < lines.count ? lines[index] : nil)
            // WireMock accepts such a stub over the admin API, and answers 500; the author of a file is told.
            if let problems = (try? stub.get())?.templateProblems, !problems.isEmpty {
                stub = .failure(.unserved(mappings[index].id, problems))
            }
            prepared.stubs.append(stub)
            prepared.ids.append(mappings[index].id)
            guard let pattern = try? stub.get().pattern else { continue }
            for found in StubLint.startFindings(in: mappings[index], compiled: pattern) {
                prepared.startProblems.append((index, ServingProblem(pointer: found.pointer, message: found.message)))
            }
            for (name, found) in BodyFileLint.startFindings(in: mappings[index], files: files) {
                prepared.startProblems.append((index, ServingProblem(pointer: found.pointer, message: found.message)))
                prepared.missingBodies.insert(name)
            }
        }
        return prepared
    }

    /// Prepares the stubs of files, and updates the session with them.
    public func update(_ files: [(name: String, stubs: [StubMapping]?)]) -> [(name: String, StubRefusal)] {
        update(files.map { (name: $0.name, stubs: $0.stubs.map { prepare($0) }) })
    }
}
