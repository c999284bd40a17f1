import Foundation
import SDJSON
import SDTestSupport
import Testing

/// What other servers get of proxied requests, and clients of their answers, is what WireMock gives them, as recorded in
/// `Tests/Oracle/proxy.json`.
@Suite struct RecordedProxyTests {
    private static let cases: [JSONValue] = {
        let path = PackageFiles.root + "/Tests/Oracle/proxy.json"
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? "[]"
        return (try? JSONValue(parsing: text))?.arrayValue ?? []
    }()

    static let flags: [[String]] = {
        var all: [[String]] = []
        for flags in cases.map({ texts($0["flags"]) }) where !all.contains(flags) { all.append(flags) }
        return all
    }()

    private static func texts(_ value: JSONValue?) -> [String] { value?.arrayValue?.compactMap(\.stringValue) ?? [] }

    /// Where we differ on purpose (docs/differences.md).
    private static let meantDifferences: Set<String> = [
        // A body that the client library does not let through.
        "OPTIONS with an empty body", "OPTIONS with a body",
        // There is one `Host`.
        "a host added",
        // Names of fields have no case.
        "fields removed",
        // Fields of one name keep their order.
        "an answer with fields of the connection",
        // It is passed on.
        "an answer after 103",
        // They are the connection's.
        "the field 'TE: trailers'", "the field 'Keep-Alive: 3'", "the field 'Proxy-Connection: x'",
        "the field 'Proxy-Authorization: z'",
        // Pages may read the fields of answers.
        "a page's request",
    ]

    @Test func thereAreCases() {
        #expect(Self.cases.count > 100)
    }

