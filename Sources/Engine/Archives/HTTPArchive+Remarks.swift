import SDJSON
package import SDStubFiles

extension HTTPArchive {
    /// What was left out, and what is not as the server sent it: one text each, such as
    /// `3 entries without an answer are left out`.
    package var remarkTexts: [String] {
        var texts = LeftOut.allCases.compactMap { reason in
            leftOut[reason].map { "\(Self.entries($0)) \(reason.text) \($0 == 1 ? "is" : "are") left out" }
        }
        texts += problems.map { problem in
            let place = problem.position.map { "line \($0.line), column \($0.column): " } ?? ""
            return "\(place)\(problem.pointer.keyPath) \(problem.message); expected \(problem.expected)"
        }
        texts += ArchiveRemark.allCases.compactMap { kind in
            remarks[kind].map { "\(Self.entries($0)) \(kind.text)" }
        }
        let hosts = hosts
        if hosts.count > 1 {
            let names = hosts.prefix(5).map { "\($0.host) (\($0.count))" }.joined(separator: ", ")
            texts.append(
                "the stubs tell the archive's \(hosts.count) hosts apart only where they have a request in common: "
                    + names + (hosts.count > 5 ? ", …" : "")
            )
        }
        return texts
    }

    private static func entries(_ count: Int) -> String { count == 1 ? "1 entry" : "\(count) entries" }
}

extension ArchiveProblems {
    /// The problems as messages about a file.
    package func diagnostics(file: String) -> [FileDiagnostic] {
        problems.map { problem in
            FileDiagnostic(
                severity: .error, file: file, position: problem.position, pointer: problem.pointer,
                message: problem.message, expected: problem.expected, found: problem.found)
        }
    }
}
