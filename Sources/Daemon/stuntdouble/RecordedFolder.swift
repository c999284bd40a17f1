import SDBasics
import SDFolders
import SDJSON
import SDMatching
import SDPlatform
import SDRecording
import SDStubFiles
import SDStubModel

/// The folder that `stuntdouble record` writes to. What people have changed there stays.
struct RecordedFolder {
    /// What was done, and what could not be.
    struct Report {
        var changes: [Change] = []
        /// What is not as it was, or was left out, for people.
        var remarks: [String] = []
        var problems: [String] = []

        /// The step to take where something could not be written.
        static let fix = "give --to a folder that can be written to"
    }

    /// What became of a file, or of a folder of files.
    struct Change {
        /// For people: a line, or several.
        let text: String
        /// `file` or `folder`, `result` (`written`, `unchanged`, `kept`), and numbers.
        let json: JSONValue
    }

    let path: String
    let target: String

    private static let bodies = "__files"

    /// The recorded server as a name of files: its host, with the port if it is named.
    var name: String {
        let authority = (target.firstRange(ofText: "://").map { target[$0.upperBound...] } ?? target[...])
            .prefix { $0 != "/" && $0 != "?" }
        let host = authority.split(separator: "@").last ?? authority
        let cleaned = host.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".") ? $0 : "-" }
        let name = String(cleaned.drop { $0 == "." })
        return name.isEmpty ? "recorded" : name
    }

    // MARK: Routes

    /// Writes stubs as routes, together with those of earlier recordings. A recorder that writes at the same time waits.
    func write(_ routes: RecordedRoutes) -> Report {
        locked { report in
            report.remarks = routes.remarks
            let stubs = write(routes.bodyFiles, of: routes.stubs, &report)
            write(stubs.filter { isReadable($0, &report) }, &report)
        }
    }

    private func write(_ stubs: [StubMapping], _ report: inout Report) {
        var new = stubs
        // Where there is a folder of mappings, nothing beside it is read.
        let place = SystemCalls.isFolder("\(path)/mappings") ? "mappings/" : ""
        var file = "\(place)\(name).yaml"
        var number = 1
        // A file that was changed by hand stays as it is: what it does not have goes into the next one.
        while let bytes = read(file) {
            let text = String(decoding: bytes, as: UTF8.self)
            let (stubs, diagnostics) = StubFile.parse(bytes, format: .yaml, path: file)
            let isReadable = !diagnostics.contains { $0.severity == .error }
            if isReadable, RecordedFile(text)?.isUntouched == true {
                return finish(file, text, merging: new, with: stubs.reversed(), &report)
            }
            let known = Self.byRequest(stubs)
            let differing = new.filter { stub in known[stub.request].map { !$0.answers(like: stub) } ?? false }
                .map(\.title)
            report.changes.append(Change(kept: file, isReadable ? "was changed by hand" : "cannot be read", differing))
            new.removeAll { known[$0.request] != nil }
            number += 1
            file = "\(place)\(name)-\(number).yaml"
        }
        if !new.isEmpty { finish(file, nil, merging: new, with: [], &report) }
    }

    private func finish(
        _ file: String, _ former: String?, merging new: [StubMapping], with old: [StubMapping], _ report: inout Report
    ) {
        let (oldOnes, newOnes) = (Self.byRequest(old), Self.byRequest(new))
        let kept = old.filter { newOnes[$0.request] == nil }
        let changed = new.filter { stub in oldOnes[stub.request].map { !$0.answers(like: stub) } ?? false }.count
        let added = new.filter { oldOnes[$0.request] == nil }.count
        let stubs = RecordedRoutes.sorted(new + kept)
        let text = RecordedFile.text(StubFileText.yaml(stubs), from: target.withoutUser)
        guard text != former else {
            report.changes.append(
                Change(
                    text: "\(file) stays as it is: \(stubs.count.of("stub"))",
                    json: ["file": .string(file), "result": "unchanged", "stubs": .number(JSONNumber(stubs.count))]))
            return
        }
        guard write(file, Array(text.utf8), &report) else { return }
        let rest = kept.count + new.count - added - changed
        report.changes.append(
            Change(
                text: "Wrote \(file): \(added.of("stub")) added, \(changed) changed, \(rest) as before",
                json: [
                    "file": .string(file), "result": "written", "added": .number(JSONNumber(added)),
                    "changed": .number(JSONNumber(changed)), "same": .number(JSONNumber(rest)),
                ]))
    }

    /// The first stub of each request.
    private static func byRequest(_ stubs: [StubMapping]) -> [RequestPattern: StubMapping] {
        Dictionary(stubs.map { ($0.request, $0) }) { first, _ in first }
    }

    /// Whether a stub can be read back and served; otherwise it is left out, which is told. One that cannot would cost all
    /// others of its file.
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
        guard let reason else { return true }
        report.remarks.append("\(stub.title) is left out: \(reason)")
        return false
    }

    // MARK: Mappings

    /// Writes stubs as WireMock's files, one for each.
    func write(_ mappings: RecordedMappings) -> Report {
        locked { report in
            report.remarks = mappings.remarks
            let stubs = write(mappings.bodyFiles, of: mappings.stubs, &report)
            writeMappings(stubs.filter { isReadable($0, &report) }, &report)
        }
    }

    private func writeMappings(_ stubs: [StubMapping], _ report: inout Report) {
        var (written, same) = (0, 0)
        for var stub in stubs {
            let url =
                switch stub.request.url {
                case .url(let text), .urlPath(let text): text
                default: ""
                }
            let method = if case .exactly(let name) = stub.request.method { name } else { "any" }
            let file = "mappings/" + StubFileName.make(name: stub.name, method: method, url: url, id: stub.idText)
            let checksum = RecordedFile.checksum(stub.json(view: .file).compactText)
            stub.metadata = ["recorded": .string(checksum)]
            let bytes = stub.json(view: .file).prettyBytes + Array("\n".utf8)
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
            if write(file, bytes, &report) { written += 1 }
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
        guard var stub = try? StubMapping(json: JSONValue(parsing: bytes)) else { return false }
        let checksum = stub.metadata?["recorded"]?.stringValue
        stub.metadata = nil
        return checksum == RecordedFile.checksum(stub.json(view: .file).compactText)
    }

    // MARK: Files

    /// Does what changes the folder while no other recorder does.
    private func locked(_ body: (inout Report) -> Void) -> Report {
        var report = Report()
        do throws(SystemError) {
            try SystemCalls.makeFolders(path)
            let lock = try SystemCalls.lockFolder(path)
            body(&report)
            _ = consume lock
        } catch {
            // Written all the same, since it would be lost otherwise; another one may write over it.
            report.problems.append("cannot lock \(path) against other recorders: \(error.reason)")
            body(&report)
        }
        return report
    }

    /// Writes bodies.
    /// - Returns: the stubs; those whose body could not be written have it themselves.
    private func write(
        _ files: [RecordedStubs.BodyFile], of stubs: [StubMapping], _ report: inout Report
    ) -> [StubMapping] {
        var count = 0
        var missing: [String: [UInt8]] = [:]
        for file in files {
            let name = "\(Self.bodies)/\(file.name)"
            guard read(name) != file.bytes else { continue }
            if write(name, file.bytes, &report) { count += 1 } else { missing[file.name] = file.bytes }
        }
        if count > 0 {
            report.changes.append(
                Change(
                    text: "Wrote \(count == 1 ? "1 body" : "\(count) bodies") to \(path)/\(Self.bodies)",
                    json: [
                        "folder": .string("\(path)/\(Self.bodies)"), "result": "written",
                        "bodies": .number(JSONNumber(count)),
                    ]))
        }
        return missing.isEmpty ? stubs : stubs.map { $0.taking(missing) }
    }

    private func read(_ name: String) -> [UInt8]? {
        guard let file = try? SystemCalls.openBeneath(path, "\(path)/\(name)") else { return nil }
        return try? SystemCalls.readAll(file, limit: 1 << 30, path: name)
    }

    /// Writes a file below the folder. No link leads out of it.
    private func write(_ name: String, _ bytes: [UInt8], _ report: inout Report) -> Bool {
        do throws(BodyFileProblem) {
            try BodyFiles(path: path).write(name, bytes)
            return true
        } catch {
            let reason =
                switch error {
                case .unreadable(_, let error): error.reason
                case .escapes: "a link leads out of the folder"
                default: "there is no place for it"
                }
            report.problems.append("cannot write \(path)/\(name): \(reason)")
            return false
        }
    }
}

