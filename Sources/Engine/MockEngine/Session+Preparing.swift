import SDAnswering
import SDLinting
public import SDMatching
public import SDStubModel
public import SDStubs

extension Session {
    /// Compiles the stubs of a file. Their problems are reported when the session applies them.
    /// - Parameter lines: the lines on which they begin, from 1; empty if unknown.
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
    /// - Parameter line: the line on which it begins, from 1; nil if unknown.
    public func prepare(_ mapping: borrowing StubMapping, line: Int?, into prepared: inout PreparedStubs) {
        let stub: CompiledStub
        do throws(StubRefusal) {
            stub = try compile(mapping, line: line).get()
        } catch {
            return prepared.append(mapping.id, refused: error)
        }
        // WireMock accepts such a stub over the admin API, and answers 500; for a file, the problem is reported.
        let problems = stub.templateProblems
        let findings = StubLint.findings(in: mapping, compiled: stub.pattern, isTemplate: areTemplates)
        guard problems.isEmpty else {
            // Each value is reported once.
            let wrong = Set(problems.map(\.pointer))
            return prepared.append(
                mapping.id, refused: .unserved(mapping.id, problems),
                problems: findings.map(\.problem).filter { !wrong.contains($0.pointer) })
        }
        let missing = BodyFileLint.startFindings(in: mapping, files: files)
        prepared.append(
            stub, problems: findings.map(\.problem) + missing.map(\.warning), missingBodies: missing.map(\.name))
    }

    /// Prepares the stubs of files, and updates the session with them.
    public func update(_ files: [(name: String, stubs: [StubMapping]?)]) -> [(name: String, StubRefusal)] {
        update(files.map { (name: $0.name, stubs: $0.stubs.map { prepare($0) }) })
    }
}
