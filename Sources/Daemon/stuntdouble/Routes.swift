import SDAdminAPI
import SDBasics
import SDCommand
import SDJSON
import SDMockEngine
import SDPlatform
import SDStubModel

/// `stuntdouble routes`: a table of all stubs and message stubs of a folder or a running daemon.
enum Routes {
    private struct Row {
        let reference: StubReference
        let method: String
        let path: String
        let answers: String
        let place: String

        /// - Parameter place: nil if the stub was sent to the admin API.
        init(_ reference: StubReference, answers: String, place: String?, isRoute: Bool = true) {
            let blank = isRoute ? reference.key.lastIndex(of: " ") : nil
            self.reference = reference
            method = blank.map { String(reference.key[..<$0]) } ?? (isRoute ? "ANY" : "WS")
            path = blank.map { String(reference.key[reference.key.index(after: $0)...]) } ?? reference.key
            self.answers = answers
            self.place = place ?? "(admin API)"
        }

        init(_ reference: StubReference, _ stub: MessageStub, place: String?) {
            // Fixed channels have no path, nor has a stub that another one triggers.
            let isRoute = if case .httpRequest = stub.trigger { true } else { reference.key.hasPrefix("WS ") }
            self.init(reference, answers: MessageStubAnswer(stub).text, place: place, isRoute: isRoute)
        }

        var json: JSONValue {
            var json = reference.json
            json["method"] = .string(method)
            json["path"] = .string(path)
            json["answers"] = .string(answers)
            return .object(json)
        }
    }

    /// Runs the command.
    /// - Returns: the exit status: 0 if all stubs are listed, 1 if there are none or some could not be read, 2 if the
    ///   question cannot be asked.
    static func run(_ options: QueryOptions) -> Int32 {
        do throws(AdminClientProblem) {
            var rows: [Row]
            var isWhole = true
            if let client = AdminClient(options) {
                rows = try ask(client)
                if rows.isEmpty {
                    Console.error(
                        ConsoleError(
                            "no stubs", fix: "send stubs to \(client.server.text)/__admin/mappings", text: "no stubs\n")
                    )
                }
            } else {
                let queried = try QueriedFolder(options)
                let folder = options.root.path
                rows = queried.stubs.map { row($0.reference, $0.mapping, folder) }
                rows += queried.messageStubs.map { Row($0.reference, $0.stub, place: $0.reference.place(in: folder)) }
                isWhole = queried.isWhole
            }
            rows.sort { Self.precedes($0.reference, $1.reference) }
            let printed =
                options.format == .json
                ? Console.print(document: ["routes": .array(rows.map(\.json))]) : Console.show(table(rows))
            return isWhole && !rows.isEmpty ? printed : 1
        } catch {
            return error.report()
        }
    }

    /// Gets the stubs with WireMock's calls, and the locations and folder of those for requests with another. The daemon does
    /// not tell the locations of message stubs.
    /// - Throws: if a call fails.
    private static func ask(_ client: AdminClient) throws(AdminClientProblem) -> [Row] {
        var places: [String: JSONValue] = [:]
        let counters = try client.call("GET", "/requests/counters")
        for stub in counters["stubs"]?.arrayValue ?? [] {
            if let id = stub["id"]?.stringValue { places[id] = stub }
        }
        let folder = counters["folder"]?.stringValue
        let stubs = (try client.call("GET", "/mappings")["mappings"]?.arrayValue ?? []).map { mapping in
            let place = mapping["id"]?.stringValue.flatMap { places[$0] }
            let reference = StubReference(
                id: mapping["id"]?.stringValue.flatMap(StubMapping.id(text:)) ?? StubMapping().id,
                name: mapping["name"]?.stringValue, file: place?["file"]?.stringValue, line: place?["line"]?.intValue,
                key: place?["key"]?.stringValue ?? (try? StubMapping(json: mapping))?.request.routeKey ?? "")
            return row(reference, mapping, folder)
        }
        let messages = try client.call("GET", "/message-mappings")["messageMappings"]?.arrayValue ?? []
        return stubs
            + messages.compactMap { try? MessageStub(json: $0) }.map { stub in
                let reference = StubReference(id: stub.id, name: stub.name, file: nil, line: nil, key: stub.key)
                return Row(reference, stub, place: "")
            }
    }