extension StubMapping {
    fileprivate func answers(like other: StubMapping) -> Bool {
        responses == other.responses && (responses != nil || response == other.response)
    }

    fileprivate var title: String {
        let method = if case .exactly(let name) = request.method { name } else { "ANY" }
        let path =
            switch request.url {
            case .url(let text), .urlPath(let text): text
            default: ""
            }
        return "\(method) \(path)"
    }

    /// The stub with the bodies of files that are not there.
    fileprivate func taking(_ files: [String: [UInt8]]) -> StubMapping {
        func taking(_ response: ResponseDefinition) -> ResponseDefinition {
            guard let bytes = response.bodyFileName.flatMap({ files[$0] }) else { return response }
            var response = response
            response.bodyFileName = nil
            response.base64Body = Base64.encode(bytes)
            return response
        }
        var stub = self
        stub.response = taking(response)
        if var sequence = responses {
            for index in sequence.entries.indices {
                sequence.entries[index].response = taking(sequence.entries[index].response)
            }
            stub.responses = sequence
        }
        return stub
    }
}

extension RecordedFolder.Change {
    /// A file that stays as it is, whatever was recorded.
    /// - Parameter differing: the stubs that answer otherwise there than what was recorded.
    fileprivate init(kept file: String, _ reason: String, _ differing: [String]) {
        text =
            (["\(file) \(reason), and stays as it is"]
            + differing.map { "  \($0) answers otherwise there than what was recorded" }).joined(separator: "\n")
        json = [
            "file": .string(file), "result": "kept", "reason": .string(reason),
            "differing": .array(differing.map { .string($0) }),
        ]
    }
}

/// A file of routes that was recorded: a line on top says from where, and whether it is as it was written.
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
