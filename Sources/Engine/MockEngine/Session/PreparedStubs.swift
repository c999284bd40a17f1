import Linting
public import StubModel

/// The stubs of one file, compiled before the session takes them over: that is most of the work, needs no lock, and may
/// be done on any thread.
public struct PreparedStubs: Sendable {
    /// The stubs in the order of the file; their sequences and file are set later.
    let stubs: [Result<CompiledStub, StubRefusal>]
    public let ids: [StubMapping.ID]
    /// The problems that the daemon reports when it reads a stub: that it can never answer although WireMock accepts
    /// it, that a schema requires less than it seems to, or that a body file is missing. `stub` is the place in the
    /// file.
    public let startProblems: [(stub: Int, problem: StubProblem)]
    /// The body files among the problems.
    let missingBodies: Set<String>

    /// Joins the stubs of one file, which were compiled in parts.
    public init(joining parts: [PreparedStubs]) {
        var stubs: [Result<CompiledStub, StubRefusal>] = []
        var ids: [StubMapping.ID] = []
        var problems: [(stub: Int, problem: StubProblem)] = []
        stubs.reserveCapacity(parts.reduce(0) { $0 + $1.stubs.count })
        ids.reserveCapacity(stubs.capacity)
        for part in parts {
            problems += part.startProblems.map { (stubs.count + $0.stub, $0.problem) }
            stubs += part.stubs
            ids += part.ids
        }
        self.init(
            stubs: stubs, ids: ids, startProblems: problems,
            missingBodies: parts.reduce(into: []) { $0.formUnion($1.missingBodies) })
    }

    fileprivate init(
        stubs: [Result<CompiledStub, StubRefusal>], ids: [StubMapping.ID],
        startProblems: [(stub: Int, problem: StubProblem)], missingBodies: Set<String>
    ) {
        self.stubs = stubs
        self.ids = ids
        self.startProblems = startProblems
        self.missingBodies = missingBodies
    }

    /// Whether each stub has an id of its own.
    public var hasDistinctIDs: Bool { Set(ids).count == ids.count }

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
        PreparedStubs(
            stubs: indices.map { stubs[$0] }, ids: indices.map { ids[$0] }, startProblems: [],
            missingBodies: missingBodies)
    }
}

extension Session {
    /// Compiles the stubs of a file. Their problems are reported when the session takes them over.
    /// - Parameter lines: the lines on which they begin, from 1; empty if they are unknown.
    public func prepare(_ mappings: [StubMapping], lines: [Int] = []) -> PreparedStubs {
        let stubs = mappings.enumerated().map { index, mapping in
            let line = index < lines.count ? lines[index] : nil
            return compile(mapping, line: line)
        }
        var problems: [(stub: Int, problem: StubProblem)] = []
        var missing: Set<String> = []
        for (index, mapping) in mappings.enumerated() {
            guard let pattern = try? stubs[index].get().pattern else { continue }
            for found in StubLint.startFindings(in: mapping, compiled: pattern) {
                problems.append((index, StubProblem(pointer: found.pointer, message: found.message)))
            }
            for (name, found) in BodyFileLint.startFindings(in: mapping, files: files) {
                problems.append((index, StubProblem(pointer: found.pointer, message: found.message)))
                missing.insert(name)
            }
        }
        return PreparedStubs(
            stubs: stubs, ids: mappings.map(\.id), startProblems: problems, missingBodies: missing)
    }

    /// Prepares the stubs of files, and updates the session with them.
    public func update(_ files: [(name: String, stubs: [StubMapping]?)]) -> [(name: String, StubRefusal)] {
        update(files.map { (name: $0.name, stubs: $0.stubs.map { prepare($0) }) })
    }
}
