import Foundation
import SDHTTPTransport
import SDJSON
import SDStubModel
import SDTestSupport
import SDUpstream
import Testing

@testable import SDAnswering
@testable import SDMockEngine

/// What WireMock's webhooks send and what its journal says of them, recorded by `Tools/oracle/record_webhooks.py`.
@Suite(.serialized) struct RecordedWebhookTests {
    private struct Recorded: Sendable, CustomTestStringConvertible {
        let number: Int
        let json: JSONValue
        var testDescription: String { "\(number): \(json["stub"]?.compactText.prefix(160) ?? "")" }
    }

    private static func recorded() throws -> [Recorded] {
        let json = try JSONValue(parsing: Data(contentsOf: PackageFiles.url("Tests/Oracle/webhooks.json")))
        return (json.arrayValue ?? []).enumerated().map { Recorded(number: $0, json: $1) }
    }

    /// Why a case is meant to be different; nil for one that is not.
    private static func difference(_ recorded: JSONValue) -> String? {
        let parameters = recorded["stub"]?["serveEventListeners"]?[0]?["parameters"]
        let errors = (recorded["subEvents"]?.arrayValue ?? []).compactMap { $0["data"]?["message"]?.stringValue }
        let url = parameters?["url"]?.stringValue ?? ""
        if errors.contains(where: { $0.contains("inline@") }) { return "the text of a template that cannot be read" }
        if url == "http://{target}" || url == "http://{target}?a=b" { return "a URL without a path is one of /" }
        if url.hasPrefix("https://") { return "a server that does not answer" }
        if url.hasPrefix("HTTP://") || url.hasPrefix("ftp://") { return "the scheme is http" }
        if url.contains(":x/") || url.contains("99999") { return "the text about a bad authority" }
        if url.contains("u:p@") { return "the user in a URL is sent" }
        if let headers = parameters?["headers"]?.objectValue {
            if headers["Transfer-Encoding"] != nil || headers["Content-Encoding"] != nil { return "chunks" }
            if headers["User-Agent"] != nil { return "a User-Agent is sent" }
            if headers["X-A"]?.intValue != nil || headers["X-A"]?.objectValue != nil { return "JSON is text" }
            if headers["X A"] != nil || headers["X-{{originalRequest.method}}"] != nil { return "no name of a header" }
        }
        let text = parameters?["body"]?.stringValue ?? ""
        if text.contains("response.body") { return "templates see the response" }
        if text.contains("originalRequest.id") { return "an id, and a port" }
        if parameters?["jsonBody"] != nil || parameters?["bodyFileName"] != nil {
            return "bodies that WireMock has not"
        }
        if parameters?["method"] == "BAD METHOD" || parameters?["method"] == "" { return "no method" }
        if let delay = parameters?["delay"], delay["upper"] == 100 || delay["more"] != nil { return "wrong delays" }
        if delay(parameters)?.contains("{{") == true { return "the text about a wrong number" }
        return nil
    }

    private static func delay(_ parameters: JSONValue?) -> String? {
        parameters?["delay"]?["milliseconds"]?.stringValue
    }

    @Test func webhooksAreSentAndNotedAsByWireMock() throws {
        let all = try Self.recorded()
        #expect(all.count > 140)
        for recorded in all where Self.difference(recorded.json) == nil {
            try Self.check(recorded)
        }
    }