    /// Orders stubs as in the files; stubs of the admin API come last.
    static func precedes(_ left: StubReference, _ right: StubReference) -> Bool {
        switch (left.file, right.file) {
        case (let first?, let second?) where first == second: (left.line ?? 0) < (right.line ?? 0)
        case (let first?, let second?): first.utf8.lexicographicallyPrecedes(second.utf8)
        case (let first, let second): first != nil && second == nil
        }
    }

    private static func row(_ reference: StubReference, _ mapping: JSONValue, _ folder: String?) -> Row {
        Row(reference, answers: StubAnswer(mapping).text, place: reference.place(in: folder))
    }

    private static func table(_ rows: [Row]) -> String {
        // One line per row, whatever characters a path or file name contains.
        let columns = [\Row.method, \.path, \.answers, \.place].map { cell in
            rows.map { Printable.line($0[keyPath: cell]) }
        }
        // A single long expression must not widen the whole column.
        let widths = columns.dropLast().map { min($0.map(\.count).max() ?? 0, 60) }
        return rows.indices.map { row in
            let cells = columns.enumerated().map { number, cells in
                number < widths.count ? padded(cells[row], widths[number]) : cells[row]
            }
            return cells.filter { !$0.isEmpty }.joined(separator: "  ") + "\n"
        }.joined()
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}

/// A stub's answer in short: `200 json`, `201 file a.png, after 120 ms`, `sent on to https://real.example`.
struct StubAnswer {
    let text: String

    /// Makes the text.
    /// - Parameter mapping: the mapping in WireMock's form.
    init(_ mapping: JSONValue) {
        if let responses = mapping["responses"]?.arrayValue {
            text = "\(responses.count) responses: " + responses.map(Self.text).joined(separator: ", ")
        } else {
            text = Self.text(mapping["response"] ?? .null)
        }
    }

    private static func text(_ response: JSONValue) -> String {
        // WireMock ignores faults beside `proxyBaseUrl`.
        let base = response["proxyBaseUrl"]?.stringValue
        if base == nil, let fault = response["fault"]?.stringValue { return fault }
        var text = response["status"]?.intValue.map { String($0) } ?? "200"
        if let base {
            text = "sent on to \(base.withoutUser)" + (response["proxyHttp2"] == true ? " in HTTP/2" : "")
        } else if response["body"] != nil {
            text += " text"
        } else if response["jsonBody"] != nil {
            text += " json"
        } else if response["base64Body"] != nil {
            text += " bytes"
        } else if let file = response["bodyFileName"]?.stringValue {
            text += " file \(file)"
        }
        if let delay = response["fixedDelayMilliseconds"]?.intValue, delay > 0 { text += ", after \(delay) ms" }
        if response["delayDistribution"] != nil { text += ", after a random delay" }
        if response["chunkedDribbleDelay"] != nil { text += ", in pieces" }
        return text
    }
}

/// What a message stub does, in short: `on open: sends 1 message`, `every 5s: sends 1 message`, `closes with 1011`.
struct MessageStubAnswer {
    let text: String

    init(_ stub: MessageStub) {
        var parts = stub.scripts.map(Self.text)
        if parts.count > 1 { parts = ["\(parts.count) turns: " + parts.joined(separator: "; ")] }
        var text = parts.first ?? ""
        switch stub.trigger {
        case .message: break
        case .httpStub, .httpRequest: text = "on a request: " + text
        case .open(_, let protocols, let close):
            text = "on open: " + (text.isEmpty ? "nothing" : text)
            if !protocols.isEmpty { text += ", speaks " + protocols.joined(separator: ", ") }
            if let close {
                let moment = close.messages.map { $0.of("message") } ?? DurationText.text(milliseconds: close.time ?? 0)
                text += ", closes with \(close.code ?? 1000) after \(moment)"
            }
        case .interval(let every, _): text = "every \(DurationText.text(milliseconds: every)): " + text
        }
        self.text = text
    }

    private static func text(_ actions: [MessageAction]) -> String {
        let messages = actions.count { $0.kind == .send }
        var parts = messages > 0 ? ["sends \(messages.of("message"))"] : []
        if actions.contains(where: { $0.kind == .echo }) { parts.append("echoes") }
        if let close = actions.first(where: { $0.kind == .close }) { parts.append("closes with \(close.code ?? 1000)") }
        return parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
    }
}
