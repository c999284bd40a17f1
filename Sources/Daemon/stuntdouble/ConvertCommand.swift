import SDBasics
import SDCommand
import SDFolders
import SDJSON
import SDPlatform
import SDStubFiles

/// `stuntdouble convert`: rewrites stub files as routes or as WireMock's mappings.
enum ConvertCommand {
    /// A file to convert.
    private struct Source {
        /// The folder to which it belongs; body files are in its `__files`.
        var root: String
        var file: FolderFile
    }

    /// A converted file.
    private struct Output {
        var source: String
        /// The path below the output folder.
        var name: String
        var conversion: StubConversion
        var text: String
        /// Whether this output holds the parts that the target format cannot express.
        var isRest = false
    }

    /// Runs the command.
    /// - Returns: the exit status: 1 for files with errors, and if a file would be overwritten.
    static func run(_ options: ConvertOptions) -> Int32 {
        let (sources, problems) = sources(of: options.paths)
        var conversions: [(StubConversion, Source)] = []
        var diagnostics = problems
        var skipped: [JSONValue] = []
        for source in sources {
            let file = source.file
            guard let format = StubFile.Format(path: file.relativePath) else { continue }
            let parsed = StubFile.read(file.bytes, format: format, path: file.path)
            let errors = parsed.diagnostics.filter { $0.severity == .error }
            diagnostics += errors
            if let reason = parsed.reasonToSkip {
                skipped.append(["file": .string(file.path), "reason": .string(reason)])
                continue
            }
            guard errors.isEmpty else { continue }
            let form = options.format.flatMap { StubConversion.Form(rawValue: $0.rawValue) }
            let conversion = StubConversion(
                of: parsed, to: form, keepsIDs: options.keepsIDs, areTemplates: options.areTemplates)
            conversions.append((conversion, source))
        }
        // In a folder with `mappings`, stub files beside it are not read.
        let isBelow =
            conversions.contains { $0.0.form == .wiremock }
            || options.folder.map { SystemCalls.isFolder("\($0)/mappings") } ?? false
        var outputs: [Output] = []
        for (conversion, source) in conversions {
            outputs += self.outputs(of: conversion, source, below: isBelow ? "mappings/" : "", besides: outputs)
        }
        guard diagnostics.isEmpty else { return printErrors(diagnostics) }
        guard !outputs.isEmpty else {
            Console.error("no stubs in \(options.paths.joined(separator: ", "))", fix: "stuntdouble validate -v")
            return 1
        }
        printAdditions(outputs)
        let texts = conversions.reduce(0) { $0 + ($1.0.form == .yaml ? $1.0.texts : 0) }
        if texts > 0 {
            Console.info(
                "the templates of \(texts.of("stub")) are written as texts, with template: false; "
                    + "--global-response-templating converts them as templates")
        }
        guard let folder = options.folder else { return print(outputs, options) }
        return write(outputs, bodiesOf: Set(sources.map(\.root)).sorted(), to: folder, options, skipped)
    }

    private static func sources(of paths: [String]) -> ([Source], [FileDiagnostic]) {
        let named = NamedFiles(paths)
        var sources: [Source] = []
        var problems = named.problems
        for path in named.folders {
            let folder = StubFolder(path: path)
            let contents = folder.read()
            sources += contents.files.map { Source(root: folder.path, file: $0) }
            problems += contents.problems.map {
                FileDiagnostic(severity: .error, file: $0.path, position: nil, message: $0.error.reason)
            }
        }
        for (root, files) in named.files { sources += files.map { Source(root: root, file: $0) } }
        problems += named.passedOver.sorted { $0.key < $1.key }.map {
            FileDiagnostic(severity: .error, file: $0.key, position: nil, message: "no stub file: \($0.value)")
        }
        return (sources, problems)
    }

    // MARK: Names

    private static func outputs(
        of conversion: StubConversion, _ source: Source, below folder: String, besides others: [Output]
    ) -> [Output] {
        var stem = source.file.relativePath[...]
        if stem.hasPrefix("mappings/") { stem = stem.dropFirst("mappings/".count) }
        if let dot = stem.lastIndex(of: ".") { stem = stem[..<dot] }
        let base = folder + stem
        var name = base
        var number = 1
        while others.contains(where: { $0.name == name + conversion.form.ending }) {
            number += 1
            name = "\(base)-\(number)"
        }
        func output(_ text: String, _ ending: String, isRest: Bool = false) -> Output {
            Output(
                source: source.file.path, name: name + ending, conversion: conversion, text: text, isRest: isRest)
        }
        return [
            conversion.text.map { output($0, conversion.form.ending) },
            conversion.rest.map { output($0, ".chaos.yaml", isRest: true) },
        ].compactMap(\.self)
    }

    // MARK: Printing

