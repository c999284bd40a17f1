import SDAdminAPI
import SDBasics
import SDJSON

/// A change as stored in the shared log: a version, a line of JSON, and the call's body.
struct ChangeEntry: Sendable {
    /// The version of the format. A replica that reads another version stops making changes.
    static let version = "1"

    var call: ReplicatedCall
    /// Determines the random ids of the change.
    var seed: UInt64
    /// Identifies the change.
    var nonce: String

    /// The reason why an entry cannot be read.
    struct Problem: Error {
        let message: String
    }

    init(call: ReplicatedCall, seed: UInt64, nonce: String) {
        (self.call, self.seed, self.nonce) = (call, seed, nonce)
    }

    var bytes: [UInt8] {
        let head: JSONValue = [
            "method": .string(call.method), "url": .string(call.url),
            "session": call.session.map { .string($0) } ?? .null,
            "fields": .array(call.fields.map { .array([.string($0.name), .string($0.value)]) }),
            "secure": .bool(call.isSecure), "time": .string(String(call.time)),
            "needsJournal": .bool(call.needsJournal), "wantsAnswers": .bool(call.wantsAnswers),
            "seed": .string(String(seed)), "nonce": .string(nonce),
        ]
        var bytes = head.compactBytes
        bytes.reserveCapacity(bytes.count + 1 + call.body.count)
        bytes.append(UInt8(ascii: "\n"))
        bytes += call.body
        return bytes
    }

    /// Parses an entry; the content is not trusted.
    init(_ bytes: [UInt8]) throws(Problem) {
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")),
            let json = try? JSONValue(parsing: Array(bytes[..<end])).objectValue
        else { throw Problem(message: "it does not begin with a line of JSON") }
        func text(_ name: String) throws(Problem) -> String {
            guard let text = json[name]?.stringValue else { throw Problem(message: "it has no text `\(name)`") }
            return text
        }
        func number(_ name: String) throws(Problem) -> UInt64 {
            guard let number = UInt64(try text(name)) else { throw Problem(message: "`\(name)` is no number") }
            return number
        }
        var fields: [(name: String, value: String)] = []
        for field in json["fields"]?.arrayValue ?? [] {
            guard let pair = field.arrayValue, pair.count == 2, let name = pair[0].stringValue,
                let value = pair[1].stringValue
            else { throw Problem(message: "`fields` are no pairs of texts") }
            fields.append((name, value))
        }
        let url = try text("url")
        guard url.hasPrefix("/__admin") else { throw Problem(message: "its url is none of the admin API") }
        call = ReplicatedCall(
            method: try text("method"), url: url, session: json["session"]?.stringValue, fields: fields,
            body: Array(bytes[(end + 1)...]), isSecure: json["secure"]?.boolValue ?? false, time: try number("time"),
            needsJournal: json["needsJournal"]?.boolValue ?? false)
        call.wantsAnswers = json["wantsAnswers"]?.boolValue ?? false
        seed = try number("seed")
        nonce = try text("nonce")
    }
}
