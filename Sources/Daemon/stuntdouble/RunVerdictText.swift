import SDBasics
import SDJSON
import SDServing

/// A run's verdict for people: one line on success, otherwise the failures and how to fix them.
struct RunVerdictText {
    private let report: JSONValue
    private(set) var text = ""

    /// The maximum number of entries per kind.
    private static let most = 10

    /// - Parameters:
    ///   - report: the report as JSON.
    ///   - address: the mock server's address.
    ///   - failOn: the reasons that fail the run; nil if none were named.
    init(_ report: JSONValue, address: String, failOn: FailOn?) {
        self.report = report
        text = "stuntdouble: \(counts(address))\n"
        text += list("unmatchedRequests") { request in
            let stub = request["nearestStub"].map { ["nearest: \(name($0))"] } ?? []
            return (Self.request(request), stub + [request["smallestChange"]?.stringValue].compactMap(\.self))
        }
        text += list("failedRequests") { request in
            (Self.request(request), stub(request) + [request["reason"]?.stringValue].compactMap(\.self))
        }
        text += list("refusals") { refusal in
            let count = refusal["count"]?.intValue ?? 1
            let text = "refused: " + (refusal["text"]?.stringValue ?? "")
            return (text + (count > 1 ? " (\(count) times)" : ""), [])
        }
        text += list("files") { file in (Self.place(file) + ": " + (file["message"]?.stringValue ?? ""), []) }
        let reasons = report["reasons"]?.arrayValue?.compactMap(\.stringValue) ?? []
        if reasons.contains(FailReason.unused.rawValue) {
            text += list("unusedStubs") { ("never used: " + name($0), []) }
        }
        if reasons.contains(FailReason.unmet.rawValue) {
            text += list("unmet") { unmet in
                let title = unmet["stub"].map { name($0) } ?? unmet["name"]?.stringValue ?? ""
                return ("not met: \(title): \(unmet["text"]?.stringValue ?? "")", [])
            }
        }
        if reasons.contains(FailReason.fault.rawValue) {
            text += list("faults") { ("fault: " + ($0["fault"]?.stringValue ?? ""), stub($0)) }
        }
        text += list("open") { answer in
            (
                "still open when the command ended: " + Self.request(answer),
                stub(answer) + [answer["gate"]?.stringValue.map { "held at the gate \"\($0)\"" }].compactMap(\.self)
            )
        }
        text += list("webhooks", (report["webhooks"]?.arrayValue ?? []).filter { $0["state"] != "sent" }) { webhook in
            ("webhook: " + Self.request(webhook), stub(webhook) + [webhook["text"]?.stringValue].compactMap(\.self))
        }
        if reasons.contains(FailReason.contract.rawValue) {
            text += list("contractViolations") { violation in
                let parts = ["operation", "side", "text"].map { violation[$0]?.stringValue ?? "" }
                return ("not as the contract allows: \(parts[0]), \(parts[1]): \(parts[2])", [])
            }
        }
        if reasons.contains(FailReason.aborted.rawValue) {
            text += list("aborted") { answer in
                (
                    "broke off: " + Self.request(answer),
                    stub(answer) + [answer["reason"]?.stringValue].compactMap(\.self)
                )
            }
        }
        if reasons.contains(FailReason.slow.rawValue) {
            text += list("slow") { answer in
                let time = answer["timeMs"]?.doubleValue.map { "\(Int($0.rounded())) ms" } ?? "long"
                return ("slow: \(Self.request(answer)): \(time)", stub(answer))
            }
        }
        if failOn != nil, !reasons.isEmpty { text += "stuntdouble: failed for \(reasons.joined(separator: ", "))\n" }
    }

    private func counts(_ address: String) -> String {
        let (served, ignored) = (report["served"]?.intValue ?? 0, report["ignoredCount"]?.intValue ?? 0)
        let isIgnored = ignored > 0 ? ", \(ignored) ignored" : ""
        let since = report["begunAnew"] == true ? " since its report was reset" : ""
        let refused = count("refusedCount") > 0 ? ["\(count("refusedCount")) refused"] : []
        if served == 0 {
            if !refused.isEmpty { return "no request was answered, \(refused[0])\(since)\(isIgnored)\(sessions)" }
            return "no requests to \(address)\(since)\(isIgnored)\(sessions)"
        }
        let (unmatched, failed) = (count("unmatchedCount"), count("failedCount"))
        var parts = [served.of("request") + sessions]
        if unmatched > 0 { parts.append("\(unmatched) unmatched") }
        if failed > 0 { parts.append("\(failed) that could not be served") }
        if count("openCount") > 0 { parts.append("\(count("openCount")) still open when the command ended") }
        let broken = report["counts"]?["aborted"]?.intValue ?? 0
        if count("openCount") == 0, broken > 0 { parts.append("\(broken) that broke off") }
        parts += refused
        if parts.count == 1 { parts.append("all answered") }
        if count("passedThroughCount") > 0 { parts.append("\(count("passedThroughCount")) sent on to a real server") }
        return parts.joined(separator: ", ") + isIgnored
    }

    /// How many of the requests came to child sessions, such as one per test.
    private var sessions: String {
        guard let begun = report["begunSessions"], let count = begun["count"]?.intValue else { return "" }
        let (all, tested) = (report["served"]?.intValue ?? 0, begun["served"]?.intValue ?? 0)
        let sessions = count.of("session")
        return tested == all ? " in \(sessions)" : ", \(tested == 0 ? "none" : String(tested)) of them in \(sessions)"
    }

    private func count(_ name: String) -> Int { report[name]?.intValue ?? 0 }

    /// - Parameter entries: the entries to list; nil for the whole list of that name.
    private func list(
        _ name: String, _ entries: [JSONValue]? = nil, _ entry: (JSONValue) -> (line: String, details: [String])
    ) -> String {
        var text = ""
        let all = entries ?? report[name]?.arrayValue ?? []
        for one in all.prefix(Self.most) {
            let (line, more) = entry(one)
            let details = (one["test"]?.stringValue.map { ["test: \($0)"] } ?? []) + more
            text += "  \(singleLine(line))\n" + details.map { "    \(singleLine($0))\n" }.joined()
        }
        return all.count > Self.most ? text + "  … and \(all.count - Self.most) more\n" : text
    }

    private static func request(_ request: JSONValue) -> String {
        let count = request["count"]?.intValue ?? 1
        let times = count > 1 ? " (\(count) times)" : ""
        return "\(request["method"]?.stringValue ?? "") \(request["url"]?.stringValue ?? "")\(times)"
    }

    /// The stub of an entry, as a detail.
    private func stub(_ entry: JSONValue) -> [String] { entry["stub"].map { ["stub: \(name($0))"] } ?? [] }

    /// A stub's name or key, and its location.
    private func name(_ stub: JSONValue) -> String {
        let name = stub["name"]?.stringValue.map { "\"\($0)\"" } ?? stub["key"]?.stringValue
        let place = Self.place(stub)
        guard !place.isEmpty else { return name ?? stub["id"]?.stringValue ?? "a stub" }
        return place + (name.map { " \($0)" } ?? "")
    }

    /// The location of a stub or a file problem; empty if unknown.
    private static func place(_ entry: JSONValue) -> String {
        ([entry["file"]?.stringValue].compactMap(\.self)
            + ["line", "column"].compactMap { entry[$0]?.intValue.map { String($0) } }).joined(separator: ":")
    }
}
