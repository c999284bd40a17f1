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
            return print([Finding(diagnostic: missing(folder.path))], stubs: 0, files: 0, options.format)
        }
        let session = Session(files: FolderBodies(files: BodyFiles(path: folder.bodyFilesPath)))
        let log = Log(format: .text, threshold: .error)
        let loader = StubLoader(
            folder: folder, session: session, ownChanges: OwnChanges(), log: log, looksCloser: false)
        let (diagnostics, contents) = loader.loadAll(atOnce: false)
        var findings = diagnostics.map { Finding(diagnostic: $0) }
        // What the reading has said already is not said twice.
        let said = Set(diagnostics.map(\.place))
        findings += FolderFindings(session, folder, contents).all.filter { !said.contains($0.diagnostic.place) }
        if options.strict {
            for index in findings.indices { findings[index].diagnostic.severity = .error }
        }
        return print(
            findings.inFolderOrder, stubs: session.stubCount, files: contents.files.count, options.format)
    }

    private static func missing(_ path: String) -> FileDiagnostic {
        FileDiagnostic(severity: .error, file: path, position: nil, message: "there is no such folder")
    }

    private static func print(
        _ findings: [Finding], stubs: Int, files: Int, _ format: LogFormat
    ) -> Int32 {
        let errors = findings.filter { $0.diagnostic.severity == .error }.count
        var text = ""
        switch format {
        case .json:
            let document: JSONValue = [
                "valid": .bool(errors == 0),
                "files": .number(JSONNumber(files)),
                "stubs": .number(JSONNumber(stubs)),
                "diagnostics": .array(findings.map(\.json)),
            ]
            text = document.prettyText + "\n"
        case .text:
            for finding in findings { text += finding.diagnostic.description + "\n" }
            let warnings = findings.count - errors
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

extension FileDiagnostic {
    fileprivate var place: [String] { [file] + pointer.tokens }
}

extension [Finding] {
    /// By file, and from the top of each to its end.
    fileprivate var inFolderOrder: [Finding] {
        enumerated().sorted { left, right in
            let (first, second) = (left.element.diagnostic, right.element.diagnostic)
            if first.file != second.file { return first.file < second.file }
            let (start, end) = (first.position?.offset ?? 0, second.position?.offset ?? 0)
            return start == end ? left.offset < right.offset : start < end
        }.map(\.element)
    }
}

extension StubFolder {
    init(_ root: StubRoot) {
        self.init(path: root.path, isMappingsOnly: root.layout == .mappingsOnly)
    }
}
