import SDArchives
import SDJSON
import SDTestSupport
import Testing

@Suite struct BrokenArchiveTests {
    /// The first problem as the command shows it: place, path, message, what was expected and found.
    private func problem(_ text: String) -> String? {
        do throws(ArchiveProblems) {
            _ = try HTTPArchive(Array(text.utf8))
            return nil
        } catch {
            let first = error.problems[0]
            let place = first.position.map { "\($0.line):\($0.column)" } ?? "-"
            return "\(place) \(first.pointer.keyPath): \(first.message); expected \(first.expected)"
                + (first.found.map { ", found \($0)" } ?? "")
        }
    }

    @Test(arguments: [
        ("", "1:1 : the file is not JSON; expected a value, found an empty text"),
        (#"{ "log": "#, "1:10 : the file is not JSON; expected a value, found the end of the text"),
        ("PK\u{3}\u{4}", "- : the file is a zip; expected the .har within it; unzip it into a folder"),
        ("{}", "1:1 log: is missing; expected an object with version, creator and entries"),
        (#"{ "log": [] }"#, "1:10 log: is of the wrong type; expected an object, found an empty list"),
        (#"{ "log": {} }"#, "1:10 log.entries: is missing; expected a list of entries"),
        (
            #"{ "log": { "entries": {} } }"#,
            "1:23 log.entries: is of the wrong type; expected a list, found an empty object"
        ),
        (
            #"{ "log": { "entries": [{ "request": { "method": "GET" } }] } }"#,
            "1:37 log.entries[0].request.url: is missing; expected an absolute URL"
        ),
        (
            #"{ "log": { "entries": [3] } }"#,
            "1:24 log.entries[0]: is of the wrong type; expected an object, found the number 3"
        ),
        (
            Samples.archive(Samples.entry(method: "GET /")),
            #"2:33 log.entries[0].request.method: is no method; expected a method, such as GET, found the text "GET /""#
        ),
        (
            Samples.archive(Samples.entry(url: "localhost:8080/a")),
            #"2:33 log.entries[0].request.url: is no URL of a server; expected one that begins with http:// or https://, found the text "localhost:8080/a""#
        ),
        (
            Samples.archive(Samples.entry(url: "shop.example/a")),
            #"2:33 log.entries[0].request.url: is no URL of a server; expected one that begins with http:// or https://, found the text "shop.example/a""#
        ),
        (
            Samples.archive(Samples.entry(content: #"{ "text": "a", "encoding": "rot13" }"#)),
            #"4:89 log.entries[0].response.content.encoding: is an unknown encoding; expected base64, or no encoding for plain text, found the text "rot13""#
        ),
        (
            Samples.archive(Samples.entry(content: #"{ "text": "a*b=", "encoding": "base64" }"#)),
            "4:72 log.entries[0].response.content.text: is no Base64; expected Base64, as encoding says, found Illegal base64 character 2a"
        ),
        (
            Samples.archive(Samples.entry(status: "1000")),
            "4:27 log.entries[0].response.status: is no status; expected a whole number from 100 to 999, found the number 1000"
        ),
        (
            Samples.archive(Samples.entry(content: #"{ "_file": "../secret" }"#)),
            #"4:73 log.entries[0].response.content._file: there is no such file; expected the name of a file in the archive's folder, found the text "../secret""#
        ),
    ])
    func saysWhereAndWhatWasExpected(_ text: String, _ expected: String) {
        #expect(problem(text)?.withoutColumn == expected.withoutColumn)
    }

    /// An entry that is wrong costs nothing but itself.
    @Test func entriesBesideAWrongOneAreRead() throws {
        let wrong = Samples.entry(content: #"{ "text": "a*b=", "encoding": "base64" }"#)
        let archive = try Samples.read(Samples.archive(Samples.entry(), wrong, "3", Samples.entry()))
        #expect(archive.exchanges.count == 2 && archive.leftOut == [.broken: 2] && archive.problems.count == 2)
        let texts = archive.warningTexts(file: "a.har")
        #expect(texts.contains { $0.contains("entries[1].response.content.text is no Base64") })
    }

    /// Each member that is read, with values of the wrong kind, or such as it never has.
    private static let members: [(path: [String], wrong: [JSONValue])] = [
        (["request"], [5, "x", []]), (["request", "method"], [5, true, [], [:], "", "G\u{0}T"]),
        (["request", "url"], [5, true, [], [:], "", "\u{0}"]), (["request", "headers"], [5, "x", [:], ["x"]]),
        (["request", "headers", "0", "name"], [5, true, []]), (["request", "headers", "0", "value"], [5, true, [:]]),
        (["request", "cookies"], [5, "x", [:], [5]]), (["request", "cookies", "0", "value"], [5, false]),
        (["request", "postData"], [5, "x", []]), (["request", "postData", "text"], [5, true, [], [:]]),
        (["request", "postData", "mimeType"], [5, []]), (["request", "postData", "encoding"], [5, "rot13"]),
        (["request", "postData", "_missingBytes"], ["1", -5, 1.5, true]),
        (["request", "postData", "_file"], [5, "", "x\u{0}", "x\u{0}/../y", "../x", "/x"]),
        (["response"], [5, "x", []]),
        (["response", "status"], ["200", 200.5, 1e300, true, [], [:], 99, 150, 1_000, "", "OK"]),
        (["response", "statusText"], [5, true, []]), (["response", "headers"], [5, "x", [:]]),
        (["response", "headers", "0", "name"], [5, true]), (["response", "headers", "0", "value"], [5, []]),
        (["response", "cookies"], [5, [:]]), (["response", "cookies", "0", "name"], [5]),
        (["response", "cookies", "0", "httpOnly"], ["true", 1]),
        (["response", "cookies", "0", "secure"], ["yes", []]),
        (["response", "cookies", "0", "path"], [5, true]), (["response", "content"], [5, "x", []]),
        (["response", "content", "text"], [5, 1.5, true, [], [:]]),
        (["response", "content", "mimeType"], [5, []]), (["response", "content", "encoding"], [5, true, "gzip"]),
        (["response", "content", "size"], ["2", -2, 2.5, 1e300, -1e300, true, []]),
        (["response", "content", "_missingBytes"], ["1", -5, 0.5, [:]]),
        (["response", "content", "_encoded"], ["true", 1, []]),
        (["response", "content", "_file"], [5, true, "", ".", "x\u{0}", "../x", "/x", "none"]),
        (["startedDateTime"], [5, true, []]), (["timings"], [5, "x", []]), (["timings", "wait"], ["5", true, []]),
        (["timings", "send"], ["5"]), (["timings", "receive"], [[:]]), (["_unmatched"], ["true", 1]),
        (["_proxiedTo"], [5, []]),
    ]

    @Test func aWrongMemberCostsItsEntryAndIsTold() throws {
        let good = try JSONValue(
            parsing: Samples.entry(
                request: """
                    "headers": [{ "name": "X-A", "value": "1" }], "cookies": [{ "name": "a", "value": "1" }],
                    "postData": { "mimeType": "text/plain", "text": "sent", "encoding": null, "_missingBytes": 0,
                      "_file": null },
                    """,
                response: """
                    "headers": [{ "name": "Content-Type", "value": "text/plain" }],
                    "cookies": [{ "name": "b", "value": "1", "httpOnly": true, "secure": false, "path": "/" }],
                    """,
                content: """
                    { "size": 2, "mimeType": "text/plain", "text": "{}", "encoding": null, "_missingBytes": 0,
                      "_encoded": false, "_file": null }
                    """, more: #", "_unmatched": false, "_proxiedTo": null"#))
        for (path, values) in Self.members {
            for value in values {
                let entries = [good, replaced(good, path[...], value), good].map(\.compactText)
                let text = #"{ "log": { "creator": 5, "entries": [\#(entries.joined(separator: ","))] } }"#
                let archive = try Samples.read(text)
                let name = "\(path.joined(separator: ".")) = \(value.compactText)"
                #expect(archive.exchanges.count == 2 && archive.leftOut == [.broken: 1], "\(name)")
                let told = archive.warningTexts(file: "a.har").filter { $0.hasPrefix("a.har:1:") }
                #expect(told.count == 1 && told[0].contains("log.entries[1]"), "\(name): \(told)")
                #expect(told.allSatisfy { $0.contains("; expected ") && $0.contains(", found ") }, "\(name): \(told)")
            }
        }
        #expect(try Samples.read(Samples.archive(good.compactText)).exchanges.count == 1)
    }

    @Test(arguments: [
        String(repeating: "[", count: 100_000), #"{"log": {"entries": ["# + String(repeating: "{\"a\":", count: 10_000),
        #"{"log": {"entries": [{"request": {"method": "GET", "url": "http://a/", "headers": "#
            + String(repeating: "[", count: 600) + String(repeating: "]", count: 600) + "}}]}}",
    ]) func whatIsNestedDeeplyIsRefused(_ text: String) {
        #expect(problem(text)?.contains("levels of nesting") == true, "\(problem(text) ?? "")")
    }

    @Test func whatHasTooManyValuesIsRefused() {
        let text = #"{"log": {"entries": ["# + String(repeating: "0,", count: 21_000_000) + "0]}}"
        #expect(problem(text)?.contains("too many values") == true)
    }

    /// Archives that are cut anywhere, and values replaced by those of another type.
    @Test func noDamageIsFatal() throws {
        let text = Samples.chrome
        let bytes = Array(text.utf8)
        for count in stride(from: 0, to: bytes.count, by: 7) {
            #expect(throws: ArchiveProblems.self) { try HTTPArchive(Array(bytes[..<count])) }
        }
        let whole = try JSONValue(parsing: text)
        let replacements: [JSONValue] = [
            .null, true, 3, -1e300, "", "x", [], [[]], [:], ["name": "x", "value": .null],
            [["name": 1, "value": ["a"]]],
        ]
        var count = 0
        for path in paths(of: whole) {
            for replacement in replacements {
                let damaged = replaced(whole, path[...], replacement)
                do throws(ArchiveProblems) {
                    let archive = try HTTPArchive(Array(damaged.compactText.utf8))
                    #expect(archive.exchanges.count + archive.leftOut.values.reduce(0, +) == archive.entryCount)
                } catch {
                    #expect(error.problems.allSatisfy { $0.position != nil }, "\(path) \(replacement)")
                }
                count += 1
            }
        }
        #expect(count > 500)
    }

    @Test func aWrongFileHasAHundredProblems() {
        let entries = Array(repeating: "3", count: 1_000).joined(separator: ",")
        do throws(ArchiveProblems) {
            _ = try HTTPArchive(Array(#"{ "log": { "entries": [\#(entries)] } }"#.utf8))
            Issue.record("was read")
        } catch {
            #expect(error.problems.count == 100)
        }
    }

    private func paths(of value: JSONValue) -> [[String]] {
        switch value {
        case .array(let elements):
            [[]] + elements.indices.flatMap { i in paths(of: elements[i]).map { [String(i)] + $0 } }
        case .object(let object):
            [[]] + object.members.flatMap { member in paths(of: member.value).map { [member.key] + $0 } }
        default: [[]]
        }
    }

    private func replaced(_ value: JSONValue, _ path: ArraySlice<String>, _ other: JSONValue) -> JSONValue {
        guard let first = path.first else { return other }
        switch value {
        case .array(var elements):
            elements[Int(first)!] = replaced(elements[Int(first)!], path.dropFirst(), other)
            return .array(elements)
        case .object(var object):
            object[first] = replaced(object[first]!, path.dropFirst(), other)
            return .object(object)
        default: return other
        }
    }
}

extension String {
    /// The text without the column of its place, which the samples' layout decides.
    fileprivate var withoutColumn: String {
        let parts = split(separator: " ", maxSplits: 1)
        return (parts.first?.split(separator: ":").first.map(String.init) ?? "") + " "
            + (parts.last.map(String.init) ?? "")
    }
}
