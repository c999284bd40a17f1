import SDAdminAPI
import SDJSON

/// What a replica says of itself on the shared server.
struct MemberText {
    let text: String

    init(_ identity: Replicas.Identity, number: Int?, hasHistory: Bool) {
        let json: JSONValue = [
            "addresses": .array(identity.addresses.map { .string($0) }), "version": .string(identity.version),
            "fingerprint": .string(identity.fingerprint), "startedAt": .string(String(identity.startedAt)),
            "number": number.map { .string(String($0)) } ?? .null, "hasHistory": .bool(hasHistory),
        ]
        text = json.compactText
    }

    /// Reads what another one says, behind the time at which it was last heard of.
    /// - Parameter now: the shared server's time.
    /// - Returns: nil for what no replica says.
    static func member(id: String, _ text: String, now: Int64) -> ReplicaOverview.Member? {
        let parts = text.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, let seen = Int64(parts[0]), id.utf8.count <= 64,
            let json = try? JSONValue(parsing: Array(parts[1].utf8)).objectValue
        else { return nil }
        var member = ReplicaOverview.Member(
            id: id, addresses: (json["addresses"]?.arrayValue ?? []).compactMap(\.stringValue),
            version: json["version"]?.stringValue ?? "",
            startedAt: json["startedAt"]?.stringValue.flatMap(Int64.init) ?? 0,
            fingerprint: json["fingerprint"]?.stringValue ?? "", lastSeen: max(0, now - seen))
        member.number = json["number"]?.stringValue.flatMap { UInt64($0) }
        member.hasHistory = json["hasHistory"]?.boolValue ?? false
        return member
    }
}
