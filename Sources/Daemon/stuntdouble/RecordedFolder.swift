import SDBasics
import SDFolders
import SDJSON
import SDLinting
import SDMatching
import SDPlatform
import SDRecording
import SDStubFiles
import SDStubModel

/// The output folder of `stuntdouble record`. Files changed by hand are kept.
struct RecordedFolder {
    /// What was written, and the problems.
    struct Report {
        var changes: [Change] = []
        /// Warnings about what differs from the traffic or was left out.
        var warnings: [String] = []
        var problems: [String] = []

        /// The fix for a failed write.
        static let fix = "give --to a folder that can be written to"
    }

    /// The result for a file, or for a folder of files.
    struct Change {
        /// The text for people; may have several lines.
        let text: String
        /// `file` or `folder`, `result` (`written`, `unchanged`, `kept`), and numbers.
        let json: JSONValue
    }

    let path: String
    let target: String

    /// The recorded server as a file name: its host, and the port if it is named.
    var name: String {
        let authority = (target.firstRange(ofText: "://").map { target[$0.upperBound...] } ?? target[...])
            .prefix { $0 != "/" && $0 != "?" }
        let host = authority.split(separator: "@").last ?? authority
        let cleaned = host.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".") ? $0 : "-" }
        let name = String(cleaned.drop { $0 == "." })
        return name.isEmpty ? "recorded" : name
    }

    // MARK: Routes

    /// Writes stubs as routes, merged with those of earlier recordings. Waits for other recorders.
    func write(_ routes: RecordedRoutes) -> Report {
        locked { report in
            report.warnings = routes.warnings
            var bodies = RecordedBodies(routes.bodyFiles, in: self)
            bodies.write(&report)
            let stubs = routes.stubs.filter { isReadable($0, &report) }.compactMap { bodies.completed($0, &report) }
            write(stubs, &bodies, &report)
            bodies.tell(&report)
        }
    }

    private func write(_ stubs: [StubMapping], _ bodies: inout RecordedBodies, _ report: inout Report) {
        var new = stubs
        // In a folder with `mappings`, stub files beside it are not read.
        let place = SystemCalls.isFolder("\(path)/mappings") ? "mappings/" : ""
        var file = "\(place)\(name).yaml"
        var number = 1
        // A link or a file changed by hand is kept, and new stubs go into the next file.
        while true {
            if isLink(file) {
                report.changes.append(Change(kept: file, "is a link", []))
            } else if let bytes = read(file) {
                let text = String(decoding: bytes, as: UTF8.self)
                let (stubs, diagnostics) = StubFile.parse(bytes, format: .yaml, path: file)
                let isReadable = !diagnostics.contains { $0.severity == .error }
                if isReadable, RecordedFile(text)?.isUntouched == true {
                    return finish(file, text, merging: new, with: stubs.reversed(), &bodies, &report)
                }
                let known = Self.byRequest(stubs)
                let differing = new.filter { stub in known[stub.request].map { !$0.answers(like: stub) } ?? false }
                    .map(\.title)
                report.changes.append(
                    Change(kept: file, isReadable ? "was changed by hand" : "cannot be read", differing))
                new.removeAll { known[$0.request] != nil }
            } else {
                break
            }
            number += 1
            file = "\(place)\(name)-\(number).yaml"
        }
        if !new.isEmpty { finish(file, nil, merging: new, with: [], &bodies, &report) }
    }

    /// Writes a file of routes. If the disk is full, the largest stubs are left out.
    private func finish(
        _ file: String, _ former: String?, merging stubs: [StubMapping], with old: [StubMapping],
        _ bodies: inout RecordedBodies, _ report: inout Report
    ) {
        let oldOnes = Self.byRequest(old)
        var new = stubs
        var largest: [StubMapping]?
        var count = 1
        while true {
            let newOnes = Self.byRequest(new)
            let kept = old.filter { newOnes[$0.request] == nil }
            let changed = new.filter { stub in oldOnes[stub.request].map { !$0.answers(like: stub) } ?? false }.count
            let added = new.filter { oldOnes[$0.request] == nil }.count
            let stubs = RecordedRoutes.sorted(new + kept)
            let text = RecordedFile.text(StubFileText.yaml(stubs), from: target.withoutUser)
            guard text != former else {
                return report.changes.append(
                    Change(
                        text: "\(file) stays as it is: \(stubs.count.of("stub"))",
                        json: [
                            "file": .string(file), "result": "unchanged", "stubs": .number(JSONNumber(stubs.count)),
                        ]))
            }
            guard let failure = write(file, Array(text.utf8)) else {
                let rest = kept.count + new.count - added - changed
                return report.changes.append(
                    Change(
                        text: "Wrote \(file): \(added.of("stub")) added, \(changed) changed, \(rest) as before",
                        json: [
                            "file": .string(file), "result": "written", "added": .number(JSONNumber(added)),
                            "changed": .number(JSONNumber(changed)), "same": .number(JSONNumber(rest)),
                        ]))
            }
            if largest == nil { report.problems.append(failure.text) }
            guard failure.isFull, !new.isEmpty else { return }
            var left = largest ?? bodies.sorted(new)
            let removed = left.suffix(count)
            left.removeLast(removed.count)
            for stub in removed { report.problems.append("\(stub.title) is left out: there is no room for it") }
            bodies.remove(of: Array(removed), except: left)
            (new, largest, count) = (left, left, count * 2)
            if new.isEmpty { return }
        }
    }

    /// The first stub of each request pattern.
    private static func byRequest(_ stubs: [StubMapping]) -> [RequestPattern: StubMapping] {
        Dictionary(stubs.map { ($0.request, $0) }) { first, _ in first }
    }

    /// Whether a stub can be read back and served; otherwise it is left out and reported. An unreadable stub would make
    /// the whole file invalid.
    private func isReadable(_ stub: StubMapping, _ report: inout Report) -> Bool {
        let bytes = Array(StubFileText.yaml([stub]).utf8)
        let (stubs, diagnostics) = StubFile.parse(bytes, format: .yaml, path: name)
        var reason = diagnostics.first { $0.severity == .error }?.message
        if reason == nil, stubs.count != 1 { reason = "it reads as \(stubs.count.of("stub"))" }
        do throws(PatternProblems) {
            _ = try CompiledPattern(stub.request)
        } catch {
            reason = reason ?? error.problems.first?.message
        }
        var unmarked = stub
        unmarked.metadata = nil
        let reserved = StubLint.findings(in: unmarked).first { $0.code == .reservedPath }
        guard let reason = reason ?? reserved?.problem.message else { return true }
        report.warnings.append("\(stub.title) is left out: \(reason)")
        return false
    }

    // MARK: Mappings

    /// Writes stubs as WireMock's files, one per stub, small ones first, in case the disk is full.
    func write(_ mappings: RecordedMappings) -> Report {
        locked { report in
            report.warnings = mappings.warnings
            var bodies = RecordedBodies(mappings.bodyFiles, in: self)
            let stubs = mappings.stubs.filter { isReadable($0, &report) }
            writeMappings(bodies.sorted(stubs), &bodies, &report)
            bodies.tell(&report)
        }
    }

    private func writeMappings(_ stubs: [StubMapping], _ bodies: inout RecordedBodies, _ report: inout Report) {
        var (written, same) = (0, 0)
        for recorded in stubs {
            bodies.write(of: recorded, &report)
            guard var stub = bodies.completed(recorded, &report) else { continue }
            let url =
                switch stub.request.url {
                case .url(let text), .urlPath(let text): text
                default: ""
                }
            let method = if case .exactly(let name) = stub.request.method { name } else { "any" }
            let file = "mappings/" + StubFileName.make(name: stub.name, method: method, url: url, id: stub.idText)
            stub.markAsRecorded()
            let bytes = stub.json(view: .file).prettyBytes + Array("\n".utf8)
            if isLink(file) {
                report.changes.append(Change(kept: file, "is a link", []))
                continue
            }
            if let known = read(file) {
                if known == bytes {
                    same += 1
                    continue
                }
                guard isUntouched(known) else {
                    report.changes.append(Change(kept: file, "was changed by hand", []))
                    continue
                }
            }
            if let failure = write(file, bytes) {
                report.problems.append(failure.text)
                bodies.remove(of: [recorded], except: [])
            } else {
                written += 1
            }
        }
        report.changes.append(
            Change(
                text: "Wrote \(written.of("mapping")) to \(path)/mappings, \(same) are as before",
                json: [
                    "folder": .string("\(path)/mappings"), "result": "written",
                    "mappings": .number(JSONNumber(written)),
                    "same": .number(JSONNumber(same)),
                ]))
    }

    private func isUntouched(_ bytes: [UInt8]) -> Bool {
        (try? StubMapping(json: JSONValue(parsing: bytes)))?.isAsRecorded == true
    }

    // MARK: Files

    /// Runs `body` while no other recorder changes the folder.
    private func locked(_ body: (inout Report) -> Void) -> Report {
        var report = Report()
        do throws(SystemError) {
            try SystemCalls.makeFolders(path)
            let lock = try SystemCalls.lockFolder(path)
            body(&report)
            _ = consume lock
        } catch {
            // Write without the lock: otherwise the recording is lost. Another recorder may overwrite it.
            report.problems.append("cannot lock \(path) against other recorders: \(error.reason)")
            body(&report)
        }
        return report
    }

    func read(_ name: String) -> [UInt8]? {
        guard let file = try? SystemCalls.openBeneath(path, "\(path)/\(name)") else { return nil }
        return try? SystemCalls.readAll(file, limit: 1 << 30, path: name)
    }

    private func isLink(_ name: String) -> Bool {
        (try? SystemCalls.status(of: "\(path)/\(name)", followingLinks: false))?.kind == .link
    }

    /// Why a write failed.
    struct Failure {
        let text: String
        /// Whether the disk is full.
        var isFull = false
    }

    /// Writes a file below the folder. Links must not lead out of it.
    /// - Returns: nil on success.
    func write(_ name: String, _ bytes: [UInt8]) -> Failure? {
        do throws(BodyFileProblem) {
            try BodyFiles(path: path).write(name, bytes)
            return nil
        } catch {
            let reason =
                switch error {
                case .unreadable(_, let error): error.reason
                case .escapes: "a link leads out of the folder"
                default: "there is no place for it"
                }
            let isFull = if case .unreadable(_, let error) = error { error.isNoRoom } else { false }
            return Failure(text: "cannot write \(path)/\(name): \(reason)", isFull: isFull)
        }
    }
}

