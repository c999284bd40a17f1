import SDBasics
import SDJSON

/// Steering a running test: gates, faults and recordings.
extension Tool {
    static let release = Tool(
        name: "release", title: "Release held responses",
        help:
            "Lets responses go that wait at a gate (stubs with hold: NAME), if wanted with another response; or fails them, or opens and "
            + "closes the gate. Without gate it lists the gates and who waits there.",
        parameters: [
            .session,
            ToolParameter("gate", .text, "The name of the gate."),
            ToolParameter("action", .words(["release", "fail", "open", "close"]), "What to do; release if absent."),
            ToolParameter("count", .integer(1...1_000_000), "How many to let go, the oldest first; all if absent."),
            ToolParameter("id", .text, "The id of the only request to let go."),
            ToolParameter("response", .object, "A response of WireMock in place of the stub's, with release."),
            ToolParameter("fault", .text, "The fault, with fail, such as EMPTY_RESPONSE; a reset if absent."),
        ]
    ) { arguments, _ throws(ToolProblem) in
        guard let gate = arguments.text("gate") else {
            if let given = ["action", "count", "id", "response", "fault"].first(where: { arguments[$0] != nil }) {
                throw ToolProblem(
                    "release needs the name of a gate for \(given)",
                    fix: "call release without arguments to list the gates")
            }
            return .get(AdminQuestion("GET", "/gates", session: arguments.session)) { answer in gates(answer) }
        }
        let action = arguments.text("action") ?? "release"
        let taken = ["release": ["count", "id", "response"], "fail": ["count", "id", "fault"]][action] ?? []
        for name in ["count", "id", "response", "fault"] where arguments[name] != nil && !taken.contains(name) {
            throw ToolProblem("\(action) takes no \(name)", fix: "leave out \(name)")
        }
        var body: JSONObject = [:]
        for name in taken { body[name] = arguments[name] }
        let question = AdminQuestion(
            "POST", "/gates/\(escaped(gate))/\(action)", session: arguments.session,
            body: body.isEmpty ? nil : .object(body))
        return .get(question) { answer in
            guard case .object(let document) = Bounds.cut(answer) else { return .done(action, [:]) }
            let name = quoted(gate)
            switch action {
            case "open": return .done("The gate \(name) stands open", document)
            case "close": return .done("The gate \(name) is closed", document)
            default:
                let count = (answer["released"] ?? answer["failed"])?.intValue ?? 0
                let verb = action == "fail" ? "Failed" : "Released"
                let hint = count == 0 ? ": nobody waited there; call release without arguments to list the gates" : ""
                return .done("\(verb) \(count.of("response")) at \(name)" + hint, document)
            }
        }
    }

    private static func gates(_ answer: JSONValue) -> ToolStep {
        let gates = answer["gates"]?.arrayValue ?? []
        var text = gates.isEmpty ? "Nobody waits at a gate" : "\(gates.count.of("gate"))"
        for gate in gates.prefix(20) {
            let isOpen = gate["open"]?.boolValue ?? false
            text += "\n- \(line(gate["name"])): " + (isOpen ? "open" : "\(gate["waiting"]?.intValue ?? 0) waiting")
        }
        guard case .object(let document) = Bounds.cut(answer) else { return .done(text, [:]) }
        return .done(text, document)
    }

    // MARK: Faults

    static let fault = Tool(
        name: "fault", title: "Break answers",
        help:
            "Adds faults that act on answers: a status, a delay, a cut after some bytes, a slow body, a reset, for the first requests or "
            + "with a probability. Such as {\"request\": {\"urlPath\": \"/pay\"}, \"status\": 503, \"first\": 2}. Without arguments it "
            + "lists them with the number of answers that each acted on.",
        parameters: [
            .session,
            ToolParameter(
                "add", .document,
                "A fault, or a list of them; {\"chaos\": NAME} switches on a set. Read stuntdouble://docs/faults for the keys."
            ),
            ToolParameter("remove", .text, "The id of a fault to remove; all removes all."),
        ]
    ) { arguments, _ throws(ToolProblem) in
        let session = arguments.session
        if let id = arguments.text("remove") {
            if arguments["add"] != nil {
                throw ToolProblem("add and remove exclude each other", fix: "call fault once for each")
            }
            let path = "/faults" + (id == "all" ? "" : "/" + escaped(id))
            let question = AdminQuestion("DELETE", path, session: session)
            return .ask(question) { reply throws(ToolProblem) in
                if reply.status == 404, id != "all" {
                    throw ToolProblem("there is no fault \(quoted(id))", fix: "take an id that fault lists, or all")
                }
                guard reply.isSuccess else { throw ToolProblem(reply, question) }
                let count = reply.json["removed"]?.intValue ?? 0
                return .done("Removed \(count.of("fault"))", ["removed": number(count)])
            }
        }
        guard let given = arguments["add"] else {
            return .get(AdminQuestion("GET", "/faults", session: session)) { answer in
                faults(answer, (answer["faults"]?.arrayValue ?? []).count.of("fault"))
            }
        }
        var question = AdminQuestion("POST", "/faults", session: session, body: given)
        if let text = given.stringValue { question = AdminQuestion("POST", "/faults", session: session, yaml: text) }
        return .get(question) { answer in
            faults(answer, "Added " + (answer["faults"]?.arrayValue ?? []).count.of("fault"))
        }
    }

    private static func faults(_ answer: JSONValue, _ text: String) -> ToolStep {
        var text = text
        for fault in (answer["faults"]?.arrayValue ?? []).prefix(20) {
            let name = fault["name"]?.stringValue.map { Printable.line($0.prefix(100)) + ", " } ?? ""
            text += "\n- \(name)id \(line(fault["id"])): acted on \((fault["acted"]?.intValue ?? 0).of("answer"))"
        }
        guard case .object(let document) = Bounds.cut(answer) else { return .done(text, [:]) }
        return .done(text, document)
    }
}
