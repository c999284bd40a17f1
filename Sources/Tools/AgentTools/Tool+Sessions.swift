import SDBasics
import SDJSON

/// Sessions: a separate mock server for each task or test, with a verdict at its end.
extension Tool {
    static let sessionBegin = Tool(
        name: "session_begin", title: "Begin a session",
        help:
            "Begins a session: a mock server of its own within the running one, with its own stubs on top of the daemon's, its own "
            + "requests, gates and faults. Point the program under test at the url of the answer, and pass the answer's session to "
            + "the other tools. End it with session_end.",
        parameters: [
            ToolParameter("name", .text, "A label, shown in reports."),
            ToolParameter(
                "port", .flag,
                "Whether it gets a port of its own, for programs whose base address can have no path; otherwise its url has a path "
                    + "prefix."),
            ToolParameter("inherit", .flag, "false: without the daemon's stubs."),
            ToolParameter("seed", .integer(0...Int.max), "The seed of its delays and random choices."),
            ToolParameter("ttl", .text, "The time without a request after which it ends, such as 30m; 1h if absent."),
            ToolParameter("passThrough", .text, "The real server that unanswered requests go on to."),
        ]
    ) { arguments, _ throws(ToolProblem) in
        var document: JSONObject = [:]
        for name in ["name", "inherit", "seed", "ttl", "passThrough"] { document[name] = arguments[name] }
        if arguments.flag("port") { document["port"] = 0 }
        return .get(AdminQuestion("POST", "/sessions", body: .object(document))) { session throws(ToolProblem) in
            guard let id = session["id"]?.stringValue, let url = session["url"]?.stringValue else {
                throw ToolProblem("the daemon made no session", fix: "check that the address is Stunt Double's")
            }
            var shown: JSONObject = ["session": .string(id)]
            for name in ["name", "url", "port", "header", "ttl", "inherit", "seed"] { shown[name] = session[name] }
            return .done("Session \(id) answers at \(url)", shown)
        }
    }

    static let sessionEnd = Tool(
        name: "session_end", title: "End a session and tell the verdict",
        help:
            "Ends a session and tells its verdict: passed, or failed with the requests that nothing answered and the smallest change "
            + "for each, stubs that could not be served, and expectations that were not met.",
        parameters: [
            ToolParameter("session", .text, required: true, "The id that session_begin gave."),
            ToolParameter(
                "failOn", .texts,
                "The reasons that fail it, of unmatched, unused, unmet, fault, error, webhook, aborted, contract, and slow with a "
                    + "time, such as slow>1s; unmatched, unmet and error if absent. unmet is a verify that did not hold, and has "
                    + "not held since."),
            ToolParameter("ignore", .texts, "Patterns of paths that do not count, such as /favicon.ico or *.map."),
            ToolParameter("keep", .flag, "true: tells the verdict, and leaves the session open."),
        ], isDestructive: true
    ) { arguments, _ throws(ToolProblem) in
        let session = arguments.session ?? ""
        var query: [String] = arguments.texts("ignore").map { "ignore=" + escaped($0) }
        var reasons = arguments.texts("failOn")
        // Expectations that an agent verified are its own.
        if reasons.isEmpty { reasons = ["unmatched", "unmet", "error"] }
        query.append("fail=" + escaped(reasons.joined(separator: ",")))
        let place = "/sessions/\(session)"
        let path = place + "/report?" + query.joined(separator: "&")
        let question = AdminQuestion("GET", path)
        return .ask(question) { reply throws(ToolProblem) in
            // A failed verdict for named reasons is a 422 with the report.
            guard let report = reply.json.objectValue, let verdict = report["verdict"]?.stringValue else {
                throw ToolProblem(reply, question)
            }
            let result = ToolResult(text: verdictText(verdict, report), structured: .object(verdictDocument(report)))
            if arguments.flag("keep") { return .done(result) }
            return .get(AdminQuestion("DELETE", place)) { _ in .done(result) }
        }
    }

    private static func verdictDocument(_ report: JSONObject) -> JSONObject {
        var document: JSONObject = [:]
        for name in [
            "id", "name", "verdict", "reasons", "served", "unmatchedCount", "failedCount", "unusedStubCount",
            "unmatchedRequests", "failedRequests", "unusedStubs", "unmet", "files",
        ] {
            if let value = report[name] { document[name] = Bounds.cut(value, elements: 20) }
        }
        return document
    }

    private static func verdictText(_ verdict: String, _ report: JSONObject) -> String {
        let reasons = (report["reasons"]?.arrayValue ?? []).compactMap(\.stringValue)
        let served = report["served"]?.intValue ?? 0
        var text = verdict + (reasons.isEmpty ? "" : " for " + reasons.joined(separator: ", "))
        text += ": \(served.of("request")), \(report["unmatchedCount"]?.intValue ?? 0) unmatched"
        for request in (report["unmatchedRequests"]?.arrayValue ?? []).prefix(10) {
            text += "\n- " + requestText(request) + differenceText(request["smallestChange"]?.stringValue)
        }
        for request in (report["failedRequests"]?.arrayValue ?? []).prefix(10) {
            text += "\n- " + requestText(request) + " could not be served"
        }
        if reasons.contains("unused") {
            for stub in (report["unusedStubs"]?.arrayValue ?? []).prefix(10) {
                text += "\n- \(line(stub["key"] ?? stub["name"] ?? stub["id"]))\(placeText(stub)) was never used"
            }
        }
        for unmet in (report["unmet"]?.arrayValue ?? []).prefix(10) {
            text += "\n- \(line(unmet["name"])): \(line(unmet["text"]))"
        }
        return text
    }

    /// `GET /path`, on one line.
    static func requestText(_ request: JSONValue) -> String { "\(line(request["method"])) \(line(request["url"]))" }

    static func differenceText(_ text: String?) -> String {
        text.map { ": " + Printable.line($0.prefix(500)) } ?? ""
    }

    /// A foreign text, shortened to one line.
    static func line(_ value: JSONValue?) -> String { Printable.line((value?.stringValue ?? "").prefix(200)) }
}
