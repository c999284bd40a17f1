import SDJSON
import SDStubModel
import StuntDoubleClient

/// Makes random stubs with the language of tests, valid ones only.
struct StubGenerator {
    private var random: SplitMix64
    /// Counts the names that are used once, because a condition about several values stands alone.
    private var names = 0

    init(seed: UInt64) {
        random = SplitMix64(state: seed)
    }

    mutating func stub() throws -> Stub {
        let answers = many(upTo: 3) { $0.answer() }
        let drawn = answers.count > 1 && chance(0.2)
        let counted = answers.map { answer in
            if drawn { return answer.weight(int(1...9)) }
            return chance(0.4) ? answer.times(int(1...4)) : answer
        }
        guard let first = counted.first else {
            return Stub(SDStubModel.StubMapping(request: try request().checked().model))
        }
        var stub = first
        if !drawn, counted.count > 1, chance(0.3) { stub = stub.onEnd(pick([.repeatLast, .loop, .notFound])) }
        if chance(0.4) { stub = stub.named(text()) }
        if chance(0.3) { stub = stub.priority(int(-3...9)) }
        if chance(0.2) { stub = stub.inScenario(name(), from: maybe { $0.name() }, to: maybe { $0.name() }) }
        if chance(0.1) { stub = stub.ttl(.seconds(int(60...9_999))) }
        if chance(0.1) { stub = stub.enabled(chance(0.5)) }
        if chance(0.1) { stub = stub.persistent(false) }
        if chance(0.2) { stub = stub.metadata(object()) }
        if chance(0.2) { stub = stub.capture([name(): "{{request.body}}", "other": name()], in: name()) }
        if chance(0.1) { stub = stub.deleteState(name()) }
        if chance(0.2) { stub = stub.id(SDStubModel.StubMapping.id(hashing: text())) }
        return try Stub(request(), [stub] + counted.dropFirst())
    }

    // MARK: Requests

    mutating func request() -> Stub.Request {
        var request = start()
        for _ in 0..<int(0...4) { request = condition(of: request) }
        return request
    }

    private mutating func start() -> Stub.Request {
        let path = path()
        switch int(0...9) {
        case 0: return .any
        case 1: return .get(path)
        case 2: return .post("https://\(name()).example:\(int(1...65_535))\(path)")
        case 3: return .method("PROPFIND", path)
        case 4: return .method("GET|HEAD", path)
        case 5: return .get("\(path)?\(name())=\(int(0...9))&\(name())={any}")
        case 6: return .any("~/v[12]/\(name()).*")
        case 7: return .put().url(matching: "/\(name())\\?a=.*")
        case 8: return .any.method(noneOf: name().uppercased()).url("/\(name())?a=b")
        default: return .delete("/users/{id}").pathParameter("id", single())
        }
    }

    private mutating func path() -> String {
        pick(["/", "/users", "/users/{id}", "/straße/{a}-{b}.jpg", "/files/**", "/a b/\(name())"])
    }

    private mutating func condition(of request: Stub.Request) -> Stub.Request {
        switch int(0...11) {
        case 0, 1: return chance(0.5) ? request.header(name(), single()) : request.header("n\(count())", several())
        case 2: return chance(0.5) ? request.query(name(), single()) : request.query("n\(count())", several())
        case 3: return chance(0.5) ? request.form(name(), single()) : request.form("n\(count())", several())
        case 4: return request.cookie(name(), single())
        case 5: return request.basicAuth(text(), text())
        case 6, 7: return request.body(body())
        case 8: return request.multipart(part())
        case 9: return request.host(single()).port(int(1...65_535)).clientIP(single())
        case 10: return request.clientCertificate(chance(0.5) ? .subject : .notAfter, single())
        default: return chance(0.5) ? request.scheme("http") : request.state(["hasContext": "\(name())"])
        }
    }

    private mutating func part() -> Stub.Part {
        var part = Stub.Part.part(maybe { $0.name() }, fileName: maybe { $0.name() })
        if chance(0.5) { part = part.header(name(), single()) }
        if chance(0.5) { part = part.body(body()) }
        return chance(0.3) ? part.every() : part
    }

