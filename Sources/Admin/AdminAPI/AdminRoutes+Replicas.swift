import SDHTTPMessages
import SDJSON
import SDPlatform

/// `/__admin/replicas`: the daemons that act as one mock server. An addition to WireMock's admin API.
enum ReplicaRoutes {
    static let all: [AdminRoute] = [AdminRoute("GET", "/replicas", list)]

    private static func list(_ call: AdminCall) -> PlainResponse {
        guard let overview = call.daemon.replicas?.overview else {
            return .json(["name": .null, "self": .null, "ready": true, "problem": .null, "dropped": 0, "replicas": []])
        }
        return .json([
            "name": .string(overview.name), "self": .string(overview.own), "ready": .bool(overview.isReady),
            "problem": overview.problem.map { .string($0) } ?? .null,
            "dropped": number(Int(clamping: overview.dropped)),
            "replicas": .array(overview.members.map(describe)),
        ])
    }

    private static func describe(_ member: ReplicaOverview.Member) -> JSONValue {
        [
            "id": .string(member.id), "addresses": .array(member.addresses.map { .string($0) }),
            "version": .string(member.version),
            "startedAt": .string(Timestamp(milliseconds: member.startedAt).description),
            "fingerprint": .string(member.fingerprint), "options": .string(member.options),
            "lastSeenMs": number(Int(member.lastSeen)),
        ]
    }
}

extension ReplicaOverview {
    /// The status in `health`, in WireMock's members.
    var health: (status: String, message: String) {
        if isReady { return ("healthy", "Stunt Double is ok") }
        if let problem, wasReady {
            return ("degraded", "Without the other replicas: \(problem)")
        }
        return ("unhealthy", "Waiting for the changes of the other replicas" + (problem.map { ": \($0)" } ?? ""))
    }

    /// The status for a header, with the state of the stub files.
    var line: String {
        func told(_ facts: [String]) -> String {
            facts.isEmpty || !isReady ? "unknown" : Set(facts).count > 1 ? "differ" : "same"
        }
        return "name=\(name), self=\(own), ready=\(isReady), count=\(members.count), "
            + "files=\(told(members.map(\.fingerprint))), options=\(told(members.map(\.options)))"
    }
}
