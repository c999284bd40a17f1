import SDJSON
import SDTestSupport

/// Makes the calls of a run.
struct ModelClient {
    private let server: any ModelServer
    private let connection: PersistentConnection
    /// The sessions by number, including those that have ended.
    private var sessions: [Int: Session] = [:]

    private struct Session {
        let id: String
        /// The connection to the session's own port; nil if it has none or has ended.
        var own: PersistentConnection?
    }

    init(_ server: any ModelServer) throws {
        self.server = server
        connection = try PersistentConnection(port: server.port)
    }

    mutating func perform(_ act: ModelAct) throws -> String {
        switch act.step {
        case .wait(let milliseconds): return server.advance(milliseconds) ? "waited" : "stood"
        case .begin(let number, let inherits, let hasPort, let timeToLive):
            return try begin(number, inherits, hasPort, timeToLive)
        case .end(let number):
            guard let session = sessions[number] else { return "nobody" }
            return try Self.short(connection.send(.admin("DELETE", "/sessions/" + session.id)), .end(number))
        case .report:
            guard let number = act.session, let session = sessions[number] else { return "nobody" }
            // The report of a session that has ended stays.
            let shown = try connection.send(.admin("GET", "/sessions/\(session.id)"))
            if shown.status == 410 { return Self.short(shown, act.step) }
            return try Self.short(connection.send(.admin("GET", "/sessions/\(session.id)/report")), act.step)
        case .endAll, .listSessions:
            return try act.step.call.map { try Self.short(connection.send($0), act.step) } ?? "no call"
        case .getRequest(let place): return try ofRequest(place, "GET", act)
        case .removeRequest(let place): return try ofRequest(place, "DELETE", act)
        default:
            guard let call = act.step.call, let answer = try send(call, act) else { return "nobody" }
            return Self.short(answer, act.step)
        }
    }

    /// An answer in the model's short form.
    private static func short(_ answer: HTTPAnswer, _ step: ModelStep) -> String {
        guard answer.status == 410 else { return ModelAnswer.of(step, answer) }
        let title = answer.json?["errors"]?.arrayValue?.first?["title"]?.stringValue ?? "none"
        return "410 " + (title.split(separator: "(").last?.split(separator: ")").first.map(String.init) ?? title)
    }

    private mutating func begin(
        _ number: Int, _ inherits: Bool, _ hasPort: Bool, _ timeToLive: Int?
    ) throws -> String {
        if let session = sessions[number] {
            let answer = try connection.send(.admin("GET", "/sessions/" + session.id))
            if answer.status == 200 { return "lives" }
        }
        var wish: JSONObject = ["name": .string("session \(number)"), "inherit": .bool(inherits)]
        if hasPort { wish["port"] = 0 }
        if let timeToLive { wish["ttl"] = .string("\(timeToLive)ms") }
        let answer = try connection.send(.admin("POST", "/sessions", .object(wish)))
        guard answer.status == 201, let id = answer.json?["id"]?.stringValue else {
            return "\(answer.status) \(answer.text)"
        }
        let port = answer.json?["port"]?.intValue
        guard (port != nil) == hasPort else { return "a port that is none: \(answer.text)" }
        sessions[number] = Session(id: id, own: try port.map { try PersistentConnection(port: UInt16($0)) })
        return "201"
    }

    private mutating func ofRequest(_ place: Int, _ method: String, _ act: ModelAct) throws -> String {
        guard let list = try send(.admin("GET", "/requests?limit=\(place + 1)"), act) else { return "nobody" }
        guard list.status == 200 else { return Self.short(list, act.step) }
        let listed = list.json?["requests"]?.arrayValue ?? []
        guard listed.count > place, let id = listed[place]["id"]?.stringValue else { return "none" }
        guard let answer = try send(.admin(method, "/requests/" + id), act) else { return "nobody" }
        return Self.short(answer, act.step)
    }

    /// Sends a call; nil if there has never been a session with that number.
    private mutating func send(_ call: ModelCall, _ act: ModelAct) throws -> HTTPAnswer? {
        guard let number = act.session else { return try connection.send(call) }
        guard let session = sessions[number] else { return nil }
        var call = call
        switch act.way {
        case .path: call.path = "/__session/\(session.id)" + call.path
        case .host: call.headers.append("Host: \(session.id).localhost:\(server.port)")
        case .port:
            // Closing a port ends its connections; the header then leads to the same answer.
            if let own = session.own, let answer = try? own.send(call), answer.status != 410 { return answer }
            sessions[number]?.own = nil
            fallthrough
        case .header: call.headers.append("X-StuntDouble-Session: " + session.id)
        }
        return try connection.send(call)
    }
}

extension PersistentConnection {
    fileprivate func send(_ call: ModelCall) throws -> HTTPAnswer {
        try request(call.method, call.path, headers: call.headers, body: call.body)
    }
}

extension ModelAct: CustomStringConvertible {
    var description: String {
        let whom = session.map { "session \($0) by \(way): " } ?? ""
        guard let call = step.call else { return whom + "\(step)" }
        return whom + "\(call.method) \(call.path) \(call.headers.joined(separator: " ")) \(call.body ?? "")"
    }
}