    // MARK: Matchers

    private mutating func several() -> Stub.Match {
        switch int(0...5) {
        case 0: .includes(single(), single())
        case 1: .hasExactly(single(), single())
        case 2: .count(int(1...3))
        case 3: .count(1...int(1...3))
        default: single()
        }
    }

    private mutating func body() -> Stub.Match {
        switch int(0...4) {
        case 0: .data(many(upTo: 9) { UInt8($0.int(0...255)) })
        case 1:
            .graphQL(
                "{ user(id: \(int(0...9))) { name } }", operation: maybe { $0.name() }, variables: maybe { $0.object() }
            )
        default: single()
        }
    }

    private mutating func single(depth: Int = 0) -> Stub.Match {
        switch int(0...(depth < 2 ? 27 : 21)) {
        case 0, 1: return .equal(text(), ignoringCase: chance(0.5))
        case 2...8:
            let printed = PrintedCases.matchers.map(\.value)
            return pick(printed.filter { $0.model.operator.isAllowed(at: .single) })
        case 9: return .contains(text())
        case 10: return .matching(pick(["[a-z]+", ".*\\d{2}.*", "(?i)a|b", "\\Q.\\E"]))
        case 11: return .number(double())
        case 12: return .absent
        case 13: return .anything
        case 14:
            return .json(json(), ignoringOrder: chance(0.5), ignoringExtra: chance(0.5), nullsAreMissing: chance(0.2))
        case 15: return .json(raw: json().description)
        case 16: return .jsonPath(pick(["$.a", "$.lines[*].price", "$..x", "$.a[?(@.b > 5)]"]))
        case 17:
            return .schema(
                ["type": "object", "required": ["a"]], draft: maybe { $0.pick(Stub.Match.SchemaDraft.allCases) })
        case 18: return xml()
        case 19: return .xPath("//a", namespaces: chance(0.5) ? ["s": "urn:\(name())"] : [:])
        case 20: return date()
        case 21:
            return .jwt(
                claims: [name(): json(), "scope": .matcher(.contains(text()))], header: maybe { [$0.name(): "x"] })
        case 22: return .all(single(depth: depth + 1), single(depth: depth + 1))
        case 23: return .either(single(depth: depth + 1), single(depth: depth + 1))
        case 24: return .not(single(depth: depth + 1))
        case 25: return .jsonPath("$.\(name())", single(depth: depth + 1))
        case 26: return .xPath("//a/text()", single(depth: depth + 1))
        default: return .present
        }
    }

    private mutating func xml() -> Stub.Match {
        .xml(
            "<a b='\(name())'>\(name())</a>", placeholders: maybe { _ in .between("<<", ">>") },
            ignoringOrder: chance(0.5),
            exempting: many(upTo: 3) { $0.pick(SDStubModel.ValueMatcher.XMLDifference.allCases).rawValue },
            namespaces: maybe { $0.pick(Stub.Match.XMLNamespaces.allCases) })
    }

    private mutating func date() -> Stub.Match {
        let date = pick(["2026-03-01T10:00:00Z", "2026-03", "now +3 days", "now"])
        let format: String? = maybe { $0.pick(["unix", "epoch", "dd/MM/yyyy"]) }
        let boundaries = SDStubModel.ValueMatcher.DateBoundary.allCases.map(\.rawValue)
        let (expected, last, actual) = (maybe { $0.pick(boundaries) }, chance(0.5), maybe { $0.pick(boundaries) })
        switch int(0...2) {
        case 0: return .before(date, format: format, truncating: expected, last: last, truncatingActual: actual)
        case 1: return .after(date, format: format, truncating: expected, last: last, truncatingActual: actual)
        default: return .date(date, format: format, truncating: expected, last: last, truncatingActual: actual)
        }
    }

    // MARK: Answers

    private mutating func answer() -> Stub.Answer {
        var answer = begin()
        for _ in 0..<int(0...3) { answer = change(of: answer) }
        return answer
    }

