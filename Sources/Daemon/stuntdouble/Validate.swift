import SDBasics
import SDCommand
import SDFolders
import SDJSON
import SDMockEngine
import SDPlatform
import SDServing
import SDStubFiles
import SDStubModel

/// `stuntdouble validate`: checks folders and files without serving them.
enum Validate {
    /// The files checked, and the findings.
    private struct Result {
        var findings: [Finding] = []
        var files = 0
        var stubs = 0
        /// The number of fault sets.
        var sets = 0
        /// The number of OpenAPI documents; a document may have no operations.
        var documents = 0
        /// Files that are not stub files, with the reasons.
        var skipped: [String: String] = [:]
        /// Named files that never contain stubs, such as body files, with the reasons.
        var passedOver: [String: String] = [:]

        var hasErrors: Bool { findings.contains { $0.diagnostic.severity == .error } }

        /// Whether there is nothing to serve.
        var isEmpty: Bool { stubs + sets + documents == 0 }

        mutating func add(_ other: Result) {
            findings += other.findings
            files += other.files
            stubs += other.stubs
            sets += other.sets
            documents += other.documents
            skipped.merge(other.skipped) { first, _ in first }
            passedOver.merge(other.passedOver) { first, _ in first }
        }
    }

    /// Runs the command.
    /// - Returns: the exit status: 0 without findings, 1 with findings or if there was nothing to check.
    static func run(_ options: ValidateOptions) -> Int32 {
        var result = Result()
        if options.paths.isEmpty {
            result = folder(options.root, options)
        } else {
            let named = NamedFiles(options.paths)
            for path in named.folders { result.add(folder(StubRoot(path: path, layout: .free), options)) }
            for (root, files) in named.files {
                result.add(check(named: files, of: StubFolder(path: root), options))
            }
            result.findings += named.problems.map { Finding(diagnostic: $0) }
            result.passedOver = named.passedOver
        }
        if options.strict {
            for index in result.findings.indices { result.findings[index].diagnostic.severity = .error }
        }
        if !result.hasErrors, result.isEmpty, !options.paths.isEmpty, result.passedOver.isEmpty {
            result.findings.append(nothing(in: options.paths.joined(separator: ", "), "no stubs in the named files"))
        }
        return print(result, options)
    }

    private static func folder(_ root: StubRoot, _ options: ValidateOptions) -> Result {
        guard SystemCalls.isFolder(root.path) else {
            return Result(findings: [nothing(in: root.path, "no such folder")])
        }
        let folder = StubFolder(root)
        var result = check(folder, only: nil, options.serve, options.contract)
        if let passedOver = folder.filesBesideMappings.passedOver(in: folder) {
            var diagnostic = FileDiagnostic(severity: .warning, file: root.path, position: nil, message: passedOver)
            diagnostic.check = "beside-mappings"
            result.findings.append(Finding(diagnostic: diagnostic))
        }
        if !result.hasErrors, result.isEmpty {
            let files = result.files + result.skipped.count
            result.findings.append(nothing(in: root.path, "nothing to check: " + root.emptiness(files: files)))
        }
        return result
    }

    /// Checks named files. With `--strict`, every named file must be a stub file.
    private static func check(
        named files: [FolderFile], of folder: StubFolder, _ options: ValidateOptions
    ) -> Result {
        var result = check(folder, only: files, options.serve, options.contract)
        guard options.strict else { return result }
        let told = Set(result.findings.map(\.diagnostic.file))
        for (path, reason) in result.skipped.sorted(by: { $0.key < $1.key }) where !told.contains(path) {
            result.findings.append(nothing(in: path, "not a stub file: \(reason)"))
        }
        return result
    }

    private static func nothing(in path: String, _ message: String) -> Finding {
        var diagnostic = FileDiagnostic(severity: .error, file: path, position: nil, message: message)
        diagnostic.check = "nothing-to-check"
        return Finding(diagnostic: diagnostic)
    }

