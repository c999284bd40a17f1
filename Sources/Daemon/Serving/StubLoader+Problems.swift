import SDBasics
import SDJSON
import SDPlatform
package import SDReports
import SDStubFiles

/// Problems of the files as last read, for reports and for unmatched requests.
extension StubLoader {
    package var problems: [Report.FileProblem] {
        errors.map { Self.problem($0, expecting: $0.expected) }
    }

    private static func problem(_ error: FileDiagnostic, expecting expected: String?) -> Report.FileProblem {
        let place = error.pointer.tokens.isEmpty ? "" : "\(error.pointer.keyPath): "
        return Report.FileProblem(
            file: error.file.belowWorkingFolder, line: error.line, column: error.column,
            message: place + error.message + expecting(expected, meaning: error.suggestion))
    }

    /// The files with errors, each with its first one.
    package var brokenFiles: [String] {
        var files = Set<String>()
        return errors.filter { files.insert($0.file).inserted }.map { Self.problem($0, expecting: nil).text }
    }
}

extension String {
    /// The path relative to the working folder, if it is inside.
    var belowWorkingFolder: String {
        guard hasPrefix("/"), let folder = SystemCalls.workingFolder, hasPrefix(folder + "/") else { return self }
        return String(dropFirst(folder.count + 1))
    }
}
