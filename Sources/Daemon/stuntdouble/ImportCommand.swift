import SDArchives
import SDBasics
import SDCommand
import SDFolders
import SDJSON
import SDPlatform
import SDRecording
import SDStubFiles

/// `stuntdouble import har`: makes stubs of an archive, and writes them as `stuntdouble record` does.
enum ImportCommand {
    /// The largest archive that is read.
    private static let largestFile = 2 << 30

    /// Runs the command.
    /// - Returns: the exit status: 0 with stubs written, 1 without any, or if something could not be written, 2 if the
    ///   archive cannot be read.
    static func run(_ options: ImportOptions) -> Int32 {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try read(options.file)
        } catch {
            Console.tell([
                FileDiagnostic(severity: .error, file: options.file, position: nil, message: error.reason)
            ])
            return 2
        }
        do throws(ArchiveProblems) {
            let folder = SystemCalls.parent(of: options.file)
            let archive = try HTTPArchive(bytes, hosts: options.hosts) { try? read("\(folder)/\($0)") }
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
        var changes: [RecordedFolder.Change] = []
        var problems: [String] = []
        let names = SecretNames(options.redacted)
        let redacted = RedactedExchanges(whole, names)
        // A file for each server, as if each had been recorded.
        for (origin, exchanges) in grouped(redacted.exchanges) {
            let folder = RecordedFolder(path: options.folder, target: origin)
            let report: RecordedFolder.Report
            switch options.format {
            case .yaml:
                var routes = RecordedRoutes.Options()
                routes.folder = folder.name
                report = folder.write(RecordedRoutes(of: exchanges, names, routes))
            case .wiremock:
                report = folder.write(RecordedMappings(of: exchanges, names, keepsTiming: false))
            }
            changes += report.changes
            problems += report.problems
        }
        var lines = archive.remarkTexts + changes.map(\.text)
        if redacted.count > 0 { lines.append("\(redacted.count.of("secret")) became \(RedactedExchanges.placeholder)") }
        Console.print(
            [
                "folder": .string(options.folder), "exchanges": .number(JSONNumber(whole.count)),
                "files": .array(changes.map(\.json)), "secrets": .number(JSONNumber(redacted.count)),
                "remarks": .array(archive.remarkTexts.map { .string($0) }),
            ],
            else: lines.map { $0 + "\n" }.joined())
        for problem in problems { Console.complain("error: " + problem, fix: RecordedFolder.Report.fix) }
        if whole.isEmpty {
            Console.complain(
                "error: \(options.file) has no exchange of which a stub can be made",
                fix: options.hosts.isEmpty ? "save the archive with the contents of answers" : "leave out --host")
        }
        return problems.isEmpty && !whole.isEmpty ? 0 : 1
    }

    /// The exchanges of each server, by scheme and host, in the order of the first of each.
    private static func grouped(_ exchanges: [RecordedExchange]) -> [(origin: String, exchanges: [RecordedExchange])] {
        var groups: [(origin: String, exchanges: [RecordedExchange])] = []
        for exchange in exchanges {
            let start = exchange.url.firstRange(ofText: "://")?.upperBound ?? exchange.url.startIndex
            let end = exchange.url[start...].firstIndex { $0 == "/" } ?? exchange.url.endIndex
            let origin = String(exchange.url[..<end])
            if let place = groups.firstIndex(where: { $0.origin == origin }) {
                groups[place].exchanges.append(exchange)
            } else {
                groups.append((origin, [exchange]))
            }
        }
        return groups
    }
}
