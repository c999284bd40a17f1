import SDAdminAPI
import SDBasics
import SDCommand
import SDJSON
import SDMockEngine
import SDPlatform
import SDStubModel

/// `stuntdouble routes`: a table of all stubs of a folder or a running daemon.
enum Routes {
    private struct Row {
        let method: String
        let path: String
        let answers: String
        let place: String
        let json: JSONValue
    }

    /// Runs the command.
    /// - Returns: the exit status: 0 if all stubs are listed, 1 if there are none or some could not be read, 2 if the
    ///   question cannot be asked.
    static func run(_ options: QueryOptions) -> Int32 {
        do throws(AdminClientProblem) {
            let stubs: [(reference: StubReference, mapping: JSONValue)]
            var isWhole = true
            var folder: String? = options.root.path
            if let client = AdminClient(options) {
                (stubs, folder) = try ask(client)
                if stubs.isEmpty {
                    Console.error(
                        ConsoleError(
                            "no stubs", fix: "send stubs to \(client.server.text)/__admin/mappings", text: "no stubs\n")
                    )
                }
            } else {
                let queried = try QueriedFolder(options)
                stubs = queried.stubs
                isWhole = queried.isWhole
            }
            let rows = stubs.sorted { Self.precedes($0.reference, $1.reference) }.map { row($0, $1, folder) }
            let printed =
                options.format == .json
                ? Console.print(document: ["routes": .array(rows.map(\.json))]) : Console.show(table(rows))
            return isWhole && !rows.isEmpty ? printed : 1
        } catch {
            return error.report()
        }
    }

    /// Gets the stubs with WireMock's call, and their locations and folder with another.
    /// - Throws: if a call fails.
    private static func ask(
        _ client: AdminClient
    ) throws(AdminClientProblem) -> ([(reference: StubReference, mapping: JSONValue)], folder: String?) {
        var places: [String: JSONValue] = [:]
        let counters = try client.call("GET", "/requests/counters")
        for stub in counters["stubs"]?.arrayValue ?? [] {
            if let id = stub["id"]?.stringValue { places[id] = stub }
        }
        let stubs = (try client.call("GET", "/mappings")["mappings"]?.arrayValue ?? []).map { mapping in
            let place = mapping["id"]?.stringValue.flatMap { places[$0] }
            let reference = StubReference(
                id: mapping["id"]?.stringValue.flatMap(StubMapping.id(text:)) ?? StubMapping().id,
                name: mapping["name"]?.stringValue, file: place?["file"]?.stringValue, line: place?["line"]?.intValue,
                key: place?["key"]?.stringValue ?? (try? StubMapping(json: mapping))?.request.routeKey ?? "")
            return (reference, mapping)
        }
        return (stubs, counters["folder"]?.stringValue)
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
        let blank = reference.key.lastIndex(of: " ")
        let method = blank.map { String(reference.key[..<$0]) } ?? "ANY"
        let path = blank.map { String(reference.key[reference.key.index(after: $0)...]) } ?? reference.key
        let answers = StubAnswer(mapping).text
        var json = reference.json
        json["method"] = .string(method)
        json["path"] = .string(path)
        json["answers"] = .string(answers)
        return Row(
            method: method, path: path, answers: answers, place: reference.place(in: folder) ?? "(admin API)",
            json: .object(json))
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
            return cells.joined(separator: "  ") + "\n"
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
