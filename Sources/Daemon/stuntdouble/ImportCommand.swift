import SDArchives
import SDBasics
import SDCapture
import SDCommand
import SDFolders
import SDJSON
import SDPlatform
import SDRecording
import SDSecrets
import SDServing
import SDStubFiles

/// `stuntdouble import`: makes stubs from an archive, written as `stuntdouble record` does, or from an OpenAPI
/// document.
enum ImportCommand {
    /// The maximum size of an archive in bytes.
    private static let largestFile = 2 << 30

    /// Runs the command.
    /// - Returns: the exit status: 0 if stubs were written, 1 if none was or a write failed, 2 if the archive cannot be
    ///   read.
    static func run(_ options: ImportOptions) -> Int32 {
        SystemCalls.ignoreFileSizeSignals()
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try read(options.file)
        } catch {
            Console.print([
                FileDiagnostic(severity: .error, file: options.file, position: nil, message: error.reason)
            ])
            return 2
        }
        guard options.kind == .har else { return ImportDescription.run(bytes, options) }
        do throws(ArchiveProblems) {
            let files = AttachedFiles(folder: SystemCalls.parent(of: options.file))
            let archive = try HTTPArchive(bytes, hosts: options.hosts) { files.read($0) }
            return write(archive, options)
        } catch {
            Console.print(error.diagnostics(file: options.file))
            return 2
        }
    }

    private static func read(_ path: String) throws(SystemError) -> [UInt8] {
        let descriptor = try SystemCalls.open(path, .readWaiting)
        let status = try SystemCalls.status(of: descriptor)
        return try SystemCalls.readAll(descriptor, limit: largestFile, path: path, waiting: status.kind != .file)
    }

    private static func write(_ archive: HTTPArchive, _ options: ImportOptions) -> Int32 {
        let whole = archive.exchanges.filter { $0.missingBytes == 0 }
        let names = SecretNames(
            options.redacted + redactedNames(in: StubRoot(path: options.folder, layout: .free)))
        // One file per server, as if each had been recorded separately.
        let writer = RecordedWriter(folder: options.folder, format: options.format, names: names)
        let result = writer.write(whole, of: origin)
        let problems = result.report.problems
        let warnings = archive.warningTexts(file: options.file)
        Console.print(
            [
                "folder": .string(options.folder), "exchanges": .number(JSONNumber(whole.count)),
                "files": .array(result.report.changes.map(\.json)), "secrets": .number(JSONNumber(result.secrets)),
                "remarks": .array((warnings + result.report.warnings).map { .string($0) }),
            ],
            else: Printable.lines((warnings + result.texts).map { $0 + "\n" }.joined()))
        for problem in problems { Console.error("error: " + problem, fix: RecordedFolder.Report.fix) }
        if whole.isEmpty {
            Console.error(
                "error: \(options.file) has no exchange of which a stub can be made",
                fix: options.hosts.isEmpty ? "save the archive with the contents of answers" : "leave out --host")
        }
        return problems.isEmpty && !whole.isEmpty ? 0 : 1
    }

    /// The scheme and host of an exchange's server.
    private static func origin(_ exchange: RecordedExchange) -> String {
        let start = exchange.url.firstRange(ofText: "://")?.upperBound ?? exchange.url.startIndex
        let end = exchange.url[start...].firstIndex { $0 == "/" } ?? exchange.url.endIndex
        return String(exchange.url[..<end])
    }
}

/// The files beside an archive in which tools store bodies. Links must not lead out of the folder, and each file is
/// read once.
private final class AttachedFiles {
    /// The maximum size of all files together in bytes.
    private static let most = 1 << 30

    private let folder: String
    private var known: [String: [UInt8]] = [:]
    private var bytes = 0

    init(folder: String) {
        self.folder = folder
    }

    /// A file's content; nil if it is missing, not a file, or beyond the limit.
    func read(_ name: String) -> [UInt8]? {
        if let known = known[name] { return known }
        guard let descriptor = try? SystemCalls.openBeneath(folder, "\(folder)/\(name)"),
            (try? SystemCalls.status(of: descriptor))?.kind == .file,
            let content = try? SystemCalls.readAll(descriptor, limit: Self.most - bytes, path: name)
        else { return nil }
        bytes += content.count
        known[name] = content
        return content
    }
}
