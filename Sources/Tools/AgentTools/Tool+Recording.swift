import SDBasics
import SDJSON
import SDStubModel

/// Recording: a real server's answers as stubs.
extension Tool {
    static let record = Tool(
        name: "record", title: "Record a real server",
        help:
            "Records what a real server answers. start sends all requests on to target; after the program under test has made its "
            + "requests, stop gives the stubs as text: routes in YAML, secrets replaced; preview gives what stop would "
            + "give now. The stubs answer from then on, with the real values, secrets too, until the session or the daemon ends; "
            + "only the text has placeholders. Nothing is written, unless write is true and the command line allows a folder with "
            + "--write.",
        parameters: [
            .session,
            ToolParameter("action", .words(["start", "status", "preview", "stop"]), required: true, "What to do."),
            ToolParameter(
                "target", .text,
                "The base address of the real server, with start, such as https://api.example.com or 127.0.0.1:8080."),
            ToolParameter("write", .flag, "true, with stop: also writes the files into the folder of --write."),
        ], reachesOthers: true
    ) { arguments, context throws(ToolProblem) in
        let action = arguments.text("action") ?? ""
        for (name, owner) in [("target", "start"), ("write", "stop")] where arguments[name] != nil && action != owner {
            throw ToolProblem("\(action) takes no \(name)", fix: "leave out \(name)")
        }
        switch action {
        case "start": return try start(arguments)
        case "status":
            return .get(AdminQuestion("GET", "/recordings/status", session: arguments.session)) { answer in
                let status = line(answer["status"])
                return .done(status, answer.objectValue ?? [:])
            }
        case "preview":
            let path = "/recordings/preview?format=files"
            return .get(AdminQuestion("GET", path, session: arguments.session)) { answer throws(ToolProblem) in
                try recorded(answer, nil)
            }
        default:
            let isWriting = arguments.flag("write")
            if isWriting, context.write == nil {
                throw ToolProblem(
                    "no file may be written", fix: "start stuntdouble mcp with --write DIR, or leave out write")
            }
            let path = "/recordings/stop?format=files"
            return .get(AdminQuestion("POST", path, session: arguments.session)) { answer throws(ToolProblem) in
                try recorded(answer, isWriting ? context.write : nil)
            }
        }
    }

    private static func start(_ arguments: ToolArguments) throws(ToolProblem) -> ToolStep {
        guard let given = arguments.text("target") else {
            throw ToolProblem("start needs a target", fix: "give target: \"https://api.example.com\"")
        }
        let target = isHostAndPort(given) ? "http://" + given : given
        guard target.lowercased().hasPrefix("http://") || target.lowercased().hasPrefix("https://") else {
            throw ToolProblem(
                "target: \(quoted(target)) is no base address", fix: "begin it with https:// or http://")
        }
        // Recorded stubs are not saved to the daemon's folder unless the user does so.
        let body: JSONValue = ["targetBaseUrl": .string(target), "persist": false]
        let status = AdminQuestion("GET", "/recordings/status", session: arguments.session)
        return .get(status) { answer throws(ToolProblem) in
            if answer["status"]?.stringValue == "Recording" {
                throw ToolProblem("a recording is on already", fix: "stop it first: action stop")
            }
            let question = AdminQuestion("POST", "/recordings/start", session: arguments.session, body: body)
            return .get(question) { _ in
                .done("Recording: all requests go on to the target until stop", ["status": "Recording"])
            }
        }
    }

    /// Whether a text is a host with a port other than HTTPS's, such as `127.0.0.1:8080`, so that no scheme is needed.
    private static func isHostAndPort(_ text: String) -> Bool {
        guard let colon = text.lastIndex(of: ":"), colon != text.startIndex,
            let port = UInt16(text[text.index(after: colon)...].prefix { $0 != "/" }), port != 443
        else { return false }
        return !text[..<colon].contains("/")
    }

    private static func recorded(
        _ answer: JSONValue, _ write: (@Sendable (String, [UInt8]) throws(ToolProblem) -> String)?
    ) throws(ToolProblem) -> ToolStep {
        var files: [JSONValue] = []
        var written: [JSONValue] = []
        var text = ""
        for file in answer["files"]?.arrayValue ?? [] {
            let path = file["path"]?.stringValue ?? ""
            var shown: JSONObject = ["path": .string(path)]
            if let content = file["text"]?.stringValue {
                text += Bounds.cut(content, to: 64 << 10)
                shown["text"] = .string(Bounds.cut(content, to: 64 << 10))
                if let write { written.append(.string(try write(path, Array(content.utf8)))) }
            } else if let encoded = file["base64"]?.stringValue {
                shown["base64Bytes"] = number(encoded.utf8.count)
                if let write, let bytes = try? Base64.decode(encoded) {
                    written.append(.string(try write(path, bytes)))
                }
            }
            files.append(.object(shown))
        }
        var document: JSONObject = ["files": .array(Array(files.prefix(Bounds.elements)))]
        for name in ["secrets", "leftOut"] { document[name] = answer[name] }
        if write != nil { document["written"] = .array(written) }
        let paths = written.compactMap(\.stringValue).map { Printable.line($0) }
        let head = paths.isEmpty ? "" : "Written: " + paths.joined(separator: ", ") + "\n"
        return .done(files.isEmpty ? "Nothing was recorded" : head + text, document)
    }
}
