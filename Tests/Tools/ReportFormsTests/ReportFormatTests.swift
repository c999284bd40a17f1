import Foundation
import SDBasics
import SDJSON
import SDStubModel
import Testing

@testable import SDReportForms
@testable import SDReports

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// The forms of a report.
@Suite struct ReportFormatTests {
    /// What anyone may send, or name a stub.
    private static let hostile =
        "<script>alert(1)</script>\"'&]]>\n::error::x\r\u{1b}[31m\u{0}\u{202e}|`*_%,\u{fffe}--&gt;##[error]x"

    private static let id = StubMapping().id

    private static func stub(_ key: String, name: String? = nil, file: String? = "shop.yaml", line: Int? = 3)
        -> StubReference
    {
        StubReference(id: id, name: name, file: file, line: line, key: key)
    }

    /// A report with an entry of each kind, and texts of a stranger's.
    static func report(_ text: String = "x", failing: [FailReason] = FailReason.allCases) -> Report {
        var report = Report()
        report.failOn = FailOn(failing, slowLimit: 1_000)
        report.folder = "mocks"
        report.session = "s1-a"
        report.name = text
        report.duration = 1_234
        report.served = 9
        report.unmatchedCount = 203
        report.unmatched = [
            Report.Unmatched(
                method: "GET", url: "/\(text)", count: 3, sequence: 1,
                nearest: Report.Nearest(
                    stub: stub("GET /near\(text)", name: text), distance: 0.1,
                    differences: ["the path differs: \(text)"],
                    change: "Only the path differs: \(text). Request another",
                    conditions: [
                        Report.Condition(name: "path", expected: text, actual: text, passes: false),
                        Report.Condition(name: "header \(text)", expected: text, actual: nil, passes: true),
                    ])),
            Report.Unmatched(method: "PUT", url: "/alone", count: 1, sequence: 2, nearest: nil),
        ]
        report.failedCount = 1
        report.failed = [
            Report.Failed(
                method: "GET", url: "/f", count: 1, sequence: 3, stub: stub("GET /f"), reason: "no file \(text)")
        ]
        report.used = [Report.Used(stub: stub("GET /used"), count: 5)]
        report.usedCount = 1
        report.unused = [stub("GET /idle", name: text), stub("ANY /api", file: nil, line: nil)]
        report.unusedCount = 2
        report.unmet = [
            Report.Unmet(kind: .verification, name: "two orders", text: "expected exactly 2, got 1"),
            Report.Unmet(kind: .times, name: "x", text: "answered 1 of 3 times", stub: stub("GET /times")),
        ]
        report.unmetCount = 2
        report.faults = [
            Report.ActedFault(fault: "cut", outcome: "reset", source: text, stub: stub("GET /used"), count: 4)
        ]
        report.faultCount = 4
        report.files = [
            Report.FileProblem(file: "mocks/bad,:.yaml", line: 7, column: 2, message: "unknown key \(text)")
        ]
        report.fileProblemCount = 1
        report.asked = [
            Report.Asked(method: "GET", url: "/u\(text)", count: 5, status: 200, stub: stub("GET /used"), answer: nil),
            Report.Asked(method: "GET", url: "/alone", count: 1, status: 404, stub: nil, answer: nil),
        ]
        report.aborted = [
            Report.Aborted(
                method: "GET", url: "/gone\(text)", count: 2, stub: stub("GET /used"), reason: "The client left")
        ]
        report.abortedCount = 2
        report.slow = [
            Report.Slow(method: "GET", url: "/slow\(text)", stub: stub("GET /used"), time: 1_250, delay: 1_200)
        ]
        report.slowCount = 1
        report.webhooks = [
            Report.Webhook(
                method: "POST", url: "http://a/\(text)", stub: stub("GET /used"), state: .failed, text: "answered 500"),
            Report.Webhook(method: "POST", url: "http://b/", stub: nil, state: .sent, text: "answered 204"),
        ]
        report.webhookCount = 1
        var tally = ResponseTimes()
        for time in 1...100 {
            tally.add(UInt64(time) * 1_000_000, delay: 0, by: id, { stub("GET /used") }, { ("GET", "/u\(text)") })
        }
        report.timings = Timings(tally)
        return report
    }