    private mutating func begin() -> Stub.Answer {
        let status = int(200...599)
        switch int(0...9) {
        case 0: return .status(status, message: maybe { $0.name() })
        case 1, 2: return .json(json(), status: status)
        case 3: return .json(raw: text(), status: status)
        case 4: return .text(text(), status: status)
        case 5: return .data(many(upTo: 20) { UInt8($0.int(0...255)) }, status: status)
        case 6: return .file("\(name())/\(name()).png")
        case 7: return .template("{{request.path}} \(name())").parameters(object())
        case 8:
            return .openAPI(
                name(), code: maybe { $0.int(100...599) }, example: maybe { $0.name() },
                answers: maybe { $0.pick(Stub.AnswerSource.allCases) }, document: maybe { $0.name() })
        default: return stream()
        }
    }

    private mutating func stream() -> Stub.Answer {
        let items = many(upTo: 3) { $0.item() } + [item()]
        let name = maybe { $0.name() }
        let rounds: Stub.Rounds? = maybe {
            name == nil && $0.chance(0.5) ? .forever : .times($0.int(1...5))
        }
        return Stub.Answer.status(200).stream(StreamDefinition(name: name, items.map(\.model), rounds: rounds?.model))
    }

    private mutating func item() -> Stub.Piece {
        let item: Stub.Piece
        switch int(0...4) {
        case 0: item = .event(name(), id: name(), data: json(), retry: .milliseconds(int(0...9_999)), comment: text())
        case 1: item = .data(json())
        case 2: item = .chunk(text())
        case 3: item = .bytes(many(upTo: 9) { UInt8($0.int(0...255)) })
        default:
            item = .hold(
                name(), timeout: .milliseconds(int(1...99_999)), then: pick([.answer, .fail, .fault(.emptyResponse)]))
        }
        return chance(0.5) ? item.after(.milliseconds(int(0...9_999))) : item
    }

    private mutating func change(of answer: Stub.Answer) -> Stub.Answer {
        switch int(0...14) {
        case 14:
            return answer.changing { $0.proxyBaseUrl = "https://a.example" }.removingPathPrefix("/" + name())
                .proxyHeader(name(), text()).removingProxyHeaders(name()).overHTTP2()
        case 11: return answer.delay(template: "{{request.query.wait}}")
        case 12: return answer.transformers("response-template")
        case 0: return answer.header(name(), text(), text())
        case 1: return answer.headers([name(): text()])
        case 2: return answer.delay(.milliseconds(int(0...99_999)))
        case 3: return answer.delay(distribution())
        case 4: return answer.delays(firstByte: maybe { $0.distribution() }, perChunk: distribution())
        case 5: return answer.dribble(chunks: int(1...9), over: .milliseconds(int(0...9_999)))
        case 6: return answer.hold(name(), timeout: .seconds(int(1...99)), then: maybe { .status($0.int(200...599)) })
        case 7: return answer.early(103, headers: chance(0.5) ? ["Link": text()] : [:])
        case 8: return answer.trailer(name(), text())
        case 9: return answer.ranges(chance(0.8))
        // They are no options of every answer.
        case 10: return answer.conditional(false).fallThrough(false)
        default:
            // Long enough for all places in it.
            return answer.text(String(repeating: text() + "x", count: 10_000)).fault(fault())
        }
    }

    private mutating func fault() -> Stub.Fault {
        var fault = rule()
        if chance(0.4) { fault = fault.and(rule()) }
        switch int(0...9) {
        case 0: return fault.first(int(1...9), perHeader: maybe { $0.name() })
        case 1: return fault.probability(pick([0, 0.05, 0.3, 1]))
        case 2: return fault.between(.seconds(int(0...4)), and: .milliseconds(int(5_001...9_999)))
        case 3: return fault.quota(int(0...9), per: .seconds(int(1...120)))
        case 4: return fault.concurrency(int(0...9))
        default: return fault
        }
    }