    /// Checks a folder.
    /// - Parameter files: the folder's files to check; nil for all.
    private static func check(
        _ folder: StubFolder, only files: [FolderFile]?, _ options: ServeOptions, _ contract: String?
    ) -> Result {
        let session = Session(
            options: SessionOptions(options), files: FolderBodies(files: BodyFiles(path: folder.bodyFilesPath)))
        let log = Log(format: .text, threshold: .error)
        let remote = RemoteDocuments(options)
        // Problems in some stubs must not keep the others from being checked.
        let loader = StubLoader(
            folder: folder, session: session, selfWrites: SelfWrites(), log: log, looksCloser: false, keepsGoing: true,
            remote: remote)
        var contents = StubFolderContents()
        let diagnostics: [FileDiagnostic]
        if let files {
            contents.files = files
            diagnostics = loader.load(files)
        } else {
            let found: [FileDiagnostic]
            (found, contents) = loader.loadAll(atOnce: false)
            diagnostics = found + loader.foreignBodyWarnings
        }
        var findings = diagnostics.map { Finding(diagnostic: $0) }
        let isWhole = !diagnostics.contains { $0.severity == .error }
        // Problems found while reading are not reported again.
        let said = Set(diagnostics.map(\.place))
        findings += FolderFindings(session, folder, contents, isWhole: isWhole).all.filter {
            !said.contains($0.diagnostic.place)
        }
        for (file, problems) in session.contractWarnings() {
            findings += ContractFindings.placed(problems, in: file, of: folder, contents).filter {
                !said.contains($0.diagnostic.place)
            }
        }
        if let contract { findings += ContractFindings.of(contents, in: folder, session, document: contract, remote) }
        let skipped = loader.skipped
        return Result(
            findings: findings.inFolderOrder, files: contents.files.count - skipped.count,
            stubs: session.stubCount + session.messageStubCount,
            sets: session.faultSets.count, documents: session.contractFiles.count, skipped: skipped)
    }

    // MARK: - Printing

    private static func print(_ result: Result, _ options: ValidateOptions) -> Int32 {
        let errors = result.findings.filter { $0.diagnostic.severity == .error }.count
        let skipped = result.skipped.merging(result.passedOver) { first, _ in first }.sorted { $0.key < $1.key }
        let printed: Int32
        switch options.format {
        case .json:
            printed = Console.print(document: [
                "valid": .bool(errors == 0),
                "files": .number(JSONNumber(result.files)),
                "stubs": .number(JSONNumber(result.stubs)),
                "diagnostics": .array(result.findings.map(\.json)),
                "skipped": .array(skipped.map { ["file": .string($0.key), "reason": .string($0.value)] }),
            ])
        case .text:
            var text = ""
            for finding in result.findings { text += finding.diagnostic.description + "\n" }
            if options.serve.verbose || !options.paths.isEmpty {
                for (file, reason) in skipped { text += "\(file): skipped: \(reason)\n" }
            }
            let warnings = result.findings.count - errors
            text += "\(result.files.of("file")), \(result.stubs.of("stub")), \(errors.of("error"))"
            if warnings > 0 { text += ", \(warnings.of("warning"))" }
            text += skipped.isEmpty ? "\n" : ", \(skipped.count) skipped\n"
            printed = Console.show(text)
        }
        return errors == 0 ? printed : 1
    }
}

extension FileDiagnostic {
    fileprivate var place: [String] { [file] + pointer.tokens }
}

extension [Finding] {
    /// The findings by file, in each file by position.
    fileprivate var inFolderOrder: [Finding] {
        enumerated().sorted { left, right in
            let (first, second) = (left.element.diagnostic, right.element.diagnostic)
            if first.file != second.file { return first.file < second.file }
            let (start, end) = (first.position?.offset ?? 0, second.position?.offset ?? 0)
            return start == end ? left.offset < right.offset : start < end
        }.map(\.element)
    }
}
