import SDJSON
package import SDStubFiles

extension HTTPArchive {
    /// What was left out or changed, one text each, such as `3 entries without an answer are left out`.
    /// - Parameter file: the archive's name, for the locations of problems.
    package func warningTexts(file: String) -> [String] {
        var texts = LeftOut.allCases.compactMap { reason in
            leftOut[reason].map { "\(Self.entries($0)) \(reason.text) \($0 == 1 ? "is" : "are") left out" }
        }
        texts += problems.map { problem in
            let place = problem.position.map { ":\($0.line):\($0.column)" } ?? ""
            let found = problem.found.map { ", found \($0)" } ?? ""
            return "\(file)\(place): \(problem.pointer.keyPath) \(problem.message); "
                + "expected \(problem.expected)\(found)"
        }
        texts += ArchiveWarning.allCases.compactMap { kind in
            warnings[kind].map { "\(Self.entries($0)) \(kind.text)" }
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
    /// The problems as diagnostics of a file.
    package func diagnostics(file: String) -> [FileDiagnostic] {
        problems.map { problem in
            FileDiagnostic(
                severity: .error, file: file, position: problem.position, pointer: problem.pointer,
                message: problem.message, expected: problem.expected, found: problem.found)
        }
    }
}