extension StubMapping {
    fileprivate func answers(like other: StubMapping) -> Bool {
        responses == other.responses && (responses != nil || response == other.response)
    }

    var title: String {
        let method = if case .exactly(let name) = request.method { name } else { "ANY" }
        let path =
            switch request.url {
            case .url(let text), .urlPath(let text): text
            default: ""
            }
        return "\(method) \(path)"
    }
}

extension RecordedFolder.Change {
    /// A file that is kept instead of replaced.
    /// - Parameter differing: the file's stubs that answer differently from what was recorded.
    fileprivate init(kept file: String, _ reason: String, _ differing: [String]) {
        text =
            (["\(file) \(reason), and stays as it is"]
            + differing.map { "  \($0) answers differently from what was recorded" }).joined(separator: "\n")
        json = [
            "file": .string(file), "result": "kept", "reason": .string(reason),
            "differing": .array(differing.map { .string($0) }),
        ]
    }
}

/// A recorded file of routes. Its first line names the server, and reveals changes made since.
private struct RecordedFile {
    let isUntouched: Bool

    private static let head = "# Recorded from "
    private static let mark = ", checksum "

    init?(_ text: String) {
        guard text.hasPrefix(Self.head), let end = text.firstIndex(of: "\n") else { return nil }
        let line = text[..<end]
        guard let mark = line.firstRange(ofText: Self.mark) else { return nil }
        let rest = text[text.index(after: end)...]
        isUntouched = line[mark.upperBound...] == Self.checksum(String(rest))
    }

    static func text(_ routes: String, from target: String) -> String {
        let rest = StubSchema.modeline + "\n" + routes
        return "\(head)\(target)\(mark)\(checksum(rest))\n\(rest)"
    }

    static func checksum(_ text: String) -> String {
        String(StubMapping.id(hashing: text).lowercasedString.prefix(8))
    }
}