    private static func text(_ report: Report, _ format: ReportFormat) throws -> String {
        String(decoding: try #require(report.rendered(as: format)), as: UTF8.self)
    }

    // MARK: Verdict

    @Test(arguments: FailReason.allCases)
    func eachReasonFailsTheVerdictAlone(reason: FailReason) {
        var report = Self.report(failing: [reason])
        report.contractCount = 1
        #expect(report.reasons == [reason] && !report.hasPassed && report.verdict == "failed")
        #expect(Report().reasons == [])
        #expect(Self.report(failing: []).hasPassed)
    }

    // MARK: Text

    @Test func theTextSaysEverythingOnItsLine() throws {
        #expect(
            try Self.text(Self.report(), .text) == """
                9 requests, 203 unmatched, 1 could not be served, 1 stub used, 2 never used

                Nothing answered: 203 requests
                  GET /x (3 times)
                    nearest: "x" (mocks/shop.yaml:3)
                    Only the path differs: x. Request another
                  PUT /alone
                    There are no stubs
                  … and 199 more

                Could not be served: 1 request
                  GET /f
                    stub: mocks/shop.yaml:3 GET /f
                    no file x

                Could not be loaded: 1 problem
                  mocks/bad,:.yaml:7:2: unknown key x

                Not met: 2 expectations
                  two orders: expected exactly 2, got 1
                  mocks/shop.yaml:3 GET /times: answered 1 of 3 times

                Webhooks that failed: 1 webhook
                  POST http://a/x
                    stub: mocks/shop.yaml:3 GET /used
                    answered 500

                Broke off: 2 answers
                  GET /gonex (2 times)
                    stub: mocks/shop.yaml:3 GET /used
                    The client left

                Slow: 1 answer
                  GET /slowx: 1.25 s, of which 1.20 s are the stub's delay
                    stub: mocks/shop.yaml:3 GET /used

                Faults that acted: 4 times
                  cut (reset): the session's x on mocks/shop.yaml:3 GET /used (4 times)

                Never used: 2 stubs
                  "x" (mocks/shop.yaml:3)
                  ANY /api

                Requests
                  GET /ux: 200, mocks/shop.yaml:3 GET /used (5 times)
                  GET /alone: 404, nothing answered

                Time to answer 100 requests: median 49.8 ms, 95 % within 94.9 ms, at most 100.0 ms
                  100.0 ms: GET /ux

                Failed: 203 requests that nothing answered, 2 stubs never used, 2 expectations not met, faults acted 4 \
                times, 2 errors, 1 webhook failed, 2 answers broke off, 1 answer slower than 1 s

                """)
    }

    @Test func aGoodReportIsShort() throws {
        var report = Report()
        report.served = 1
        #expect(try Self.text(report, .text) == "1 request, 0 unmatched, 0 stubs used\nPassed\n")
    }

