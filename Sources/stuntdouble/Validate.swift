import Command
import Folders
import JSON
import MockEngine
import Platform
import Reporting
import StubFiles
import StubModel

/// `stuntdouble validate`: checks a folder without serving it.
enum Validate {
    /// - Returns: the exit status, 0 where nothing is wrong and 1 otherwise.
    static func run(_ options: ValidateOptions) -> Int32 {
        let folder = StubFolder(options.root)
        guard SystemCalls.isFolder(folder.path) else {
            return print([missing(folder.path)], stubs: 0, files: 0, options.format)
        }
        let session = Session(files: FolderBodies(files: BodyFiles(path: folder.bodyFilesPath)))
        let log = Log(format: .text, threshold: .error)
        let loader = StubLoader(folder: folder, session: session, ownChanges: OwnChanges(), log: log)
        let (diagnostics, contents) = loader.loadAll(atOnce: false)
        return print(diagnostics, stubs: session.stubCount, files: contents.files.count, options.format)
    }

    private static func missing(_ path: String) -> FileDiagnostic {
        FileDiagnostic(severity: .error, file: path, position: nil, message: "there is no such folder")
    }

    private static func print(
        _ diagnostics: [FileDiagnostic], stubs: Int, files: Int, _ format: LogFormat
    ) -> Int32 {
        let errors = diagnostics.filter { $0.severity == .error }.count
        var text = ""
        switch format {
        case .json:
            let document: JSONValue = [
                "valid": .bool(errors == 0),
                "files": .number(JSONNumber(files)),
                "stubs": .number(JSONNumber(stubs)),
                "diagnostics": .array(diagnostics.map(\.json)),
            ]
            text = document.prettyText + "\n"
        case .text:
            for diagnostic in diagnostics { text += diagnostic.description + "\n" }
            let warnings = diagnostics.count - errors
            text += "\(count(files, "file")), \(count(stubs, "stub")), \(count(errors, "error"))"
            text += warnings > 0 ? ", \(count(warnings, "warning"))\n" : "\n"
        }
        try? SystemCalls.writeAll(text.utf8, to: 1)
        return errors == 0 ? 0 : 1
    }

    private static func count(_ number: Int, _ noun: String) -> String {
        number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
    }
}

extension StubFolder {
    init(_ root: StubRoot) {
        self.init(path: root.path, isMappingsOnly: root.layout == .mappingsOnly)
    }
}
