import SDAdminAPI
import SDJSON

/// A replica's description of itself on the shared server.
struct MemberText {
    let text: String

    init(_ identity: Replicas.Identity, number: Int?, numbers: Set<UInt64> = [], hasHistory: Bool) {
        let json: JSONValue = [
            "addresses": .array(identity.addresses.map { .string($0) }), "version": .string(identity.version),
            "fingerprint": .string(identity.fingerprint), "startedAt": .string(String(identity.startedAt)),
            "options": .string(identity.options), "number": number.map { .string(String($0)) } ?? .null,
            "numbers": .array(numbers.sorted().map { .string(String($0)) }), "hasHistory": .bool(hasHistory),
        ]
        text = json.compactText
    }

    /// Parses another replica's description, which follows the time of its last heartbeat.
    /// - Parameter now: the shared server's time.
    /// - Returns: nil if it is malformed.
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
        member.numbers = Set((json["numbers"]?.arrayValue ?? []).compactMap { $0.stringValue.flatMap { UInt64($0) } })
        if let number = member.number { member.numbers.insert(number) }
        member.options = json["options"]?.stringValue ?? ""
        member.hasHistory = json["hasHistory"]?.boolValue ?? false
        return member
    }
}