    private static func check(_ recorded: Recorded) throws {
        let json = recorded.json
        let answer = json["answer"]?.stringValue ?? WebhookTarget.ok
        let target = try WebhookTarget { _, _ in .bytes(answer) }
        var options = SessionOptions()
        let flags = json["flags"]?.arrayValue?.compactMap(\.stringValue) ?? []
        for (flag, value) in zip(flags, flags.dropFirst()) {
            switch flag {
            case "--deny-proxy-targets": options.upstream.deniedTargets = [value]
            case "--allow-proxy-targets": options.upstream.allowedTargets = [value]
            case "--logged-response-body-size-limit": options.loggedResponseBodyLimit = Int(value) ?? 0
            default: break
            }
        }
        let mock = try ServedSession(options, files: ["a.txt": "file"])
        let places = [("{target}", "127.0.0.1:\(target.port)"), ("{closed}", "127.0.0.1:1")]
        func placed(_ text: String) -> String {
            places.reduce(text) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
        }
        var mapping: JSONObject = ["request": ["urlPath": "/x"], "response": ["body": "r"]]
        for member in json["stub"]?.objectValue?.members ?? [] { mapping[member.key] = member.value }
        try mock.add(placed(JSONValue.object(mapping).compactText))
        let asked = json["request"]
        let client = try PersistentConnection(port: mock.server.port)
        _ = try? client.request(
            "POST", "/x" + (asked?["path"]?.stringValue ?? ""), headers: ["X-A: a"],
            body: asked?["body"]?.stringValue ?? "q")
        let subEvents = try mock.settledSubEvents().map { normal($0, target.port, mock.server.port) }
        let expected = (json["subEvents"]?.arrayValue ?? []).map { unordered($0) }
        #expect(subEvents.count == expected.count, "\(recorded.testDescription)")
        for (found, expected) in zip(subEvents, expected) {
            // What we know behind WireMock's words.
            let (ours, theirs) = (found["data"]?["message"]?.stringValue, expected["data"]?["message"]?.stringValue)
            if let ours, let theirs, theirs.hasPrefix("Failed to fire") || theirs.hasPrefix("The target webhook") {
                #expect(found["type"] == expected["type"] && ours.hasPrefix(theirs), "\(recorded.testDescription)")
            } else {
                #expect(found.compactText == expected.compactText, "\(recorded.testDescription)")
            }
        }
        let received = target.received.withLock { $0 }.map { seen in
            let fields = seen.headers.filter { !Self.ignored.contains($0.name.lowercased()) }
            return seen.line + "\n" + fields.map { "\($0.name): \($0.value)\n" }.joined() + "\n" + seen.text
        }.map { normal($0, target.port, mock.server.port) }
        let sent = (json["received"]?.arrayValue ?? []).compactMap(\.stringValue).map { filtered($0) }
        #expect(received == sent, "\(recorded.testDescription)")
    }

    /// Headers in which the clients differ.
    private static let ignored: Set<String> = [
        "host", "connection", "user-agent", "content-length", "stunt-double-webhooks",
    ]

    /// A recorded request in the form in which those that are received here are compared.
    private static func filtered(_ raw: String) -> String {
        let bytes = raw.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        let text = String(decoding: bytes, as: UTF8.self)
        let parts = text.components(separatedBy: "\r\n\r\n")
        let lines = parts[0].components(separatedBy: "\r\n")
        let fields = lines.dropFirst().filter { line in
            !ignored.contains(line.prefix { $0 != ":" }.lowercased())
        }
        return lines[0].replacingOccurrences(of: " HTTP/1.1", with: "") + "\n" + fields.map { $0 + "\n" }.joined()
            + "\n"
            + parts.dropFirst().joined(separator: "\r\n\r\n")
    }

    private static func normal(_ text: String, _ target: UInt16, _ own: UInt16) -> String {
        text.replacingOccurrences(of: "127.0.0.1:\(target)", with: "{target}")
            .replacingOccurrences(of: "127.0.0.1:1/", with: "{closed}/")
            .replacingOccurrences(of: "127.0.0.1:1 ", with: "{closed} ")
            .replacingOccurrences(of: ":\(own)", with: ":{ownPort}")
            .replacing(try! Regex("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"), with: "{uuid}")
    }

    private static func normal(_ value: JSONValue, _ target: UInt16, _ own: UInt16) -> JSONValue {
        switch value {
        case .string(let text): return .string(normal(text, target, own))
        case .number(let number):
            return number.intValue == Int(target) ? "{port}" : number.intValue == 1 ? "{closedPort}" : value
        case .array(let elements): return .array(elements.map { normal($0, target, own) })
        case .object(let object):
            var result: [(String, JSONValue)] = []
            for member in object.members {
                switch member.key {
                case "timeOffsetNanos", "loggedDate": result.append((member.key, 0))
                case "loggedDateString": result.append((member.key, ""))
                default: result.append((member.key, normal(member.value, target, own)))
                }
            }
            return unordered(.object(JSONObject(result)))
        default: return value
        }
    }

    /// The value with the headers in the order of their names: WireMock's have none.
    private static func unordered(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let elements): return .array(elements.map { unordered($0) })
        case .object(let object):
            return .object(
                JSONObject(
                    object.members.map { member in
                        guard member.key == "headers", let headers = member.value.objectValue else {
                            return (member.key, unordered(member.value))
                        }
                        let sorted = headers.members.sorted { $0.key.lowercased() < $1.key.lowercased() }
                        return (member.key, .object(JSONObject(sorted.map { ($0.key, $0.value) })))
                    }))
        default: return value
        }
    }
}