    /// No line of another, no control, and nothing that turns the direction of a text.
    @Test(arguments: [ReportFormat.text, .junit, .github, .markdown, .html])
    func whatAStrangerSentCannotSteerAReader(format: ReportFormat) throws {
        let text = try Self.text(Self.report(Self.hostile), format)
        let bad = text.unicodeScalars.filter {
            $0 != "\n"
                && ($0.value < 0x20 || $0.value == 0x7f || $0.value == 0x202e || $0.value == 0xfffe && format == .junit)
        }
        #expect(bad.isEmpty, "\(bad.map { String($0.value, radix: 16) })")
        #expect(!text.contains("\n::error::x") && !text.contains("##["))
        if format != .text, format != .github { #expect(!text.contains("<script"), "\(text)") }
        if format != .text, format != .github { #expect(!text.contains("]]>")) }
    }

    /// What a test is called is text in each form: no command to GitHub or Azure, no markup, no link.
    static let names = [
        "::error file=x::y", "  ::warning::y", "%0A::error::y", "](javascript:alert(1))", "[a](http://evil)",
        "<script>alert(1)</script>", "<img src=x onerror=y>", "a | b `c` **d**", "one\ntwo\r::error::y",
        "\u{1b}[31mred",
        "\u{202e}evil", "##[error]y", "##vso[task.x]y", "http://evil www.evil.com a@evil.com", "]]>", "\"'&amp;",
        "\u{3000}::error::y", "\u{a0}::error::y", "\t\u{2003}::error::y", "one\u{2028}::error::y", "a ##vso[task.x]y",
        "##[group]y", "##teamcity[x]", "section_start:1:x\r\u{1b}[0K", "a\u{61c}b", "a\u{200b}b", "a\u{feff}b",
        "a\u{e0041}b", "a\u{ad}b", "a\u{2066}b", "a\u{85}b", "a\u{3164}b",
    ]

    @Test(arguments: ReportFormat.allCases, names)
    func theNameOfATestIsText(format: ReportFormat, name: String) throws {
        var report = Self.report(name)
        report.name = nil
        var part = Self.report(name)
        part.used[0].stub = Self.stub(name, name: name)
        report.add(part, of: Report.Test(id: "s7-x", name: name), hasEnded: true)
        let text =
            format == .json ? Printable.json(JSONValue.object(report.json).prettyText) : try Self.text(report, format)
        for line in text.split(separator: "\n") {
            let start = line.drop { $0.isWhitespace }
            #expect(format == .github || !start.hasPrefix("::"), "\(line)")
            // Headings of Markdown have a blank behind them.
            let isCommand = ["##[", "##v", "##t", "section_start:"].contains { line.contains($0) }
            #expect(!isCommand, "\(line)")
            if format == .github {
                #expect(line.hasPrefix("::error ") || line.hasPrefix("::warning "), "\(line)")
                #expect(!line.dropFirst(2).prefix { $0 != ":" }.contains("%0A::"), "\(line)")
            }
        }
        #expect(!text.unicodeScalars.contains { $0 != "\n" && Printable.isHidden($0) })
        guard format != .json else {
            #expect(try JSONValue(parsing: text)["begunSessions"]?["sessions"]?[0]?["name"]?.stringValue == name)
            return
        }
        if [.html, .markdown, .junit].contains(format) {
            #expect(!text.contains("<script") && !text.contains("<img") && !text.contains("]]>"))
        }
        if format == .markdown {
            for link in ["](", "http://", "www.e", "a@e", "**d**", "`c`"] { #expect(!text.contains(link), "\(link)") }
        }
        if format == .junit { _ = try Self.xml(report) }
    }

    // MARK: Sessions

    @Test(arguments: ReportFormat.allCases)
    func eachFormTellsOfTheSessions(format: ReportFormat) throws {
        var report = Report()
        report.folder = "mocks"
        report.served = 1
        for (number, isBad) in [(1, false), (2, true)] {
            var part = Report()
            part.served = 2
            part.asked = [
                Report.Asked(method: "GET", url: "/a", count: 2, status: 200, stub: Self.stub("GET /a"), answer: nil)
            ]
            if isBad {
                part.unmatchedCount = 1
                part.unmatched = [
                    Report.Unmatched(
                        method: "GET", url: "/b", count: 1, sequence: 1,
                        nearest: Report.Nearest(
                            stub: Self.stub("GET /a"), distance: 0.1, differences: [], change: "Only the path differs",
                            conditions: []))
                ]
                part.webhookCount = 1
                part.webhooks = [
                    Report.Webhook(method: "POST", url: "http://a/", stub: nil, state: .failed, text: "answered 500")
                ]
            }
            report.add(part, of: Report.Test(id: "s\(number)-x", name: "test \(number)"), hasEnded: isBad)
        }
        #expect(report.served == 5 && report.unmatchedCount == 1 && !report.hasPassed)
        report.failOn = FailOn([.unmatched, .webhook])
        let text = format == .json ? JSONValue.object(report.json).prettyText : try Self.text(report, format)
        #expect(text.contains("test 2") && text.contains("/b"), "\(text)")
        #expect(text.contains("Only the path differs") && text.contains("answered 500"), "\(text)")
        if format != .github { #expect(text.contains("test 1") && text.contains("shop.yaml")) }
    }

    @Test func sessionsThatAreInNoListCount() throws {
        var report = Report()
        for number in 0..<3 {
            var part = Report()
            part.served = 4_000
            part.unmatchedCount = 600
            part.unmatched = (0..<600).map {
                Report.Unmatched(method: "GET", url: "/\($0)", count: 1, sequence: 1, nearest: nil)
            }
            part.asked = (0..<2_000).map {
                Report.Asked(method: "GET", url: "/\($0)", count: 2, status: 200, stub: nil, answer: nil)
            }
            report.add(part, of: Report.Test(id: "s\(number)", name: nil), hasEnded: true)
        }
        #expect(report.unmatchedCount == 1_800 && report.unmatched.count == Report.maxOfAll)
        #expect(report.asked.count == Report.maxAsked && report.askedLeft == 2_000)
        let text = try Self.text(report, .text)
        #expect(text.contains("… not listed: 2000 requests") && text.contains("… and 800 more"), "\(text.suffix(300))")
        #expect(text.split(separator: "\n").count < 3_500)
    }

    // MARK: Bounds

    @Test func theSlowestAnswersAreKeptAndAllAreCounted() {
        var (tally, times) = (SlowCounts(), ResponseTimes())
        for number in 1...10_000 {
            let time = UInt64(number * 7_919 % 10_000 + 1) * 1_000_000
            times.add(time, delay: 0, by: nil, { nil }, { ("GET", "/") })
            tally.add(time) {
                let answer = Report.Slow(
                    method: "GET", url: "/\(time)", stub: nil, time: Double(time) / 1e6, delay: 0)
                return (answer, Array("/\(time)".utf8))
            }
        }
        let few = tally.findings(over: 9_950, of: times.all) { _ in false }
        #expect(few.count == 50 && few.answers.first?.time == 10_000 && few.answers.last?.time == 9_951)
        #expect(tally.findings(over: 9_990, of: times.all) { $0 == Array("/9991000000".utf8) }.count == 9)
        let many = tally.findings(over: 5_000, of: times.all) { _ in false }
        #expect(many.answers.count == 100 && (4_600...5_400).contains(many.count), "\(many.count)")
        #expect(tally.findings(over: 10_000, of: times.all) { _ in false }.count == 0)
    }

    @Test func answersThatBrokeOffAreCountedInABoundedMemory() {
        var tally = KindCounts<Report.Aborted>()
        for number in 0..<1_000 {
            tally.add(
                Report.Aborted(method: "GET", url: "/\(number % 500)", count: 1, stub: nil, reason: "left"),
                path: Array("/\(number % 500)".utf8))
        }
        let all = tally.findings { _ in false }
        #expect(all.count == 1_000 && all.kinds.count == 200 && all.kinds[0].count == 2)
        #expect(tally.findings { $0 == Array("/7".utf8) }.count == 998)
    }

    @Test func timesOfSeveralAreOne() throws {
        var (one, other) = (ResponseTimes(), ResponseTimes())
        for time in 1...50 { one.add(UInt64(time) * 1_000_000, delay: 0, by: Self.id, { nil }, { ("GET", "/one") }) }
        for time in 51...100 {
            other.add(UInt64(time) * 1_000_000, delay: 0, by: Self.id, { nil }, { ("GET", "/two") })
        }
        one.add(other)
        let timings = try #require(Timings(one))
        #expect(timings.count == 100 && timings.least == 1 && timings.most == 100 && timings.slowest.count == 1)
        #expect(timings.slowest[0].url == "/two" && timings.slowest[0].count == 100)
    }

    // MARK: JUnit

    private final class XMLReader: NSObject, XMLParserDelegate {
        var elements: [(name: String, attributes: [String: String])] = []
        var text = ""

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String] = [:]
        ) { elements.append((name, attributes)) }

        func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

        func attributes(_ name: String) -> [[String: String]] { elements.filter { $0.name == name }.map(\.attributes) }
    }

    private static func xml(_ report: Report) throws -> XMLReader {
        let parser = XMLParser(data: Data(try text(report, .junit).utf8))
        let reader = XMLReader()
        parser.delegate = reader
        try #require(parser.parse(), "\(String(describing: parser.parserError))")
        return reader
    }

    @Test func junitHasACaseForEachThing() throws {
        let xml = try Self.xml(Self.report(Self.hostile))
        let suite = try #require(xml.attributes("testsuite").first)
        let cases = xml.attributes("testcase")
        #expect(suite["tests"] == "\(cases.count)" && suite["time"] == "1.234")
        #expect(suite["failures"] == "\(xml.attributes("failure").count)" && suite["failures"] == "11")
        #expect(suite["errors"] == "2" && xml.attributes("error").count == 2 && suite["skipped"] == "0")
        let groups = cases.map { $0["classname"]?.replacing("stuntdouble.", with: "") }
        #expect(
            groups == [
                "stubs", "stubs", "stubs", "unmatched", "unmatched", "failed", "files", "unmet", "unmet",
                "webhooks", "webhooks", "aborted", "slow", "faults", "unmatched",
            ])
        #expect(cases[0]["file"] == "mocks/shop.yaml" && cases[0]["line"] == "3")
        #expect(cases.last?["name"] == "199 more")
        #expect(xml.text.contains("GET /alone: 404, nothing answered"))
        #expect(xml.attributes("failure").map { $0["type"] }.contains("fault"))
    }

    /// What fails the session of a test is one failure, not a second one of the session.
    @Test(arguments: FailReason.allCases)
    func whatFailsInASessionIsOneFailure(reason: FailReason) throws {
        var part = Report()
        part.failOn = FailOn([reason], slowLimit: 1)
        switch reason {
        case .unmatched:
            part.unmatchedCount = 1
            part.unmatched = [Report.Unmatched(method: "GET", url: "/", count: 1, sequence: 1, nearest: nil)]
        case .unused: (part.unusedCount, part.unused) = (1, [Self.stub("GET /a")])
        case .unmet: (part.unmetCount, part.unmet) = (1, [Report.Unmet(kind: .times, name: "x", text: "y")])
        case .fault:
            part.faultCount = 1
            part.faults = [Report.ActedFault(fault: "cut", outcome: nil, source: nil, stub: nil, count: 1)]
        case .error:
            part.failedCount = 1
            part.failed = [Report.Failed(method: "GET", url: "/", count: 1, sequence: 1, stub: nil, reason: "x")]
        case .webhook:
            part.webhookCount = 1
            part.webhooks = [Report.Webhook(method: "POST", url: "http://a", stub: nil, state: .failed, text: "x")]
        case .aborted:
            part.abortedCount = 1
            part.aborted = [Report.Aborted(method: "GET", url: "/", count: 1, stub: nil, reason: "x")]
        case .slow:
            part.slowCount = 1
            part.slow = [Report.Slow(method: "GET", url: "/", stub: nil, time: 2, delay: 0)]
        case .contract:
            part.contractCount = 1
            part.contractViolations = [
                Report.ContractViolation(
                    contract: "api.yaml", operation: "GET /", side: "request", text: "x", count: 1)
            ]
        }
        var report = Report()
        report.failOn = part.failOn
        let test = Report.Test(id: "s1", name: "my test")
        report.add(part, of: test, hasEnded: true)
        if reason == .contract {
            // A session's contracts are noted for those through which it was begun.
            (report.contractCount, report.contractViolations) = (1, part.contractViolations)
            report.contractViolations[0].test = test
        }
        let xml = try Self.xml(report)
        #expect(xml.attributes("failure").count + xml.attributes("error").count == 1)
        #expect(xml.attributes("testcase").last?["name"] == "my test")
        #expect(xml.attributes("skipped").first?["message"]?.hasSuffix("failed for \(reason.rawValue)") == true)
    }

    // MARK: What is open, and what was never seen

    @Test(arguments: ReportFormat.allCases, [false, true])
    func everyFormTellsWhatIsStillOpen(format: ReportFormat, hasEnded: Bool) throws {
        var part = Report()
        part.served = 2
        part.open = [
            Report.Open(method: "GET", url: "/late", count: 1, stub: Self.stub("GET /late"), state: .delayed),
            Report.Open(method: "GET", url: "/held", count: 1, stub: Self.stub("GET /held"), state: .held, gate: "g"),
        ]
        part.openCount = 2
        part.asked = part.open.map {
            var asked = Report.Asked(method: "GET", url: $0.url, count: 1, status: nil, stub: $0.stub, answer: nil)
            asked.isOpen = true
            return asked
        }
        part.hasCommandEnded = hasEnded
        if hasEnded {
            part.aborted = [
                Report.Aborted(
                    method: "GET", url: "/late", count: 1, stub: Self.stub("GET /late"),
                    reason: "Still open when the command ended: in its delay")
            ]
            part.abortedCount = 1
        }
        var report = Report()
        (report.folder, report.hasCommandEnded, report.failOn) = ("mocks", hasEnded, [.aborted])
        report.add(part, of: Report.Test(id: "s1", name: "my test"), hasEnded: false)
        #expect(report.hasPassed == !hasEnded && report.openCount == 2)
        let text =
            try format == .json ? JSONValue.object(report.json).prettyText : Self.text(report, format)
        #expect(text.lowercased().contains("still open" + (hasEnded ? " when the command ended" : "")), "\(text)")
        for word in ["/late", "/held", "shop.yaml", "in its delay", "my test"] {
            #expect(text.contains(word), "\(word) in \(text)")
        }
        #expect(text.contains(format == .json ? #""gate" : "g""# : "at the gate"), "\(text)")
    }

    @Test(arguments: ReportFormat.allCases)
    func everyFormSaysThatThereIsNoVerdict(format: ReportFormat) throws {
        for files in [[], [Report.FileProblem(file: "a.yaml", line: 1, column: 2, message: "unknown key")]] {
            var report = Report()
            report.failOn = [.error]
            report.noVerdict = "no such command"
            (report.files, report.fileProblemCount) = (files, files.count)
            #expect(!report.hasPassed && report.verdict == "failed")
            let text =
                try format == .json ? JSONValue.object(report.json).compactText : Self.text(report, format)
            #expect(text.contains("no such command") && !text.contains("0 requests"), "\(text)")
            #expect(files.isEmpty || text.contains("a.yaml") && !text.contains("2 errors"), "\(text)")
            #expect(
                !text.contains("Passed") && !text.contains(": passed") && !text.contains("<b>0</b>")
                    && !text.contains("served"), "\(text)")
        }
    }

