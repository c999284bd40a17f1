package import SDJSON

/// A problem in an archive, with its location.
package struct ArchiveProblem: Error, Sendable, Hashable {
    package var pointer: JSONPointer
    /// The position in the file; nil until it is looked up, and for the whole file.
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

/// All problems of an archive, in file order. Never empty.
package struct ArchiveProblems: Error, Sendable, Hashable {
    /// The maximum number of problems collected, so that a wrong file with a million entries does not cause a million
    /// lines.
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
