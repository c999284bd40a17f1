import SDBasics
import SDJSON
import SDStubModel

/// Stubs: adding, trying, changing, removing and listing them.
extension Tool {
    static let stub = Tool(
        name: "stub", title: "Add, change, try or remove stubs",
        help:
            "Adds stubs: routes in YAML such as \"GET /users/{id}: { json: { id: 1 } }\", or mappings of WireMock. What is added last "
            + "is tried first. With dryRun nothing is added: the answer tells what is wrong, with line and column, which requests so "
            + "far it would answer, and which stubs it hides. With id it takes the place of that stub; with remove a stub goes.",
        parameters: [
            .session,
            ToolParameter(
                "stubs", .document,
                "Routes or mappings: a text in YAML or JSON, an object, or a list of mappings. Read "
                    + "stuntdouble://docs/routes for the keys."),
            ToolParameter("dryRun", .flag, "true: only says what would be."),
            ToolParameter("id", .text, "The id of the stub whose place it takes."),
            ToolParameter("remove", .text, "The id of a stub to remove, in place of stubs."),
        ], isDestructive: true
    ) { arguments, _ throws(ToolProblem) in
        if let id = arguments.text("remove") {
            if arguments["stubs"] != nil {
                throw ToolProblem("remove and stubs exclude each other", fix: "call stub once for each")
            }
            return try removal(of: stubID(id), arguments)
        }
        guard let stubs = arguments["stubs"] else {
            throw ToolProblem(
                "stub needs stubs, or the id of one to remove", fix: "give stubs: \"GET /path: { json: { id: 1 } }\"")
        }
        let id = try arguments.text("id").map { text throws(ToolProblem) in try stubID(text) }
        if arguments.flag("dryRun") {
            let path = "/mappings/validate" + (id.map { "?id=" + $0 } ?? "")
            return .get(question("POST", path, stubs, arguments)) { answer in trial(answer) }
        }
        let path = "/mappings" + (id.map { "/" + $0 } ?? "") + "?redact=true"
        return .get(question(id == nil ? "POST" : "PUT", path, stubs, arguments)) { answer in
            let mappings = answer["mappings"]?.arrayValue ?? [answer]
            let verb = id == nil ? "Added" : "Changed"
            let lines = mappings.prefix(20).map { "\n- " + summary($0) + " (id \(line($0["id"])))" }
            return .done(
                "\(verb) \(mappings.count.of("stub"))" + lines.joined(),
                ["stubs": Bounds.cut(.array(mappings.map(short)), elements: 100)])
        }
    }

    private static func question(
        _ method: String, _ path: String, _ stubs: JSONValue, _ arguments: ToolArguments
    ) -> AdminQuestion {
        // YAML is a superset of JSON, except for tabs.
        if let text = stubs.stringValue, !text.trimmedStart.hasPrefix("{"), !text.trimmedStart.hasPrefix("[") {
            return AdminQuestion(method, path, session: arguments.session, yaml: text)
        }
        var question = AdminQuestion(method, path, session: arguments.session, body: stubs)
        if let text = stubs.stringValue { question.body = Array(text.utf8) }
        if let list = stubs.arrayValue {
            // As in a stub file; as JSON, the call accepts a single mapping, like WireMock.
            question.body = JSONValue.object(["mappings": .array(list)]).compactBytes
            question.contentType = "application/yaml"
        }
        return question
    }

    /// An id that is safe in a path, where words such as `unmatched` have another meaning.
    private static func stubID(_ text: String) throws(ToolProblem) -> String {
        guard let id = StubMapping.id(text: text) else {
            throw ToolProblem("\(quoted(text)) is no id of a stub", fix: "take an id that the tool stubs lists")
        }
        return id.lowercasedString
    }

    private static func removal(of id: String, _ arguments: ToolArguments) throws(ToolProblem) -> ToolStep {
        let path = "/mappings/" + escaped(id)
        let shown = AdminQuestion("GET", path + "?redact=true", session: arguments.session)
        return .ask(shown) { reply throws(ToolProblem) in
            guard reply.isSuccess else { throw noStub(id, reply, shown) }
            let mapping = reply.json
            return .get(AdminQuestion("DELETE", path, session: arguments.session)) { _ in
                .done("Removed " + summary(mapping), ["removed": short(mapping)])
            }
        }
    }

    private static func noStub(_ id: String, _ reply: AdminReply, _ question: AdminQuestion) -> ToolProblem {
        guard reply.status == 404, reply.body.isEmpty else { return ToolProblem(reply, question) }
        return ToolProblem("there is no stub \(quoted(id))", fix: "take an id that the tool stubs lists")
    }

