import SDBasics
import SDJSON
import SDPlatform
package import SDReports
import SDStubFiles

/// What is wrong with the files as they were last read, for reports and for requests that nothing answers.
extension StubLoader {
    package var problems: [Report.FileProblem] {
        errors.map { error in
            let place = error.pointer.tokens.isEmpty ? "" : "\(error.pointer.keyPath): "
            return Report.FileProblem(
                file: error.file.belowWorkingFolder, line: error.line, column: error.column,
                message: place + error.message + expecting(error.expected, meaning: error.suggestion))
        }
    }

    /// The files with errors, each with its first one.
    package var brokenFiles: [String] {
        var files = Set<String>()
        return problems.filter { files.insert($0.file).inserted }.map(\.text)
    }
}

extension String {
    /// The path from the working folder on, for one that lies in it.
    var belowWorkingFolder: String {
        guard hasPrefix("/"), let folder = SystemCalls.workingFolder, hasPrefix(folder + "/") else { return self }
        return String(dropFirst(folder.count + 1))
    }
}