    private static func print(_ outputs: [Output], _ options: ConvertOptions) -> Int32 {
        let texts = outputs.filter { !$0.isRest }
        guard texts.count <= 1 else {
            let paths = options.paths.joined(separator: " ")
            Console.error(
                "\(texts.count) files need a folder that they are written to",
                fix: "stuntdouble convert \(paths) --to converted")
            return 2
        }
        if texts.count < outputs.count {
            Console.info(
                "\"chaos\", and \"cors\" alone, cannot be expressed in WireMock's form: with --to they get a file of their own"
            )
        }
        guard let output = texts.first else { return 1 }
        var json = summary(of: output)
        json["text"] = .string(output.text)
        return Console.print(.object(json), else: output.text)
    }

    private static func summary(of output: Output) -> JSONObject {
        let conversion = output.conversion
        return [
            "from": .string(output.source), "format": .string(conversion.form.rawValue),
            "stubs": .number(JSONNumber(output.isRest ? 0 : conversion.stubs)),
            "mappings": .number(JSONNumber(output.isRest ? 0 : conversion.mappings)),
            "additions": .array(conversion.additions.map(JSONValue.string)),
        ]
    }

    private static func printAdditions(_ outputs: [Output]) {
        for output in outputs where !output.conversion.additions.isEmpty && !output.isRest {
            Console.info(
                "\(output.source) has what WireMock does not: \(output.conversion.additions.joined(separator: ", "))")
        }
    }

    private static func printErrors(_ diagnostics: [FileDiagnostic]) -> Int32 {
        Console.print(diagnostics)
        return 1
    }

    // MARK: Writing

    private static func write(
        _ outputs: [Output], bodiesOf roots: [String], to folder: String, _ options: ConvertOptions,
        _ skipped: [JSONValue]
    ) -> Int32 {
        var files = outputs.map { (path: "\(folder)/\($0.name)", bytes: Array($0.text.utf8)) }
        let count = files.count
        for root in roots where !isSame("\(root)/__files", "\(folder)/__files") {
            addBodies("\(root)/__files", "\(folder)/__files", to: &files)
        }
        let standing = files.map { read($0.path) }
        let differing = zip(files, standing).filter { $1 != nil && $1 != $0.bytes }.map(\.0.path)
        guard differing.isEmpty || options.overwrites else {
            let paths = options.paths.joined(separator: " ")
            Console.error(
                "already there, and different: \(differing.joined(separator: ", "))",
                fix: "stuntdouble convert \(paths) --to \(folder) --force")
            return 1
        }
        for (file, known) in zip(files, standing) where known != file.bytes {
            do throws(SystemError) {
                try SystemCalls.makeFolders(SystemCalls.parent(of: file.path))
                try SystemCalls.replaceFile(file.path, with: file.bytes)
            } catch {
                Console.error(
                    "cannot write \(file.path): \(error.reason)", fix: "give --to a folder that can be written to")
                return 1
            }
        }
        let summaries = outputs.indices.map { index in
            var summary = summary(of: outputs[index])
            summary["to"] = .string(files[index].path)
            summary["written"] = .bool(standing[index] != files[index].bytes)
            return summary
        }
        let stubs = outputs.reduce(0) { $0 + ($1.isRest ? 0 : $1.conversion.stubs) }
        let document: JSONValue = [
            "files": .array(summaries.map(JSONValue.object)), "stubs": .number(JSONNumber(stubs)),
            "bodies": .number(JSONNumber(files.count - count)), "skipped": .array(skipped),
        ]
        var text = ""
        for (index, output) in outputs.enumerated() {
            let isNew = standing[index] != files[index].bytes
            text += "\(isNew ? "Wrote" : "As before:") \(files[index].path)"
            text += output.isRest ? ": what WireMock's form has no place for\n" : ": \(counts(of: output.conversion))\n"
        }
        if files.count > count { text += "Body files: \(files.count - count) in \(folder)/__files\n" }
        return Console.print(document, else: text)
    }

    private static func counts(of conversion: StubConversion) -> String {
        let stubs = conversion.stubs.of("stub")
        guard conversion.form == .yaml, conversion.mappings > 0 else { return stubs }
        return stubs + ", \(conversion.mappings) in WireMock's form"
    }

    private static func addBodies(_ folder: String, _ target: String, to files: inout [(path: String, bytes: [UInt8])])
    {
        for entry in (try? SystemCalls.entries(of: folder)) ?? [] {
            let (path, place) = ("\(folder)/\(entry.name)", "\(target)/\(entry.name)")
            if SystemCalls.isFolder(path) {
                addBodies(path, place, to: &files)
            } else if let bytes = read(path) {
                files.append((place, bytes))
            }
        }
    }

    private static func isSame(_ one: String, _ other: String) -> Bool {
        guard let one = try? SystemCalls.resolve(one), let other = try? SystemCalls.resolve(other) else { return false }
        return one == other
    }

    private static func read(_ path: String) -> [UInt8]? {
        guard let file = try? SystemCalls.open(path, .read) else { return nil }
        return try? SystemCalls.readAll(file, limit: 1 << 30, path: path)
    }
}