    private mutating func rule() -> Stub.Fault {
        switch int(0...16) {
        case 0...2: pick(PrintedCases.faults).value
        case 3: .neverAnswer
        case 4: .status(int(200...599))
        case 5: .delay(distribution())
        case 6: .cut(after: int(0...9_999), then: end())
        case 7:
            .cut(
                after: pick([.share(Double(int(0...100)) / 100), .nothing, .head, .chunk(int(0...9))]), then: end())
        case 8: .corrupt(byte: int(0...99))
        case 9: .corrupt(rate: pick([0.01, 0.5]))
        case 10: .wrongLength(by: pick([-5, 7]))
        case 11: .duplicateHeader("ETag", maybe { $0.text() })
        case 12: .garbagePrefix("x" + text())
        case 13: .garbagePrefix(bytes: int(1...99))
        case 14: .bandwidth(pick([.bytes(int(1...9)), .kilobytes(1.5), .megabits(2)]))
        case 15: .slice(size: int(1...99), gap: .milliseconds(int(0...99)))
        default: .stall(after: int(0...99), for: maybe { .seconds($0.int(1...9)) })
        }
    }

    private mutating func end() -> Stub.Fault.End {
        let code = Stub.Fault.HTTP2Code(rawValue: UInt32(int(0...20)))
        return pick([
            .close, .reset, .cut, .hang, .garbage, .resetStream(code), .goAway(code),
            .goAway(code, lastStream: UInt32(int(0...99))),
        ])
    }

    private mutating func distribution() -> Stub.Delay {
        let (small, large) = (Duration.milliseconds(int(0...99)), Duration.milliseconds(int(100...9_999)))
        switch int(0...4) {
        case 0: return .fixed(small)
        case 1: return .uniform(small...large)
        case 2: return .lognormal(median: small, sigma: pick([0, 0.4]), max: maybe { _ in large })
        case 3: return .gaussian(mean: small, deviation: large, max: maybe { _ in large })
        default: return .exponential(mean: small, max: maybe { _ in large })
        }
    }

    // MARK: Values

    private mutating func json(depth: Int = 0) -> Stub.JSON {
        switch int(0...(depth < 3 ? 6 : 4)) {
        case 0: return .null
        case 1: return Stub.JSON(.bool(chance(0.5)))
        case 2: return Stub.JSON(.number(JSONNumber(int(-9_999...9_999))))
        case 3: return Stub.JSON(JSONNumber(double()).map(JSONValue.number) ?? .null)
        case 4: return "\(text())"
        case 5: return Stub.JSON(.array(many(upTo: 3) { $0.json(depth: depth + 1).value }))
        default: return Stub.JSON(.object(JSONObject(object(depth: depth + 1))))
        }
    }

    private mutating func object(depth: Int = 0) -> [String: Stub.JSON] {
        let members: [(String, Stub.JSON)] =
            many(upTo: 3) { ($0.name(), $0.json(depth: depth + 1)) } + [(name(), Stub.JSON(.string(text())))]
        return Dictionary(members) { $1 }
    }

    /// A name that is a token of HTTP.
    private mutating func name() -> String {
        pick(["a", "b", "X-Id", "id", "user", "q", "n\(int(0...99))"])
    }

    private mutating func text() -> String {
        pick(["", "x", "hello world", "ünïcödé 🐶", "a\"b\\c", "{brace}", "é\u{301}", "#1 & 2%", "\(int(0...999))"])
    }

    private mutating func double() -> Double { Double(int(-9_999...9_999)) / 8 }

    // MARK: Chance

    private mutating func count() -> Int {
        names += 1
        return names + 100
    }

    private mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    private mutating func chance(_ probability: Double) -> Bool {
        Double.random(in: 0..<1, using: &random) < probability
    }

    private mutating func pick<Element>(_ elements: [Element]) -> Element { elements[int(0...(elements.count - 1))] }

    private mutating func many<Element>(upTo count: Int, _ make: (inout StubGenerator) -> Element) -> [Element] {
        var elements: [Element] = []
        for _ in 0..<int(0...count) { elements.append(make(&self)) }
        return elements
    }

    private mutating func maybe<Value>(_ make: (inout StubGenerator) -> Value) -> Value? {
        chance(0.5) ? make(&self) : nil
    }
}

/// Steele, Lea and Flood's generator, the same on every system.
private struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
