package import SDJSON

/// Something that is wrong in an archive, and where.
package struct ArchiveProblem: Error, Sendable, Hashable {
    package var pointer: JSONPointer
    /// The position in the file; nil until it is looked up, and where the whole file is meant.
    package var position: TextPosition?
    /// A sentence without a full stop.
    package var message: String
    package var expected: String
    package var found: String?

    init(_ message: String, at pointer: JSONPointer = .root, expected: String, found: String? = nil) {
        self.pointer = pointer
        self.message = message
        self.expected = expected
        self.found = found
    }
}

/// All that is wrong in an archive, in the order of the file. Never empty.
package struct ArchiveProblems: Error, Sendable, Hashable {
    /// The most problems gathered, so that a wrong file of a million entries does not produce a million lines.
    static let limit = 100

    package let problems: [ArchiveProblem]

    init(_ problem: ArchiveProblem) {
        problems = [problem]
    }

    init(_ error: JSONSyntaxError) {
        var problem = ArchiveProblem("the file is not JSON", expected: error.expected, found: error.found)
        problem.position = error.position
        problems = [problem]
    }

    /// Looks up the positions of problems.
    init(_ problems: [ArchiveProblem], in bytes: [UInt8]) {
        let map = SourceMap(scanningJSON: bytes, for: problems.map(\.pointer), dialect: .rfc8259)
        self.problems = problems.map { problem in
            var problem = problem
            problem.position = map.position(ofValueAt: problem.pointer)
            return problem
        }
    }
}
