import SDBasics
import SDCommand
import SDContractImport
import SDFolders
import SDJSON
import SDPlatform
import SDServing
import SDStubFiles

/// `stuntdouble import openapi`: writes a document's operations as routes.
enum ImportDescription {
    /// Runs the command.
    /// - Returns: the exit status: 0 if routes were written, 1 if none was or a write failed, 2 if the document cannot
    ///   be read.
    static func run(_ bytes: [UInt8], _ options: ImportOptions) -> Int32 {
        let name = String(SystemCalls.lastName(of: options.file))
        let folder = StubFolder(path: SystemCalls.parent(of: options.file))
        let format = StubFile.Format(path: name) ?? (bytes.first == UInt8(ascii: "{") ? .json : .yaml)
        let file = StubFile.read(
            bytes, format: format, path: options.file,
            neighbours: folder.neighbours(of: name, RemoteDocuments(options.serve)))
        guard let contract = file.contracts.first(where: \.isOwn) else {
            let problems = file.diagnostics.filter { $0.severity == .error }
            Console.print(
                problems.isEmpty
                    ? [notADocument(options.file)] : problems)
            return 2
        }
        let stem = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
        let made = ContractImport(contract.served, idSeed: "import \(stem)")
        let map = SourceMap(scanning: bytes, as: format, for: made.losses.map(\.place))
        let losses = made.losses.map { loss in
            FileDiagnostic(
                severity: .warning, file: options.file,
                position: loss.place.tokens.isEmpty ? nil : map.position(ofKeyAt: loss.place), message: loss.message)
        }
        let warnings = (file.diagnostics + losses).map(\.description)
        guard !made.stubs.isEmpty else {
            Console.error(
                (warnings + ["error: \(options.file) has no operation of which a route can be made"])
                    .joined(separator: "\n"), fix: "stuntdouble validate \(options.file)")
            return 1
        }
        return write(made, stem, warnings, options)
    }

    private static func notADocument(_ file: String) -> FileDiagnostic {
        FileDiagnostic(
            severity: .error, file: file, position: nil, message: "no OpenAPI document",
            expected: "a document with openapi or swagger, and paths")
    }

    private static func write(
        _ made: ContractImport, _ stem: String, _ warnings: [String], _ options: ImportOptions
    ) -> Int32 {
        let isYAML = options.format == .yaml
        let text =
            isYAML
            ? made.routes(of: String(SystemCalls.lastName(of: options.file))) : made.mappings.prettyText + "\n"
        var path = "\(options.folder)/\(stem)\(isYAML ? ".yaml" : ".json")"
        // Never overwrite the document itself.
        if isSame(path, options.file) { path = "\(options.folder)/\(stem).routes\(isYAML ? ".yaml" : ".json")" }
        let known = read(path)
        let bytes = Array(text.utf8)
        if let known, known != bytes {
            Console.error(
                "error: already there, and different: \(path)", fix: "remove \(path), or give another folder with --to")
            return 1
        }
        do throws(SystemError) {
            if known == nil {
                try SystemCalls.makeFolders(options.folder)
                try SystemCalls.replaceFile(path, with: bytes)
            }
        } catch {
            Console.error(
                "error: cannot write \(path): \(error.reason)", fix: "give --to a folder that can be written to")
            return 1
        }
        let stubs = made.stubs.count
        return Console.print(
            [
                "folder": .string(options.folder),
                "files": [["path": .string(path), "written": .bool(known == nil)]],
                "stubs": .number(JSONNumber(stubs)), "remarks": .array(warnings.map { .string($0) }),
            ],
            else: Printable.lines(
                (warnings + ["\(known == nil ? "Wrote" : "As before:") \(path): \(stubs.of("stub"))"])
                    .map { $0 + "\n" }.joined()))
    }

    private static func read(_ path: String) -> [UInt8]? {
        guard let file = try? SystemCalls.open(path, .read) else { return nil }
        return try? SystemCalls.readAll(file, limit: 1 << 30, path: path)
    }

    private static func isSame(_ one: String, _ other: String) -> Bool {
        guard let one = try? SystemCalls.resolve(one), let other = try? SystemCalls.resolve(other) else { return false }
        return one == other
    }
}
