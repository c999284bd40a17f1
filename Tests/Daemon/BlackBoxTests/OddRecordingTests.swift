import Foundation
import SDJSON
import SDTestSupport
import Testing

/// What recorders write of unusual exchanges is served as it was, and passes `validate --strict`.
@Suite struct OddRecordingTests {
    private let folder: TemporaryFolder
    private let scratch: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        scratch = try TemporaryFolder()
    }

    /// A request and its answer, as an archive has them.
    struct Sample: Sendable {
        var method = "GET"
        var target: String
        var fields: [(String, String)] = []
        var sent: String?
        var status = 200
        var reason = "OK"
        var answerFields: [(String, String)] = [("Content-Type", "text/plain")]
        var body: String

        fileprivate func entry(_ number: Int) -> JSONValue {
            func list(_ fields: [(String, String)]) -> JSONValue {
                .array(fields.map { ["name": .string($0.0), "value": .string($0.1)] })
            }
            var request: JSONObject = [
                "method": .string(method), "url": .string("http://api.example" + target), "headers": list(fields),
            ]
            request["postData"] = sent.map { ["text": .string($0)] }
            let response: JSONValue = [
                "status": .number(JSONNumber(status)), "statusText": .string(reason), "headers": list(answerFields),
                "content": ["size": .number(JSONNumber(body.utf8.count)), "text": .string(body)],
            ]
            let second = String(1_000 + number).dropFirst()
            return [
                "startedDateTime": .string("2026-01-31T09:30:00.\(second)Z"), "request": .object(request),
                "response": response,
            ]
        }

        /// What the server answers to the request.
        fileprivate func answer(_ daemon: Daemon, _ other: (String) -> String) throws -> HTTPAnswer? {
            let content = other(sent ?? "")
            let lines =
                ["\(method) \(other(target)) HTTP/1.1", "Host: localhost", "Connection: close"]
                + fields.map { "\($0.0): \(other($0.1))" }
                + (sent == nil ? [] : ["Content-Length: \(content.utf8.count)"])
            let client = try RawClient(port: daemon.port)
            try client.send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + content).utf8))
            return HTTPAnswer(client.receiveAll().bytes, isHead: method == "HEAD")
        }
    }

    /// Imports samples, has the folder checked, and asks for each of them.
    /// - Parameters:
    ///   - expected: those that are asked for, if they are not the same.
    ///   - other: the texts of the requests that are sent, by those of the samples.
    private func check(
        _ samples: [Sample], expecting expected: [Sample]? = nil, _ format: String,
        _ other: (String) -> String = { $0 }
    ) throws {
        let archive: JSONValue = ["log": ["entries": .array(samples.enumerated().map { $1.entry($0) })]]
        try folder.write("a.har", archive.compactText)
        func run(_ words: String...) throws -> EndedCommand {
            try EndedCommand(words, in: folder.path, outputsIn: scratch)
        }
        let made = try run("import", "har", "a.har", "--to", "mocks", "--format", format)
        #expect(made.status == 0 && !made.output.contains("left out"), "\(made)")
        let checked = try run("validate", "mocks", "--strict")
        #expect(checked.status == 0, "\(format): \(checked.output)\(checked.errors)")
        let daemon = try Daemon(serving: folder.path + "/mocks")
        for sample in expected ?? samples {
            let answer = try sample.answer(daemon, other)
            let name = "\(format): \(sample.method) \(sample.target) \(sample.sent ?? "")"
            #expect(answer?.status == sample.status, "\(name): \(answer?.text ?? "")")
            guard sample.method != "HEAD" else { continue }
            #expect(answer?.body == Array(sample.body.utf8), "\(name): \(answer?.text ?? "")")
            for field in sample.answerFields {
                let values = answer?.headers.filter { $0.name.lowercased() == field.0.lowercased() }.map(\.value) ?? []
                #expect(values.contains(field.1), "\(name): \(field) is not in \(values)")
            }
            #expect(answer?.reason == sample.reason, "\(name): \(answer?.reason ?? "")")
        }
    }

    // MARK: What looks like a mistake

    private static let odd: [Sample] = [
        Sample(method: "get", target: "/lower", body: "lower"), Sample(target: "/lower", body: "upper"),
        Sample(method: "Post", target: "/mixed", sent: "x", body: "mixed"),
        Sample(method: "GEET", target: "/m", body: "m"),
        Sample(method: "PROST", target: "/m", body: "p"), Sample(method: "crud", target: "/m", body: "c"),
        Sample(method: "CRUD", target: "/m", body: "C"), Sample(method: "ANY", target: "/any", body: "any"),
        Sample(method: "any", target: "/small", body: "small"), Sample(method: "HEAD", target: "/head", body: ""),
        Sample(method: "!#$%&'*+.^_`|~", target: "/signs", body: "signs"),
        Sample(target: "/t1", answerFields: [("X-T", "{{request.path}}")], body: "one"),
        Sample(target: "/t2", answerFields: [("X-T", "{{")], body: "{{request.path}} {{#if x}}"),
        Sample(target: "/t3", reason: "{{request.path}}", body: "three"),
        Sample(target: "/t4", answerFields: [("Content-Type", "application/json")], body: #"{"a":"{{request.path}}"}"#),
        Sample(
            target: "/t5", answerFields: [("Content-Type", "text/event-stream")], body: "data: {{request.path}}\n\n"),
        Sample(
            target: "/t6", answerFields: [("Content-Type", "text/html")],
            body: "<p>{{ user }}</p>" + String(repeating: "x", count: 20_000)),
        Sample(target: "/j1", answerFields: [("Content-Type", "application/json")], body: #""{\"a\": 1}""#),
        Sample(target: "/j2", answerFields: [("Content-Type", "application/json")], body: #"" [1]""#),
        Sample(target: "/j3", answerFields: [("Content-Type", "application/json")], body: #""{{a}}""#),
        Sample(
            method: "POST", target: "/unit", fields: [("Content-Type", "application/json")],
            sent: #"{"a":"${json-unit.any-strng}","b":"${json-unit.regex}["}"#, body: "unit"),
        Sample(
            method: "POST", target: "/xml", fields: [("Content-Type", "application/xml")],
            sent: "<a>${xmlunit.ignore}</a>", body: "xmlunit"),
        Sample(target: "/a/:id", body: "colon"), Sample(target: "/a/%7Bid%7D", body: "escaped"),
        Sample(target: "/a/{id}", body: "braces"), Sample(target: "/a/*", body: "star"),
        Sample(target: "/a/**", body: "stars"),
        Sample(target: "/a/[0-9]+", body: "class"), Sample(target: "/a/(x|y)", body: "group"),
        Sample(target: "/a/\\d+", body: "digits"),
        Sample(target: "/a/<id>", body: "angle"), Sample(target: "/a/.*", body: "dot"),
        Sample(target: "/a/^x$", body: "anchors"),
        Sample(target: "/a/x?", body: "mark"), Sample(target: "/a/x?&", body: "and"),
        Sample(target: "/a//b", body: "slashes"),
        Sample(target: "/a/?q=~x&r=!y&s={z}&t={any}&u=", body: "signs in a query"),
        Sample(target: "/~a", body: "tilde"),
        Sample(target: "/=a", body: "equals"), Sample(target: "/a/%2F%00%FF", body: "bytes"),
        Sample(target: "/__adminx", body: "near"),
        Sample(target: "/s/599", status: 599, reason: "Odd", body: "599"),
        Sample(target: "/s/999", status: 999, reason: "Odder", body: "999"),
        Sample(target: "/s/204", status: 204, reason: "No Content", answerFields: [], body: ""),
        Sample(
            target: "/f1",
            answerFields: [("X-Empty", ""), ("Contnet-Type", "a"), ("x_y", "b"), ("Content-Type", "{}")], body: "f"),
        Sample(target: "/f2", answerFields: [("Content-Type", "")], body: "[1]"),
        Sample(
            method: "POST", target: "/form", fields: [("Content-Type", "application/x-www-form-urlencoded")],
            sent: "a=~x&a={{b}}&%00=%FF&=&c", body: "form"),
        Sample(
            method: "POST", target: "/dup", fields: [("Content-Type", "application/json")], sent: #"{"a":1,"b":2}"#,
            body: "dup"),
        Sample(method: "POST", target: "/text", sent: "~{{x}}\r\n\u{FEFF}\u{0}", body: "\u{FEFF}~\r\n\u{0}\u{85}{{"),
    ]

    @Test(arguments: ["yaml", "wiremock"]) func whatLooksLikeAMistakeIsMeant(_ format: String) throws {
        // An archive gives the size of a body in decoded form, and no line end within a header.
        try check(
            Self.odd.map { sample in
                var sample = sample
                // Blanks and angle brackets are sent encoded.
                sample.target = sample.target.replacing("<", with: "%3C").replacing(">", with: "%3E")
                return sample
            }, format)
    }

    /// What is changed by hand is looked at again.
    @Test func aChangedRecordingIsCheckedAsAnyFile() throws {
        let archive: JSONValue = ["log": ["entries": [Self.odd[0].entry(0)]]]
        try folder.write("a.har", archive.compactText)
        let made = try EndedCommand(["import", "har", "a.har", "--to", "mocks"], in: folder.path, outputsIn: scratch)
        #expect(made.status == 0)
        let file = "mocks/api.example.yaml"
        let text = try String(contentsOfFile: folder.path + "/" + file, encoding: .utf8)
        try folder.write(file, text.replacing("/lower", with: "/other"))
        let checked = try EndedCommand(["validate", "mocks", "--strict"], in: folder.path, outputsIn: scratch)
        #expect(checked.status == 1 && checked.output.contains("case-sensitive"), "\(checked)")
    }

    @Test func whatNoStubCanAnswerIsLeftOut() throws {
        let samples = [Sample(target: "/__admin/mappings", body: "x"), Sample(target: "/a", body: "a")]
        let archive: JSONValue = ["log": ["entries": .array(samples.enumerated().map { $1.entry($0) })]]
        try folder.write("a.har", archive.compactText)
        let made = try EndedCommand(["import", "har", "a.har", "--to", "mocks"], in: folder.path, outputsIn: scratch)
        #expect(made.status == 0 && made.output.contains("GET /__admin/mappings is left out: "), "\(made)")
        let checked = try EndedCommand(["validate", "mocks", "--strict"], in: folder.path, outputsIn: scratch)
        #expect(checked.status == 0, "\(checked)")
    }

    // MARK: Event streams

    private static let streams: [String] = [
        "data: x\n\n", "data: x\n\n\ndata: y\n\n", "\n\n\ndata: x\n\n", "data: x\n\n\n\n\n",
        "data: x\r\n\r\ndata: y\r\n\r\n",
        "data: x\r\rdata: y\r\r", "data: x\r\n\ndata: y\n\r\n", "\u{FEFF}data: x\n\n",
        ": ping\n\n: pong\n\ndata: x\n\n", ":\n\n",
        "data: x", "data: x\n", "retry: 5\n\n", "retry: 99999999999\n\ndata: x\n\n", "retry: -5\n\ndata: x\n\n",
        "retry: x\n\n",
        "retry:5\ndata:x\n\n", "event: a\n\n", "event:\ndata\n\n", "id: \u{0}\ndata: x\n\n", "id\n\n",
        "data: {\"a\": 1}\n\ndata: {\"a\":1}\n\n",
        "data: [1,\ndata: 2]\n\n", "data: \"x\"\n\n", "data: null\n\n", "data: 1.50\n\n", "data:\n\n", "data: \n\n",
        "data:  x\n\n",
        "data: x\nevent: late\n\n", "foo: bar\n\n", "foo\n\n", "data: \u{85}\u{2028}e\u{301}\n\n", "data: {{x}}\n\n",
        "data: ~\n\n", "\n", "\r\n", "\n\n\n",
        "data: {\"a\":{\"a\":1},\"a\":2}\n\n", "data: - x\ndata: # y\n\n", ": \u{301}\n\n",
        "data: x\n\n" + String(repeating: "\n", count: 9_000),
        "data: " + String(repeating: "[", count: 200) + String(repeating: "]", count: 200) + "\n\n",
    ]

    @Test(arguments: ["yaml", "wiremock"]) func eventStreamsComeBackByteForByte(_ format: String) throws {
        try check(
            Self.streams.enumerated().map { number, body in
                Sample(target: "/s\(number)", answerFields: [("Content-Type", "text/event-stream")], body: body)
            }, format)
    }

    // MARK: Secrets of requests

    private static let secret = "kn0wn-Secret-42"

    private static let secrets: [Sample] = [
        Sample(
            method: "POST", target: "/login", answerFields: [("Content-Type", "application/json")],
            body: #"{"access_token":"REDACTED"}"#),
        Sample(target: "/users/\(secret)/orders", body: "path"), Sample(target: "/users/list/orders", body: "list"),
        Sample(target: "/users/\(secret)", body: "last"), Sample(target: "/users/list", body: "beside"),
        Sample(target: "/{x}/\(secret).json", body: "signs"),
        Sample(target: "/a;jsessionid=\(secret)/b;c=d", body: "matrix"),
        Sample(target: "/m;v=\(secret)", body: "matrix at the end"),
        Sample(target: "/users/\(secret)?page=1", body: "with a query"),
        Sample(target: "/q?next=\(secret)&n=1", body: "query"),
        Sample(target: "/q?next=plain&n=1", body: "other query"),
        Sample(target: "/q?token=\(secret)", body: "named"),
        Sample(target: "/qq?a=\(secret)&a=2", body: "list of values"),
        Sample(target: "/qk?\(secret)=1&n=1", body: "name of a parameter"),
        Sample(target: "/ql?\(secret)", body: "parameter alone"),
        Sample(target: "/qm?&\(secret)", body: "odd query"),
        Sample(
            target: "/if", fields: [("If-Match", "\"\(secret)\"")], status: 412, reason: "Precondition Failed",
            body: "header"),
        Sample(
            target: "/cookie", fields: [("Cookie", "a=b; sid=\(secret)"), ("Authorization", "Bearer \(secret)")],
            body: "cookie"),
        json("/json", #"{"user":"u","note":"\#(secret)"}"#, "value"),
        json("/json", #"{"user":"u","note":"x"}"#, "other value"),
        json("/json2", #"{"note":"Bearer \#(secret)!","n":[1,"\#(secret)"]}"#, "part of a value"),
        json("/json3", #"{"\#(secret)":1}"#, "key"),
        json("/json4", #"{"a":{"x-\#(secret)":{"b":1}},"password":"p"}"#, "part of a key"),
        json("/json5", #"{"inner":"{\"\#(secret)\":1}"}"#, "key within a text"),
        json("/json6", #""\#(secret)""#, "a text"),
        json("/json7", #"[{"\#(secret)":1}]"#, "key in a list"),
        form("/form", "note=\(secret)&x=1", "form"), form("/form", "note=plain&x=1", "other form"),
        form("/form2", "\(secret)=1&x=1", "name in a form"), form("/form3", "\(secret)", "name alone"),
        xml("/xml", "<a><b>\(secret)</b></a>", "text"), xml("/xml", "<a><b>plain</b></a>", "other text"),
        xml("/xml2", "<a b='\(secret)'/>", "attribute"), xml("/xml3", "<a b='x \(secret)'>y \(secret)</a>", "parts"),
        xml("/xml4", "<\(secret)>x</\(secret)>", "element"), xml("/xml5", "<a \(secret)='1'/>", "name of an attribute"),
        xml("/xml6", "<a xmlns:n='u:\(secret)'><n:b/></a>", "namespace"),
        xml("/xml7", "<a><!-- \(secret) --><?p \(secret)?></a>", "comment"),
        Sample(
            method: "POST", target: "/parts", fields: [("Content-Type", "multipart/form-data; boundary=b")],
            sent: "--b\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\n\(secret)\r\n--b--\r\n", body: "parts"),
        Sample(
            method: "POST", target: "/mixed", fields: [("Content-Type", "multipart/mixed; boundary=b")],
            sent: "--b\r\n\r\n\(secret)\r\n--b--\r\n", body: "mixed"),
        Sample(
            method: "POST", target: "/text", fields: [("Content-Type", "text/plain")], sent: "a \(secret)\nb",
            body: "text"),
        Sample(method: "POST", target: "/none", sent: "a \(secret)", body: "no type"),
        Sample(
            method: "POST", target: "/bytes", fields: [("Content-Type", "image/png")], sent: "\u{1}\(secret)",
            body: "bytes"),
        json("/broken", #"{"a": \#(secret)"#, "no JSON"), xml("/broken2", "<a>\(secret)", "no XML"),
    ]

    private static func sent(_ type: String, _ target: String, _ text: String, _ body: String) -> Sample {
        Sample(method: "POST", target: target, fields: [("Content-Type", type)], sent: text, body: body)
    }
    private static func json(_ target: String, _ text: String, _ body: String) -> Sample {
        sent("application/json", target, text, body)
    }
    private static func form(_ target: String, _ text: String, _ body: String) -> Sample {
        sent("application/x-www-form-urlencoded", target, text, body)
    }
    private static func xml(_ target: String, _ text: String, _ body: String) -> Sample {
        sent("application/xml", target, text, body)
    }

    /// Wherever a secret stood in a request, the one with another value gets the answer.
    @Test(arguments: ["yaml", "wiremock"]) func anyValueMatchesInThePlaceOfASecret(_ format: String) throws {
        var recorded = Self.secrets
        recorded[0].body = #"{"access_token":"\#(Self.secret)"}"#
        for other in [Self.secret, "another-Value.77"] {
            try? FileManager.default.removeItem(atPath: folder.path + "/mocks")
            try check(recorded, expecting: Self.secrets, format) { $0.replacing(Self.secret, with: other) }
        }
    }
}