    @Test(arguments: flags) func theDaemonSendsOnWhatWireMockSendsOn(flags: [String]) throws {
        let target = try ProxyTarget()
        let daemon = try Daemon(flags)
        for recorded in Self.cases where Self.texts(recorded["flags"]) == flags {
            let name = try #require(recorded["name"]?.stringValue)
            if Self.meantDifferences.contains(name) { continue }
            func filled(_ text: String) -> String { text.replacing("{target}", with: String(target.port)) }
            func hidden(_ text: String) -> String { text.replacing(String(target.port), with: "{target}") }
            target.next(filled(try #require(recorded["answer"]?.stringValue)))
            let response = filled(try #require(recorded["response"]).compactText)
            try daemon.admin("POST", "/mappings/reset")
            let made = try daemon.admin(
                "POST", "/mappings", "{\"request\": {\"urlPattern\": \".*\"}, \"response\": \(response)}")
            #expect(made.status == 201, "\(name): \(made.text)")
            let client = try RawClient(port: daemon.port)
            try client.send(Array(try #require(recorded["request"]?.stringValue).utf8))
            let answer = Message(client.receiveAll(within: 30_000).bytes, hidden)
            compare(Message(recorded["client"]), answer, name + ", the client's")
            let got = target.got.map { Message($0, hidden) }
            compare(recorded["got"].flatMap { $0.isNull ? nil : Message($0) }, got, name + ", the target's")
        }
    }

    private func compare(_ expected: Message?, _ found: Message?, _ name: String) {
        guard let expected, let found else {
            #expect(expected == nil && found == nil, "\(name): \(String(describing: found))")
            return
        }
        #expect(found.line == expected.line, "\(name)")
        // What we know behind WireMock's words.
        let isSaid = found.line == "500" && found.body.hasPrefix(expected.body) && !expected.body.isEmpty
        #expect(found.body == expected.body || isSaid, "\(name)")
        // The failures' own length is not WireMock's.
        var fields = found.fields
        if expected.fields["content-length"] == nil { fields["content-length"] = nil }
        #expect(fields == expected.fields, "\(name)")
    }
}

/// A message by its parts, without the fields about a connection.
private struct Message {
    /// The request line, or the status.
    var line = ""
    var fields: [String: [String]] = [:]
    var body = ""

    private static let hidden: Set<String> = [
        "connection", "user-agent", "stunt-double-hop", "transfer-encoding", "matched-stub-id",
    ]

    init?(_ recorded: JSONValue?) {
        guard let recorded, recorded.objectValue != nil else { return nil }
        line = recorded["line"]?.stringValue ?? recorded["status"]?.intValue.map(String.init) ?? ""
        body = recorded["body"]?.stringValue ?? ""
        for member in recorded["fields"]?.objectValue?.members ?? [] where !Self.hidden.contains(member.key) {
            fields[member.key] = member.value.arrayValue?.compactMap(\.stringValue)
        }
    }

    init(_ bytes: [UInt8], _ hide: (String) -> String) {
        let text = String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        let parts = text.components(separatedBy: "\r\n\r\n")
        let lines = (parts.first ?? "").components(separatedBy: "\r\n")
        var rest = parts.dropFirst().joined(separator: "\r\n\r\n")
        var all: [String: [String]] = [:]
        for field in lines.dropFirst() {
            let colon = field.firstIndex(of: ":") ?? field.endIndex
            let value = field[colon...].dropFirst().trimmingCharacters(in: .whitespaces)
            all[field[..<colon].lowercased(), default: []].append(hide(value))
        }
        if all["transfer-encoding"] != nil { rest = Self.withoutChunks(rest) }
        let first = lines.first ?? ""
        line = first.hasPrefix("HTTP/") ? String(first.split(separator: " ").dropFirst().first ?? "") : hide(first)
        fields = all.filter { !Self.hidden.contains($0.key) }
        body = hide(rest)
    }

    private static func withoutChunks(_ text: String) -> String {
        var (rest, body) = (text[...], "")
        while let end = rest.range(of: "\r\n"), let size = Int(rest[..<end.lowerBound], radix: 16), size > 0 {
            body += rest[end.upperBound...].prefix(size)
            rest = rest[end.upperBound...].dropFirst(size)
            rest = rest.hasPrefix("\r\n") ? rest.dropFirst() : rest
        }
        return body
    }
}

/// The other server: keeps what it gets, and answers what it is told.
final class ProxyTarget: Sendable {
    private struct State {
        var answer = ""
        var got: [UInt8]?
    }

    private let state: Locked<State>
    private let server: RawServer
    var port: UInt16 { server.port }
    var got: [UInt8]? { state.withLock { $0.got } }

    init() throws {
        let state = Locked(State())
        self.state = state
        server = try RawServer { client, _ in
            var data: [UInt8] = []
            func text() -> String { String(decoding: data, as: UTF8.self).lowercased() }
            func isWhole() -> Bool {
                let text = text()
                guard let end = text.range(of: "\r\n\r\n") else { return false }
                let head = text[..<end.lowerBound]
                if head.contains("\r\ntransfer-encoding:") { return text.hasSuffix("0\r\n\r\n") }
                guard let field = head.range(of: "\r\ncontent-length:") else { return true }
                let value = head[field.upperBound...].prefix { $0 != "\r\n" }
                let length = Int(value.trimmingCharacters(in: .whitespaces)) ?? 0
                let start = String(decoding: data, as: UTF8.self).range(of: "\r\n\r\n")
                return start.map { text.utf8.distance(from: $0.upperBound, to: text.endIndex) >= length } ?? false
            }
            while !isWhole() {
                let piece = client.receiveSome(within: 10_000)
                guard !piece.bytes.isEmpty else { return }
                data += piece.bytes
            }
            let answer = state.withLock { state in
                state.got = data
                return state.answer
            }
            if answer == "slow" {
                _ = client.receiveSome(within: 60_000)
            } else {
                try client.send(answer.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
            }
        }
    }

    /// Forgets what came.
    func next(_ answer: String) {
        state.withLock { $0 = State(answer: answer) }
    }
}