    /// The result of a dry run.
    private static func trial(_ answer: JSONValue) -> ToolStep {
        let isValid = answer["valid"]?.boolValue ?? false
        let problems = answer["problems"]?.arrayValue ?? []
        let answers = answer["answers"]?.arrayValue ?? []
        var text = isValid ? "Valid; nothing was added" : "Not valid; nothing was added"
        for problem in problems.prefix(20) {
            let places = [problem["line"]?.intValue, problem["column"]?.intValue].compactMap(\.self).map(String.init)
            text += "\n- " + (places.isEmpty ? "" : places.joined(separator: ":") + ": ")
            text += "\(line(problem["severity"])): \(line(problem["message"]))"
            if let suggestion = problem["suggestion"]?.stringValue { text += didYouMean(suggestion) }
        }
        if !answers.isEmpty { text += "\nIt would answer \(answers.count.of("request")) that nothing answered" }
        for (name, words) in [("hides", "It would hide"), ("hiddenBy", "It would be hidden by")] {
            let stubs = answer[name]?.arrayValue ?? []
            if !stubs.isEmpty { text += "\n\(words) " + stubs.prefix(5).map(reference).joined(separator: ", ") }
        }
        guard case .object(let document) = Bounds.cut(answer, elements: 50) else { return .done(text, [:]) }
        return .done(text, document)
    }

    private static func reference(_ stub: JSONValue) -> String {
        [stub["key"], stub["name"], stub["id"]].compactMap(\.self).first.map { line($0) } ?? ""
    }

    static let stubs = Tool(
        name: "stubs", title: "List stubs",
        help:
            "Lists the stubs in the order in which they are tried, with the number of requests that each has answered; with id shows one "
            + "whole.",
        parameters: [
            .session,
            ToolParameter("id", .text, "The id of the only stub to show."),
            ToolParameter("contains", .text, "Only those whose key, name or file has this text."),
            ToolParameter("unused", .flag, "true: only those that have answered nothing."),
            ToolParameter("limit", .integer(1...200), "The most stubs of the answer; 50 if absent."),
            ToolParameter("cursor", .text, "The nextCursor of the answer before."),
        ], isReadOnly: true
    ) { arguments, _ throws(ToolProblem) in
        if let id = arguments.text("id") {
            let path = "/mappings/\(try stubID(id))?redact=true"
            let question = AdminQuestion("GET", path, session: arguments.session)
            return .ask(question) { reply throws(ToolProblem) in
                guard reply.isSuccess else { throw noStub(id, reply, question) }
                let shown = Bounds.cut(reply.json)
                let text = Printable.lines(Bounds.cut(shown.prettyText, to: 16 << 10))
                return .done(summary(reply.json) + "\n" + text, ["stub": shown])
            }
        }
        let start = try offset(arguments)
        return .get(AdminQuestion("GET", "/requests/counters", session: arguments.session)) { answer in
            page(answer, from: start, arguments)
        }
    }

    private static func offset(_ arguments: ToolArguments) throws(ToolProblem) -> Int {
        guard let cursor = arguments.text("cursor") else { return 0 }
        guard let start = Int(cursor), start >= 0 else {
            throw ToolProblem(
                "cursor: \(quoted(cursor)) is none", fix: "give the nextCursor of the answer before, or none")
        }
        return start
    }

    private static func page(_ answer: JSONValue, from start: Int, _ arguments: ToolArguments) -> ToolStep {
        let text = arguments.text("contains")?.lowercased()
        let wanted = (answer["stubs"]?.arrayValue ?? []).filter { stub in
            if arguments.flag("unused"), stub["matches"]?.intValue != 0 { return false }
            guard let text else { return true }
            return ["key", "name", "file"].contains {
                stub[$0]?.stringValue?.lowercased().contains(text: text) ?? false
            }
        }
        let shown = wanted.dropFirst(start).prefix(arguments.integer("limit") ?? 50)
        var document: JSONObject = ["stubs": Bounds.cut(.array(Array(shown))), "total": number(wanted.count)]
        if start + shown.count < wanted.count { document["nextCursor"] = .string(String(start + shown.count)) }
        let lines = shown.prefix(50).map { stub in
            "\n- \(line(stub["key"])): \((stub["matches"]?.intValue ?? 0).of("request"))"
                + (stub["file"]?.stringValue.map { ", \(Printable.line($0))" } ?? "")
                + (stub["line"]?.intValue.map { ":\($0)" } ?? "")
        }
        return .done("\(wanted.count.of("stub"))" + lines.joined(), document)
    }

    // MARK: Describing

    /// `GET /users/{id}` of a mapping.
    static func summary(_ mapping: JSONValue) -> String {
        let request = mapping["request"]
        let keys = ["url", "urlPath", "urlPathTemplate", "urlPattern", "urlPathPattern"]
        let url = keys.lazy.compactMap { request?[$0]?.stringValue }.first ?? "any URL"
        let method = request?["method"]?.stringValue ?? "ANY"
        return Printable.line("\(method) \(url)".prefix(200))
    }

    private static func short(_ mapping: JSONValue) -> JSONValue {
        var short: JSONObject = [:]
        for name in ["id", "name", "request", "priority"] { short[name] = mapping[name] }
        short["status"] = mapping["response"]?["status"]
        return .object(short)
    }
}

extension String {
    /// The text after leading white space and comments.
    fileprivate var trimmedStart: Substring { drop { $0 == " " || $0 == "\n" || $0 == "\t" || $0 == "\r\n" } }
}

func number(_ value: Int) -> JSONValue { .number(JSONNumber(value)) }

extension Bounds {
    static func cut(_ value: JSONValue, elements: Int) -> JSONValue {
        guard let list = value.arrayValue else {
            guard let object = value.objectValue else { return cut(value) }
            return .object(JSONObject(object.members.map { ($0.key, cut($0.value, elements: elements)) }))
        }
        return cut(.array(Array(list.prefix(elements))))
    }
}
