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

/// `stuntdouble import`: makes stubs of an archive, and writes them as `stuntdouble record` does, or of an OpenAPI document.
enum ImportCommand {
    /// The largest archive that is read.
    private static let largestFile = 2 << 30

    /// Runs the command.
    /// - Returns: the exit status: 0 with stubs written, 1 without any, or if something could not be written, 2 if the
    ///   archive cannot be read.
    static func run(_ options: ImportOptions) -> Int32 {
        SystemCalls.ignoreFileSizeSignals()
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try read(options.file)
        } catch {
            Console.tell([
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
            Console.tell(error.diagnostics(file: options.file))
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
        // A file for each server, as if each had been recorded.
        let writer = RecordedWriter(folder: options.folder, format: options.format, names: names)
        let result = writer.write(whole, of: origin)
        let problems = result.report.problems
        let remarks = archive.remarkTexts(file: options.file)
        Console.print(
            [
                "folder": .string(options.folder), "exchanges": .number(JSONNumber(whole.count)),
                "files": .array(result.report.changes.map(\.json)), "secrets": .number(JSONNumber(result.secrets)),
                "remarks": .array((remarks + result.report.remarks).map { .string($0) }),
            ],
            else: Printable.lines((remarks + result.texts).map { $0 + "\n" }.joined()))
        for problem in problems { Console.complain("error: " + problem, fix: RecordedFolder.Report.fix) }
        if whole.isEmpty {
            Console.complain(
                "error: \(options.file) has no exchange of which a stub can be made",
                fix: options.hosts.isEmpty ? "save the archive with the contents of answers" : "leave out --host")
        }
        return problems.isEmpty && !whole.isEmpty ? 0 : 1
    }

    /// Scheme and host of an exchange's server.
    private static func origin(_ exchange: RecordedExchange) -> String {
        let start = exchange.url.firstRange(ofText: "://")?.upperBound ?? exchange.url.startIndex
        let end = exchange.url[start...].firstIndex { $0 == "/" } ?? exchange.url.endIndex
        return String(exchange.url[..<end])
    }
}

/// The files beside an archive in which tools put bodies. No link leads out of the folder, and each file is read once.
private final class AttachedFiles {
    /// The most bytes of all files.
    private static let most = 1 << 30

    private let folder: String
    private var known: [String: [UInt8]] = [:]
    private var bytes = 0

    init(folder: String) {
        self.folder = folder
    }

    /// The content of a file; nil for none, for what is no file, and for what would be too much.
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
