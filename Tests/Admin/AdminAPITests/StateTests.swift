import SDJSON
import SDMockEngine
import SDPlatform
import SDRecords
import SDStubModel
import SDTestSupport
import Testing

/// The session's state: what stubs record, how templates and conditions see it, and the admin API.
@Suite struct StateTests {
    /// A server with a stub for each `(path, response, listeners)`.
    private func mock(_ options: SessionOptions = SessionOptions()) throws -> TestMock {
        let mock = try TestMock(session: options)
        try mock.add(
            #"""
            {"request": {"urlPathTemplate": "/record/{id}"}, "response": {"body": "{\"id\": 7}"},
             "serveEventListeners": [{"name": "recordState", "parameters": {
               "context": "c-{{request.path.id}}",
               "state": {"name": "{{request.query.name}}", "size": 3, "answer": "{{jsonPath response.body '$.id'}}"},
               "list": {"addLast": {"name": "{{request.query.name}}"}}}}]}
            """#)
        try mock.add(
            #"""
            {"request": {"urlPathTemplate": "/read/{id}/{property}"}, "response": {
              "body": "{{state context=(join 'c' request.path.id '-') property=request.path.property default=request.query.default}}",
              "transformers": ["response-template"]}}
            """#)
        return mock
    }

    private func text(_ mock: TestMock, _ path: String) throws -> String { try Exchange(mock.port, "GET", path).text }

    @Test func whatAStubRecordsLaterTemplatesRead() throws {
        let mock = try mock()
        #expect(try text(mock, "/record/1?name=Ann") == #"{"id": 7}"#)
        #expect(try text(mock, "/read/1/name") == "Ann")
        #expect(try text(mock, "/read/1/size") == "3")
        #expect(try text(mock, "/read/1/answer") == "7")
        #expect(try text(mock, "/read/1/updateCount") == "1")
        #expect(try text(mock, "/read/1/listSize") == "1")
        #expect(try text(mock, "/read/1/none") == "")
        #expect(try text(mock, "/read/1/none?default=x") == "x")
        #expect(try text(mock, "/read/2/name?default=x") == "x")
        #expect(try text(mock, "/read/2/updateCount") == "0")
        _ = try text(mock, "/record/1?name=Bob")
        #expect(try text(mock, "/read/1/name") == "Bob")
        #expect(try text(mock, "/read/1/updateCount") == "2")
        #expect(try text(mock, "/read/1/listSize") == "2")
        #expect(try text(mock, "/read/1/list") == "[{name=Ann}, {name=Bob}]")
    }

    @Test(arguments: [
        ("{{state}}", ""), ("{{state context='c-1'}}", "[ERROR: Either 'property' or 'list' has to be set]"),
        ("{{state property='x'}}", "[ERROR: 'context' cannot be empty]"),
        ("{{state context='c-1' property='name' list='[0]'}}", "[ERROR: Either 'property' or 'list' has to be set]"),
        ("{{state context='c-1' list='[0].name'}}", "Ann"), ("{{state context='c-1' list='[-1].name'}}", "Bob"),
        ("{{state context='c-1' list='$[1].name'}}", "Bob"),
        ("{{state context='c-1' list='[5].name' default='x'}}", "x"),
        ("{{state context='c-2' list='[0].name'}}", ""),
        ("{{state context='c-2' property='list' default='[1]'}}", "[1]"),
        ("{{#each (state context='c-1' property='list')}}{{name}};{{/each}}", "Ann;Bob;"),
        ("{{#with parameters}}{{state}}{{/with}}", "a value"), ("{{state 'x'}}{{state 'x' default='y'}}", "y"),
        ("{{#parameters.states}}{{state}} {{/parameters.states}}", "NY LA "),
        ("{{counter 'n'}}{{counter 'n'}}{{counter 'n' step=5}}", "127"), ("{{counter 'm' start=9 step=-1}}", "9"),
        ("{{counter 'n'}}{{counter 'n'}}{{state 'n'}}", "122"),
        ("{{counter 'e' start='9223372036854775807'}}", "9223372036854775807"),
        ("{{counter}}{{counter ''}}", "[ERROR: counter needs a name: counter 'orders']"),
        ("{{counter 'k' context='c-3'}}{{state context='c-3' property='k'}}", "11"),
    ])
    func helpersReadAndCount(template: String, expected: String) throws {
        let mock = try mock()
        _ = try text(mock, "/record/1?name=Ann")
        _ = try text(mock, "/record/1?name=Bob")
        let response: JSONValue = [
            "body": .string(template), "transformers": ["response-template"],
            "transformerParameters": ["state": "a value", "states": [["state": "NY"], ["state": "LA"]]],
        ]
        try mock.add(JSONValue.object(["request": ["url": "/t"], "response": response]).compactText)
        #expect(try text(mock, "/t") == expected)
    }

    @Test(arguments: [
        (#"{"context": "c-1"}"#, "[]"), (#"{"contexts": ["c-1", "none"]}"#, "[]"),
        (#"{"contextsMatching": "c-.*"}"#, "[]"),
        (#"{"contextsMatching": "c"}"#, "Ann,Bob,Cid"), (#"{"context": "none"}"#, "Ann,Bob,Cid"),
        (#"{"context": "c-1", "list": {"deleteFirst": true}}"#, "Bob,Cid"),
        (#"{"context": "c-1", "list": {"deleteLast": true}}"#, "Ann,Bob"),
        (#"{"context": "c-1", "list": {"deleteIndex": "1"}}"#, "Ann,Cid"),
        (#"{"context": "c-1", "list": {"deleteIndex": "{{request.query.i}}"}}"#, "Ann,Bob"),
        (#"{"context": "c-1", "list": {"deleteIndex": "9"}}"#, "Ann,Bob,Cid"),
        (#"{"context": "c-1", "list": {"deleteWhere": {"property": "name", "value": "Bob"}}}"#, "Ann,Cid"),
    ])
    func recordsAndContextsAreDeleted(parameters: String, left: String) throws {
        let mock = try mock()
        for name in ["Ann", "Bob", "Cid"] { _ = try text(mock, "/record/1?name=\(name)") }
        try mock.add(
            #"{"request": {"urlPath": "/delete"}, "serveEventListeners": [{"name": "deleteState", "parameters": \#(parameters)}]}"#
        )
        #expect(try Exchange(mock.port, "GET", "/delete?i=-1").status == 200)
        let list = mock.session.stateContext("c-1")?.list
        #expect(list.map { $0.compactMap { $0["name"]?.stringValue }.joined(separator: ",") } ?? "[]" == left)
    }

    @Test(arguments: [
        (#"{"hasContext": "c-1"}"#, true), (#"{"hasContext": "c-2"}"#, false), (#"{"hasNotContext": "c-2"}"#, true),
        (#"{"hasNotContext": "c-{{request.query.id}}"}"#, false), (#"{"hasContext": "c-{{request.query.id}}"}"#, true),
        (#"{"hasContext": "c-1", "hasProperty": "name"}"#, true),
        (#"{"hasContext": "c-1", "hasProperty": "x"}"#, false),
        (#"{"hasContext": "c-1", "hasNotProperty": "x"}"#, true),
        (#"{"hasContext": "c-1", "property": {"name": {"equalTo": "Bob"}}}"#, true),
        (#"{"hasContext": "c-1", "property": {"name": {"equalTo": "{{request.query.name}}"}}}"#, true),
        (#"{"hasContext": "c-1", "property": {"name": {"equalTo": "Ann"}}}"#, false),
        (#"{"hasContext": "c-1", "property": {"none": {"absent": true}, "name": {"contains": "o"}}}"#, true),
        (#"{"hasContext": "c-1", "property": {"none": {"absent": false}}}"#, false),
        (#"{"hasContext": "c-1", "property": {"name": {"absent": false}}}"#, true),
        (#"{"hasContext": "c-1", "property": {"none": {"equalTo": ""}}}"#, false),
        (
            #"{"hasContext": "c-1", "list": {"0": {"name": {"equalTo": "Ann"}}, "last": {"name": {"equalTo": "Bob"}}}}"#,
            true
        ),
        (#"{"hasContext": "c-1", "list": {"7": {"name": {"anything": "anything"}}}}"#, false),
        (#"{"hasContext": "c-1", "updateCountEqualTo": "2"}"#, true),
        (#"{"hasContext": "c-1", "updateCountMoreThan": 2}"#, false),
        (#"{"hasContext": "c-1", "listSizeLessThan": "3", "listSizeMoreThan": "1"}"#, true),
        (#"{"hasContext": "c-1", "listSizeEqualTo": "x"}"#, false),
        (#"{"not": {"hasContext": "c-1"}}"#, false), (#"{"or": [{"hasContext": "c-2"}, {"hasContext": "c-1"}]}"#, true),
        (#"{"and": [{"hasContext": "c-1", "hasProperty": "name"}, {"hasNotContext": "c-1"}]}"#, false),
    ])
    func aStateMatcherDecidesWhetherAStubAnswers(parameters: String, matches: Bool) throws {
        let mock = try mock()
        for name in ["Ann", "Bob"] { _ = try text(mock, "/record/1?name=\(name)") }
        try mock.add(
            #"{"request": {"urlPath": "/x", "customMatcher": {"name": "state-matcher", "parameters": \#(parameters)}}, "response": {"body": "met"}}"#
        )
        let answer = try Exchange(mock.port, "GET", "/x?id=1&name=Bob")
        #expect((answer.status == 200) == matches, "\(answer.text)")
    }

    @Test(arguments: [
        (
            #"{"serveEventListeners": [{"name": "recordState", "parameters": {"state": {}}}]}"#,
            "/serveEventListeners/0/parameters", "`context` is missing"
        ),
        (
            #"{"serveEventListeners": [{"name": "recordState", "parameters": {"context": "{{#if}}"}}]}"#,
            "/serveEventListeners/0/parameters/context", "cannot be read: at line 1, column 1"
        ),
        (
            #"{"serveEventListeners": [{"name": "recordState", "parameters": {"context": "a", "stat": {}}}]}"#,
            "/serveEventListeners/0/parameters/stat", "did you mean \"state\"?"
        ),
        (
            #"{"serveEventListeners": [{"name": "deleteState", "parameters": {"context": "a", "list": {}}}]}"#,
            "/serveEventListeners/0/parameters/list", "expected deleteFirst"
        ),
        (
            #"{"request": {"customMatcher": {"name": "state-matcher", "parameters": {}}}}"#,
            "/request/customMatcher/parameters", "asks for nothing"
        ),
        (
            #"{"request": {"customMatcher": {"name": "state-matcher", "parameters": {"hasContxt": "a"}}}}"#,
            "/request/customMatcher/parameters/hasContxt", "did you mean \"hasContext\"?"
        ),
        (
            #"{"request": {"customMatcher": {"name": "state-matcher", "parameters": {"hasNotContext": "a", "hasProperty": "b"}}}}"#,
            "/request/customMatcher/parameters/hasProperty", "has no effect beside `hasNotContext`"
        ),
        (
            #"{"request": {"customMatcher": {"name": "state-matcher", "parameters": {"hasContext": "a", "property": {"b": {"equlTo": "c"}}}}}}"#,
            "/request/customMatcher/parameters/property/b", ""
        ),
    ])
    func aMistakeIsRefusedWithItsPlace(mapping: String, place: String, words: String) throws {
        let mock = try TestMock()
        let answer = try Exchange(mock.port, "POST", "/__admin/mappings", body: mapping)
        #expect(answer.status == 422)
        let errors = try #require(answer.json?["errors"]?.arrayValue)
        #expect(errors.contains { $0["source"]?["pointer"]?.stringValue?.hasPrefix(place) == true }, "\(answer.text)")
        #expect(answer.text.contains(JSONValue.string(words).compactText.dropFirst().dropLast()), "\(answer.text)")
    }

    @Test func theStateIsBounded() throws {
        var options = SessionOptions()
        options.stateLimits.entries = 4
        options.stateLimits.bytes = 1_000
        let mock = try mock(options)
        // A context, three properties and a record are five.
        let tooMany = try Exchange(mock.port, "GET", "/record/1?name=Ann")
        #expect(tooMany.status == 500 && tooMany.text.contains("--max-state-entries"), "\(tooMany.text)")
        #expect(mock.session.stateContexts.isEmpty)
        let long = String(repeating: "x", count: 1_000)
        let answer = try Exchange(
            mock.port, "PATCH", "/__admin/state/a", body: #"{"properties": {"b": "\#(long)"}}"#)
        #expect(answer.status == 422 && answer.text.contains("--max-state-size"), "\(answer.text)")
        // What could not be recorded takes no room.
        for number in 0..<10 {
            let answer = try Exchange(
                mock.port, "PUT", "/__admin/state/a", body: #"{"properties": {"b": \#(number), "c": 1}}"#)
            #expect(answer.status == 200, "\(answer.text)")
        }
    }

    @Test func theStateCountsAsMemory() throws {
        let mock = try mock()
        let account = mock.session.memory.account(.state)
        let text = String(repeating: "x", count: 10_000)
        _ = try mock.admin("PUT", "/state/a", #"{"properties": {"b": "\#(text)"}}"#)
        let held = account.bytes
        #expect(held > 10_000)
        _ = try mock.admin("PATCH", "/state/a", #"{"properties": {"b": ""}}"#)
        #expect(account.bytes < 1_000 && account.bytes > 0)
        _ = try mock.admin("PUT", "/state/b", #"{"list": [{"b": "\#(text)"}]}"#)
        _ = try mock.admin("DELETE", "/state/b")
        #expect(account.bytes < 1_000)
        let id = try #require(try mock.admin("POST", "/sessions", status: 201)["id"]?.stringValue)
        _ = try Exchange(
            mock.port, "PUT", "/__admin/state/a", headers: [("X-StuntDouble-Session", id)],
            body: #"{"properties": {"b": "\#(text)"}}"#)
        #expect(account.bytes > 10_000)
        _ = try mock.admin("DELETE", "/sessions/\(id)")
        #expect(eventually(within: 10_000) { account.bytes < 1_000 ? true : nil } == true)
        _ = try mock.admin("POST", "/reset")
        #expect(account.bytes == 0)
    }

    /// Near misses, explanations and the 404 report tell whether the state is as a stub wants it.
    @Test(arguments: [
        (#"{"hasContext": "c-{{request.path.id}}"}"#, "/wait/2", "there is no context \"c-2\""),
        (#"{"hasNotContext": "c-{{request.path.id}}"}"#, "/wait/1", "there is a context \"c-1\""),
        (
            #"{"hasContext": "c-1", "property": {"name": {"equalTo": "{{request.query.n}}"}}}"#, "/wait/1?n=Bob",
            "the context \"c-1\" has other values"
        ),
        (#"{"and": [{"hasContext": "c-1"}, {"hasContext": "x"}]}"#, "/wait/1", "there is no context \"x\""),
        (#"{"or": [{"hasContext": "y"}, {"hasContext": "x"}]}"#, "/wait/1", "none of its alternatives holds"),
        (#"{"not": {"hasContext": "c-1"}}"#, "/wait/1", "what it excludes is so"),
    ])
    func whoExplainsTellsWhetherTheStateIsSo(condition: String, path: String, words: String) throws {
        let mock = try mock()
        try mock.add(
            #"{"name": "w", "request": {"urlPathTemplate": "/wait/{id}", "customMatcher": {"name": "state-matcher", "parameters": \#(condition)}}}"#
        )
        _ = try text(mock, "/record/1?name=Ann")
        let request = #"{"method": "GET", "url": "\#(path)"}"#
        let explained = try mock.admin("POST", "/explain", request)
        #expect(explained["stubMapping"] == .null)
        let reason = "its state-matcher does not hold: " + words
        #expect(explained["ineligible"]?[0]?["reason"]?.stringValue == reason)
        #expect(explained["nearMisses"]?[0]?["ineligible"]?.stringValue == reason, "\(explained)")
        let report = try Exchange(mock.port, "GET", path, headers: [("Accept", "application/json")])
        #expect(report.status == 404)
        #expect(report.json?["nearMisses"]?[0]?["ineligible"]?.stringValue == reason, "\(report.text)")
        // What meets it answers.
        _ = try mock.admin("DELETE", "/state")
        if condition.contains("hasContext") && !condition.contains("not") { return }
        let free = try mock.admin("POST", "/explain", request)
        #expect(free["stubMapping"]?["name"] == "w", "\(free)")
        #expect(free["ineligible"] == nil)
    }

    @Test func theStateBelongsToItsSessionAndEndsWithAReset() throws {
        let mock = try mock()
        _ = try text(mock, "/record/1?name=Ann")
        let id = try mock.admin("POST", "/sessions", "{}", status: 201)["id"]?.stringValue
        let other = [("X-StuntDouble-Session", try #require(id))]
        #expect(try Exchange(mock.port, "GET", "/read/1/name?default=none", headers: other).text == "none")
        _ = try Exchange(mock.port, "GET", "/record/1?name=Bob", headers: other)
        #expect(try Exchange(mock.port, "GET", "/read/1/name", headers: other).text == "Bob")
        #expect(try text(mock, "/read/1/name") == "Ann")
        _ = try mock.admin("POST", "/reset")
        #expect(mock.session.stateContexts.isEmpty)
        let names = try Exchange(mock.port, "GET", "/__admin/state-extension/contexts", headers: other)
        #expect(names.json == ["c-1"])
    }

    @Test func theAdminAPIReadsAndWritesIt() throws {
        let mock = try mock()
        _ = try text(mock, "/record/1?name=Ann")
        #expect(
            try mock.admin("GET", "/state")["contexts"]?[0] == [
                "contextName": "c-1", "updateCount": 1, "properties": ["name": "Ann", "size": "3", "answer": "7"],
                "list": [["name": "Ann"]],
            ])
        _ = try mock.admin("PATCH", "/state/c-1", #"{"properties": {"name": "Eve", "n": 5}}"#)
        #expect(try text(mock, "/read/1/name") == "Eve")
        #expect(try text(mock, "/read/1/n") == "5")
        _ = try mock.admin("PUT", "/state/c-2", #"{"list": [{"a": "b"}]}"#)
        #expect(try text(mock, "/read/2/listSize") == "1")
        #expect(try Exchange(mock.port, "DELETE", "/__admin/state/c-2").status == 200)
        #expect(try Exchange(mock.port, "DELETE", "/__admin/state/c-2").status == 404)
        #expect(try Exchange(mock.port, "DELETE", "/__admin/state-extension/contexts/c-2").status == 204)
        _ = try mock.admin("DELETE", "/state")
        #expect(mock.session.stateContexts.isEmpty)
    }

    /// Of any number of clients that count at once, each gets a number of its own.
    @Test func countersCountEveryCallOnce() async throws {
        var options = SessionOptions()
        options.workers = 2
        let mock = try TestMock(session: options)
        try mock.add(
            #"{"request": {"url": "/n"}, "response": {"body": "{{counter 'n'}}", "transformers": ["response-template"]}}"#
        )
        let port = mock.port
        let numbers = try await withThrowingTaskGroup(of: [Int].self) { group in
            for _ in 0..<8 {
                group.addTask { try (0..<20).compactMap { _ in Int(try Exchange(port, "GET", "/n").text) } }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(numbers.sorted() == Array(1...160))
    }

    /// The number after the largest is not the smallest.
    @Test(arguments: [
        ("9223372036854775806", 1, "9223372036854775807"), ("-9223372036854775807", -1, "-9223372036854775808"),
    ])
    func aCounterEndsAtItsLargestNumber(start: String, step: Int, last: String) throws {
        let mock = try mock()
        try mock.add(
            #"{"request": {"url": "/n"}, "response": {"body": "{{counter 'n' start='\#(start)' step=\#(step)}}", "transformers": ["response-template"]}}"#
        )
        #expect(try text(mock, "/n") == start)
        #expect(try text(mock, "/n") == last)
        for _ in 0..<2 {
            let answer = try Exchange(mock.port, "GET", "/n")
            #expect(answer.status == 500)
            #expect(answer.text.contains("the property \"n\" is \(last), and \(step) more is no number of 64 bits"))
        }
        #expect(mock.session.stateContext("session")?.properties["n"] == .string(last))
    }

    /// A document whose texts are long because of their escapes has room, however long it is.
    @Test func aStateIsWeighedWithoutItsEscapes() throws {
        var options = SessionOptions()
        options.stateLimits.bytes = 1_000
        let mock = try mock(options)
        let escaped = String(repeating: "\\u0061", count: 600)
        let blanks = String(repeating: " ", count: 5_000)
        func put(_ value: String) throws -> Exchange {
            try Exchange(mock.port, "PUT", "/__admin/state/a", body: #"{"properties": {"p": \#(value)}}"#)
        }
        #expect(try put(#""\#(escaped)""#).status == 200)
        #expect(try put("\(blanks)1").status == 200)
        let elements = Array(repeating: "1", count: 40).joined(separator: ",")
        #expect(try put("[\(elements)\(blanks)]").status == 200)
        for value in [#""\#(String(repeating: "a", count: 1_200))""#, "[\(String(repeating: "1,", count: 600))1]"] {
            let answer = try put(value)
            #expect(answer.status == 422 && answer.text.contains("(--max-state-size)"), "\(answer.text)")
        }
    }

    /// A helper that changes the session, in a condition, is refused rather than waited for.
    @Test func conditionsOnlyRead() throws {
        let mock = try mock()
        for (path, context) in [("/a", "{{counter 'n'}}"), ("/b", "{{journal 'GET /a' 'url'}}"), ("/c", "{{jwt}}")] {
            try mock.add(
                #"{"request": {"urlPath": "\#(path)", "customMatcher": {"name": "state-matcher", "parameters": {"hasNotContext": "\#(context)"}}}}"#
            )
            #expect(try Exchange(mock.port, "GET", path).status == 404)
        }
        #expect(mock.session.stateContexts.isEmpty)
    }

    /// A condition that takes more than its time is an error, not a stub that does not match.
    @Test func aConditionIsBounded() throws {
        var options = SessionOptions()
        options.matchBudget = 20_000_000
        let mock = try mock(options)
        let loop = "{{#each (range 1 1000)}}"
        try mock.add(
            #"{"request": {"urlPath": "/x", "customMatcher": {"name": "state-matcher", "parameters": {"hasContext": "\#(loop)\#(loop)\#(loop){{/each}}{{/each}}{{/each}}"}}}}"#
        )
        let answer = try Exchange(mock.port, "GET", "/x")
        #expect(answer.status == 500 && answer.text.contains("was given up"), "\(answer.text)")
    }

    /// A request of some length is recorded beside the loop, and within the budget.
    @Test(arguments: [250_000_000, 100_000] as [UInt64]) func aLargeRequestIsRecorded(budget: UInt64) throws {
        var options = SessionOptions()
        options.matchBudget = budget
        let mock = try mock(options)
        try mock.add(
            #"{"name": "large", "request": {"urlPath": "/large"}, "serveEventListeners": [{"name": "recordState", "parameters": {"context": "large", "state": {"id": "{{jsonPath request.body '$.id'}}"}}}]}"#
        )
        let body = "{\"a\": \"" + String(repeating: "a", count: 2_000_000) + "\", \"id\": 7}"
        let answer = try Exchange(mock.port, "POST", "/large", body: body)
        if budget > 100_000_000 {
            #expect(answer.status == 200, "\(answer.text)")
            #expect(mock.session.stateContext("large")?.properties["id"] == "7")
        } else {
            #expect(answer.status == 500 && mock.session.stateContext("large") == nil)
            #expect(
                answer.text.contains(#"of the stub "large""#) && answer.text.contains("--match-budget"),
                "\(answer.text)")
        }
    }

    /// A file, a text and a template are bodies to record.
    @Test func anyAnswerRecords() throws {
        let mock = try TestMock(files: ["a.json": #"{"id": "f"}"#])
        let listeners =
            #""serveEventListeners": [{"name": "recordState", "parameters": {"context": "x", "state": {"{}": "{{response.body}}|{{response.headers.A}}"}}}]"#
        func add(_ path: String, _ response: String) throws {
            try mock.add(
                #"{"request": {"url": "\#(path)"}, "response": \#(response), \#(listeners.replacing("{}", with: path))}"#
            )
        }
        try add("/file", #"{"bodyFileName": "a.json", "headers": {"A": "1"}}"#)
        try add("/text", #"{"body": "t"}"#)
        try add("/template", #"{"body": "{{request.path}}", "transformers": ["response-template"]}"#)
        for path in ["/file", "/text", "/template"] { _ = try text(mock, path) }
        #expect(
            mock.session.stateContext("x")?.properties
                == ["/file": #"{"id": "f"}|1"#, "/text": "t|", "/template": "/template|"])
        #expect(mock.session.stateContext("x")?.updateCount == 3)
    }
}