    /// The command of a run that failed passes in no form, whatever else is well.
    @Test(arguments: ReportFormat.allCases, ["3", "overdue"])
    func everyFormTellsThatTheCommandFailed(format: ReportFormat, word: String) throws {
        var report = Report()
        report.served = 1
        report.failOn = .none
        report.commandFailure = Report.CommandFailure(word)
        #expect(!report.hasPassed && report.reasons.isEmpty)
        let text =
            try format == .json ? JSONValue.object(report.json).compactText : Self.text(report, format)
        #expect(
            text.contains(word == "3" ? "the command failed with status 3" : "the command did not end in time")
                && text.lowercased().contains("failed"), "\(text)")
        for good in ["Passed", ": passed", #":"passed""#] { #expect(!text.contains(good), "\(text)") }
        if format == .junit { #expect(try Self.xml(report).attributes("failure").count == 1) }
    }

    @Test(arguments: ["0", "256", "-1", "true", "", "timeout"])
    func otherWordsForTheCommandAreNone(word: String) { #expect(Report.CommandFailure(word) == nil) }

    /// What nobody named to fail is no failure in any form.
    @Test(arguments: ReportFormat.allCases)
    func whatNobodyAskedForFailsNothing(format: ReportFormat) throws {
        let report = Self.report(failing: [])
        let text =
            try format == .json ? JSONValue.object(report.json).compactText : Self.text(report, format)
        for word in ["<failure", "<error", "::error", "Failed:", "❌", "answered as it was meant"] {
            #expect(!text.contains(word), "\(word) in \(text)")
        }
        #expect(text.lowercased().contains("passed"), "\(text)")
    }

    /// A request that came without the identity of the session whose stub it is for.
    @Test(arguments: ReportFormat.allCases)
    func everyFormTellsWhoseStubARequestIsFor(format: ReportFormat) throws {
        var report = Report()
        var request = Report.Unmatched(
            method: "GET", url: "/mine", count: 1, sequence: 1,
            nearest: Report.Nearest(
                stub: Self.stub("GET /mine"), distance: 0, differences: [], change: "", conditions: []))
        request.owner = Report.Test(id: "s1", name: "my_test")
        (report.served, report.unmatchedCount, report.unmatched) = (1, 1, [request])
        let text =
            try format == .json ? JSONValue.object(report.json).compactText : Self.text(report, format)
        #expect(text.contains("has this stub; the request came without its identity"), "\(text)")
        #expect(text.replacing("\\_", with: "_").contains("The session of my_test"), "\(text)")
        report.hide { $0 == "my_test" ? "hidden" : $0 }
        #expect(report.unmatched[0].advice.hasPrefix("The session of hidden has"))
    }

    @Test func whatAFileProblemIsWrittenAsIsRead() {
        for problem in [
            Report.FileProblem(file: "a:1.yaml", line: 3, column: 4, message: "x: error: y"),
            Report.FileProblem(file: "mocks", line: nil, column: nil, message: "m"),
        ] {
            #expect(Report.FileProblem(json: problem.json)?.text == problem.text)
        }
        #expect(Report.FileProblem(json: "x") == nil)
    }

    @Test func whatDoesNotFailTheVerdictIsSkippedInJUnit() throws {
        let xml = try Self.xml(Self.report(failing: []))
        #expect(xml.attributes("failure").isEmpty && xml.attributes("error").isEmpty)
        #expect(xml.attributes("skipped").count == 12)
    }

    // MARK: GitHub

    @Test func annotationsAreAtFileAndLine() throws {
        let lines = try Self.text(Self.report(failing: FailOn.usual.reasons), .github).split(separator: "\n")
        #expect(
            lines.prefix(4) == [
                "::error file=mocks/bad%2C%3A.yaml,line=7,col=2,title=Could not be loaded::unknown key x",
                "::error file=mocks/shop.yaml,line=3,title=Nothing answered GET /x (3 times)::Nearest stub: \"x\" "
                    + "(mocks/shop.yaml:3). Only the path differs: x. Request another.",
                "::error title=Nothing answered PUT /alone::There are no stubs.",
                "::error file=mocks/shop.yaml,line=3,title=Could not be served%3A GET /f::no file x",
            ])
        // What is about stubs is told where it counts.
        #expect(lines.count == 5 && lines[4].hasPrefix("::error title=Stunt Double::Failed: 203 requests"))
        let all = try Self.text(Self.report(), .github).split(separator: "\n")
        for title in [
            "Never used", "Not met%3A two orders", "A fault acted%3A cut (reset)",
            "Webhook failed%3A POST http%3A//a/x",
            "Broke off%3A GET /gonex (2 times)", "Slow%3A GET /slowx",
        ] {
            #expect(all.contains { $0.hasPrefix("::error ") && $0.contains("title=\(title)::") }, "\(title)")
        }
    }

    @Test func everyLineOfAnnotationsIsACommand() throws {
        for line in try Self.text(Self.report(Self.hostile), .github).split(separator: "\n") {
            #expect(line.hasPrefix("::error ") || line.hasPrefix("::warning "), "\(line)")
            let properties = line.dropFirst(2).prefix { $0 != ":" }
            #expect(!properties.contains("::"))
        }
    }

    // MARK: Pages

    @Test func thePageStandsAlone() throws {
        let html = try Self.text(Self.report(Self.hostile), .html)
        for word in ["src=", "href=", "url(", "@import", "<script", "<link", "<img"] {
            #expect(!html.contains(word), "\(word)")
        }
        for text in [
            "<h1>Failed</h1>", "Nothing answered", "Never used", "Faults that acted", "Time to answer", "<svg",
        ] {
            #expect(html.contains(text))
        }
        #expect(html.utf8.count < 40_000)
    }

    @Test func markdownHasATableRowForEachEntry() throws {
        let rows = try Self.text(Self.report(Self.hostile), .markdown).split(separator: "\n").filter {
            $0.hasPrefix("|")
        }
        let cells = rows.map { $0.split(separator: " | ", omittingEmptySubsequences: false).count }
        #expect(rows.count == 10 + 7 + 3 * 2 + 3 + 4, "\(rows)")
        #expect(cells.allSatisfy { [1, 2, 3, 4].contains($0) })
        for row in rows { #expect(row.hasSuffix("|")) }
    }

    // MARK: Numbers

    @Test func timesAreOrdered() throws {
        let timings = try #require(Self.report().timings)
        #expect(timings.count == 100 && timings.least == 1 && timings.most == 100)
        #expect(timings.histogram == [1, 1, 3, 5, 10, 30, 50, 0, 0, 0, 0, 0, 0])
        #expect(Timings(ResponseTimes()) == nil)
    }

    /// Whatever the times are, what is in the middle is right to a sixteenth.
    @Test(
        arguments: [
            [0], [1, 2], [1_000_000], Array(repeating: 7_777_777, count: 1_000), (1...1_000).map { $0 * $0 * 997 },
            (0..<60).map { 1 << $0 }, [.max, 3, .max],
        ] as [[UInt64]])
    func timesAreCountedInAFixedMemory(times: [UInt64]) throws {
        var tally = ResponseTimes()
        for time in times { tally.add(time, delay: 0, by: nil, { nil }, { ("GET", "/") }) }
        let timings = try #require(Timings(tally))
        let sorted = times.sorted()
        #expect(timings.count == times.count && timings.histogram.reduce(0, +) == times.count)
        #expect(timings.least == Double(sorted[0]) / 1e6 && timings.most == Double(sorted[sorted.count - 1]) / 1e6)
        for (share, found) in [(0.5, timings.median), (0.95, timings.p95)] {
            let exact = Double(sorted[Int((share * Double(times.count)).rounded(.up)) - 1]) / 1e6
            // What takes a microsecond or an hour is not told from what takes less or more.
            guard exact > 0.001, exact < 3_600_000 else { continue }
            #expect(abs(found - exact) <= exact / 8, "\(share): \(found) for \(exact)")
        }
    }

    @Test func theStubsWithTheSlowestAnswersAreKept() throws {
        var tally = ResponseTimes()
        let ids = (0..<60).map { _ in StubMapping().id }
        for time in 1...3 {
            for (number, id) in ids.enumerated() {
                tally.add(
                    UInt64(time * 1_000 + number) * 1_000_000, delay: 0, by: id, { Self.stub("GET /\(number)") },
                    { ("GET", "/\(number)?\(time)") })
            }
        }
        let timings = try #require(Timings(tally))
        #expect(timings.count == 180 && timings.slowest.map(\.url) == (50..<60).reversed().map { "/\($0)?3" })
        #expect(tally.stubs.count == ResponseTimes.maxStubs)
    }

    @Test func faultsAreCountedInABoundedMemory() {
        var tally = KindCounts<Report.ActedFault>()
        for number in 0..<1_000 {
            let stub = Self.stub("GET /\(number % 2)")
            tally.add(
                Report.ActedFault(fault: "cut", outcome: nil, source: nil, stub: stub, count: 1),
                path: Array("/\(number)".utf8))
        }
        let all = tally.findings { _ in false }
        #expect(all.count == 1_000 && all.kinds.map(\.count) == [500, 500])
        // Of the paths that are kept.
        let some = tally.findings { $0 == Array("/0".utf8) || $0 == Array("/1".utf8) }
        #expect(some.count == 998 && some.kinds.map(\.count) == [499, 499])
    }

    @Test func aStubThatNobodyMeantIsNotNamed() throws {
        var report = Report()
        report.unmatchedCount = 1
        report.unmatched = [
            Report.Unmatched(
                method: "GET", url: "/favicon.ico", count: 1, sequence: 1,
                nearest: Report.Nearest(
                    stub: Self.stub("GET /gone"), distance: 0.6, differences: ["the path differs"],
                    change: "No stub comes near", conditions: [], isFar: true))
        ]
        for format in ReportFormat.allCases where format != .json {
            let text = try Self.text(report, format)
            #expect(text.contains("No stub comes near") && !text.contains("/gone") && !text.contains("shop.yaml"))
        }
        let json = report.json["unmatchedRequests"]?[0]
        #expect(json?["smallestChange"] == "No stub comes near" && json?["nearestStub"] == nil)
    }

    @Test(arguments: [
        (0.0, "0.00 ms"), (0.046, "0.05 ms"), (9.999, "10.00 ms"), (12.34, "12.3 ms"), (999.9, "999.9 ms"),
        (1250, "1.25 s"), (86_400_000, "86400.00 s"),
    ])
    func timesAreReadable(milliseconds: Double, text: String) {
        #expect(milliseconds.timeText == text)
    }
}
