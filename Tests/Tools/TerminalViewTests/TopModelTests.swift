import SDJSON
import Testing

@testable import SDTerminalView

/// The live view: events and keys in, lines out.
@Suite struct TopModelTests {
    /// 09:24:00 of a day.
    private let now = 1_795_944_240_000

    private func model(isUnicode: Bool = true) -> TopModel {
        TopModel(TopModel.Settings(url: "http://localhost:8080", zoneOffset: 0, isUnicode: isUnicode))
    }

    private func request(
        _ sequence: Int, _ method: String, _ url: String, status: Int = 200, matched: Bool = true, ago: Int = 3_000,
        gate: String? = nil, session: String? = nil
    ) -> TrafficEvent {
        var data: JSONObject = [
            "sequence": .number(JSONNumber(sequence)), "id": .string("id-\(sequence)"), "method": .string(method),
            "url": .string(url), "at": .number(JSONNumber(now - ago)), "wasMatched": .bool(matched),
            "status": .number(JSONNumber(status)),
        ]
        if matched { data["stub"] = ["id": "s", "key": "GET /x", "file": "shop.yaml", "line": 18] }
        data["gate"] = gate.map { .string($0) }
        data["session"] = session.map { ["id": .string($0), "name": .string($0)] }
        return TrafficEvent(type: "request", data: .object(data))
    }

    private func response(
        _ sequence: Int, status: Int = 200, end: String = "sent", fault: String? = nil, microseconds: Int = 400
    ) -> TrafficEvent {
        var data: JSONObject = [
            "sequence": .number(JSONNumber(sequence)), "id": .string("id-\(sequence)"),
            "status": .number(JSONNumber(status)), "end": .string(end), "bytesSent": 1_100,
            "durationUs": .number(JSONNumber(microseconds)),
        ]
        data["fault"] = fault.map { .string($0) }
        return TrafficEvent(type: "response", data: .object(data))
    }

    private var traffic: [TrafficEvent] {
        [
            request(1, "GET", "/api/breed/hound/imagine", status: 404, matched: false), response(1, status: 404),
            request(2, "POST", "/shop/orders"), response(2, status: 422, microseconds: 14_000),
            request(3, "GET", "/shop/till"), response(3, end: "faultApplied", fault: "CONNECTION_RESET_BY_PEER"),
            request(4, "GET", "/held", gate: "pay"),
            request(5, "GET", "/broken"), response(5, status: 503, microseconds: 1_240_000),
        ]
    }

    private func texts(_ model: inout TopModel, _ rows: Int, _ columns: Int) -> [String] {
        model.screen(rows: rows, columns: columns, now: now).map(\.text)
    }

    private func press(_ model: inout TopModel, _ keys: TerminalKey...) -> [TopAction] {
        keys.flatMap { model.press($0, rows: 24, now: now) }
    }

    private let explanation = TopExplanation([
        "smallestChange": "ask for /api/breed/hound/image",
        "nearMisses": [
            [
                "file": "dogs.yaml", "line": 17, "key": "GET /api/breed/{breed}/image",
                "attributes": [
                    ["attribute": "method", "expected": "GET", "actual": "GET", "matches": true],
                    [
                        "attribute": "urlPathTemplate", "expected": "/api/breed/{breed}/image",
                        "actual": "/api/breed/hound/imagine", "matches": false,
                    ],
                ],
            ]
        ],
    ])

    // MARK: Screens

    @Test func aRowTellsWhatTheClientGot() {
        var model = model()
        model.take(traffic, now: now)
        let lines = texts(&model, 24, 80)
        #expect(
            lines[5...10].map { $0.split(separator: " ").joined(separator: " ") } == [
                "WHEN METHOD URL STATUS TIME STUB",
                "57.000 X GET /api/breed/hound/imagine 404 <1ms -",
                "57.000 POST /shop/orders 422 14ms shop:18",
                "57.000 F GET /shop/till reset <1ms shop:18",
                "57.000 H GET /held held pay 3s shop:18",
                "57.000 ! GET /broken 503 1.24s shop:18",
            ])
    }

    @Test(arguments: [(15, 60), (12, 60), (20, 79), (24, 80), (40, 120), (60, 200), (11, 100), (40, 59), (1, 10)])
    func everySizeIsKept(rows: Int, columns: Int) {
        for isUnicode in [true, false] {
            var model = model(isUnicode: isUnicode)
            model.take(traffic, now: now)
            model.take(explanation: explanation, of: "id-1")
            for keys: [TerminalKey] in [
                [], [.tab], [.tab, .tab], [.character("4")], [.character("?")], [.character("w")], [.character("/")],
                [.up, .enter], [.up, .enter, .right, .right], [.character("p")],
            ] {
                var copy = model
                for key in keys { _ = copy.press(key, rows: rows, now: now) }
                let lines = copy.screen(rows: rows, columns: columns, now: now)
                #expect(lines.count <= rows)
                if rows >= 12, columns >= 60 { #expect(lines.allSatisfy { $0.width <= columns }, "\(keys)") }
                if !isUnicode { #expect(lines.allSatisfy { $0.text.utf8.allSatisfy { $0 < 0x7f } }) }
            }
        }
    }

    @Test func columnsLeaveInTheirOrder() {
        var model = model()
        model.take([request(1, "GET", "/a", session: "login")], now: now)
        func heading(_ columns: Int) -> String {
            texts(&model, 24, columns).first { $0.contains("METHOD") }?.split(separator: " ").joined(separator: " ")
                ?? ""
        }
        #expect(heading(140) == "WHEN METHOD URL STATUS TIME SIZE SESSION STUB")
        #expect(heading(100) == "WHEN METHOD URL STATUS TIME SESSION STUB")
        #expect(heading(80) == "WHEN METHOD URL STATUS TIME STUB")
        #expect(heading(60) == "WHEN METHOD URL STATUS TIME")
    }

    @Test func belowTheLeastSizeOneLineSaysTheCounts() {
        var model = model()
        model.overview.requests = 9_204
        model.overview.unmatched = 2
        #expect(texts(&model, 11, 80) == [" 0/s  9,204 requests  2 unmatched  0 failed  0 held"])
        #expect(texts(&model, 24, 50).count == 1)
        model.connection = .lost(since: now)
        #expect(texts(&model, 11, 80)[0].hasPrefix(" LOST 09:24, trying"))
    }

    @Test func aStrangersTextIsEscapedEverywhere() {
        var model = model()
        let evil = "/\u{1b}]0;x\u{7}\u{202e}?\r\n\u{9b}2J"
        model.take([request(1, "G\u{1b}T", evil, status: 404, matched: false, session: "s\u{1b}")], now: now)
        var explanation = TopExplanation()
        explanation.nearest = [TopExplanation.Nearest()]
        explanation.nearest[0].stub.name = evil
        explanation.nearest[0].conditions = [TopExplanation.Condition()]
        explanation.nearest[0].conditions[0].expected = evil
        explanation.nearest[0].conditions[0].actual = "/" + evil
        explanation.change = evil
        model.take(explanation: explanation, of: "id-1")
        model.take(curl: evil, now: now)
        for size in [(24, 80), (40, 120)] {
            for keys: [TerminalKey] in [
                [], [.escape, .character("w")], [.escape, .up, .enter, .right], [.escape, .character("/")],
            ] {
                var copy = model
                for key in keys { _ = copy.press(key, rows: size.0, now: now) }
                let scalars = copy.screen(rows: size.0, columns: size.1, now: now).flatMap { $0.text.unicodeScalars }
                #expect(
                    scalars.allSatisfy { $0.value >= 0x20 && !(0x7f...0x9f).contains($0.value) && $0 != "\u{202e}" })
            }
        }
    }

    // MARK: Why not

    @Test func theLastUnmatchedOneIsExplainedByItself() {
        var model = model()
        model.take(traffic, now: now)
        let wishes = model.wishes(rows: 24, columns: 80, now: now)
        #expect(wishes.count == 1)
        guard case .explain(let row) = wishes.first else { return }
        #expect(row.id == "id-1")
        // It is asked for once.
        #expect(model.wishes(rows: 24, columns: 80, now: now).isEmpty)
        model.take(explanation: explanation, of: "id-1")
        let lines = texts(&model, 24, 80)
        #expect(lines.contains { $0.contains("#1 GET /api/breed/hound/imagine  nearest dogs.yaml:17") })
        #expect(lines.contains { $0.contains("X path") && $0.contains("/api/breed/{breed}/image") })
        #expect(lines.contains { $0.contains("Smallest change: ask for /api/breed/hound/image") })
    }

    @Test(arguments: [
        ("/api/breed/{breed}/image", "/api/breed/hound/imagine", "", "in"),
        ("/api/dogs", "/api/dog", "s", ""), ("/a/b", "/x/b", "a", "x"), ("abc", "abd", "c", "d"), ("", "x", "", "x"),
        ("/a/{id}", "/a/1/b", "", "b"),
    ])
    func whatDiffersIsMarked(expected: String, actual: String, left: String, right: String) {
        let common = TextDifference.common(expected, actual)
        let wanted = expected.dropFirst(common.start.0).dropLast(common.end.0)
        let came = actual.dropFirst(common.start.1).dropLast(common.end.1)
        #expect(wanted.hasSuffix(left) && wanted.count <= max(left.count, 1))
        #expect(came == right || came.hasSuffix(right))
    }

    // MARK: Keys

    @Test func pauseStopsThePictureNotTheCollecting() {
        var model = model()
        model.take(traffic, now: now)
        _ = press(&model, .character("p"))
        model.take([request(6, "GET", "/later")], now: now)
        var lines = texts(&model, 24, 80)
        #expect(lines[0].contains("PAUSED, 1 waiting"))
        #expect(!lines.contains { $0.contains("/later") })
        _ = press(&model, .character("p"))
        lines = texts(&model, 24, 80)
        #expect(lines[0].hasSuffix("LIVE"))
        #expect(lines.contains { $0.contains("/later") })
    }

    @Test func aChosenRowStaysWhereItIs() {
        var model = model()
        for number in 1...40 { model.take([request(number, "GET", "/a/\(number)"), response(number)], now: now) }
        _ = press(&model, .up, .up)
        let before = texts(&model, 15, 60)
        #expect(before.contains { $0.contains("/a/39") })
        for number in 41...60 {
            model.take([request(number, "GET", "/a/\(number)", matched: number != 50), response(number)], now: now)
        }
        let after = texts(&model, 15, 60)
        #expect(after[4..<12] == before[4..<12])
        #expect(after[13].contains("20 new, 1 unmatched  f follows"))
        _ = press(&model, .character("f"))
        #expect(texts(&model, 15, 60)[13].contains("/a/60"))
    }

    @Test func aFilterIsTyped() {
        var model = model()
        model.take(traffic, now: now)
        _ = press(&model, .character("/"), .character("t"), .character("i"), .character("l"), .character("l"))
        #expect(texts(&model, 24, 80)[4].contains("/ till"))
        #expect(model.visible.count == 1)
        _ = press(&model, .enter)
        #expect(
            texts(&model, 24, 80)[4].hasSuffix("filter: till 1/5 ") || texts(&model, 24, 80)[4].contains("filter: till")
        )
        // Esc empties the field, then leaves it; another shows all again.
        _ = press(&model, .character("/"), .escape, .escape)
        #expect(model.typed == nil)
        model.update(now: now)
        #expect(model.visible.count == 5)
        _ = press(&model, .character("/"), .down)
        #expect(model.typed == "till")
    }

    @Test func onlyUnmatchedIsOneKeyAway() {
        var model = model()
        model.take(traffic, now: now)
        _ = press(&model, .character("u"))
        #expect(texts(&model, 24, 80)[4].contains("is:unmatched"))
        #expect(model.visible.count == 1)
        _ = press(&model, .character("u"))
        model.update(now: now)
        #expect(model.visible.count == 5)
    }

    @Test func aReleaseAsksFirst() {
        var model = model()
        model.take(traffic, now: now)
        model.take(
            gates: [
                (
                    nil,
                    [
                        "gates": [
                            [
                                "name": "pay",
                                "requests": [["id": "id-4", "method": "GET", "url": "/held", "ageMs": 3_000]],
                            ]
                        ], "meta": ["waiting": 1],
                    ]
                )
            ], now: now)
        #expect(press(&model, .character("r")) == [])
        #expect(texts(&model, 24, 80)[23].contains("Release GET /held?  y yes   n no"))
        #expect(press(&model, .character("n")) == [])
        #expect(press(&model, .character("y")) != [.release(gate: "pay", id: "id-4", session: nil)])
        #expect(
            press(&model, .escape, .character("r"), .character("y")) == [
                .release(gate: "pay", id: "id-4", session: nil)
            ])
    }

    @Test func openingAsksForTheWholeExchange() {
        var model = model()
        model.take(traffic, now: now)
        let actions = press(&model, .up, .enter)
        guard case .load(let row) = actions.first else {
            Issue.record("nothing is asked for: \(actions)")
            return
        }
        #expect(row.id == "id-5")
        model.take(
            exchange: [
                "request": ["method": "GET", "url": "/broken", "headers": ["Host": "x"], "body": ""],
                "response": ["status": 503, "headers": ["A": ["1", "2"]], "body": "{\"a\":1}"],
            ], of: "id-5")
        _ = press(&model, .right, .right)
        let lines = texts(&model, 24, 80)
        #expect(lines.contains { $0.hasPrefix(" A: 1") } && lines.contains { $0.hasPrefix(" A: 2") })
        #expect(lines.contains { $0.contains("\"a\" : 1") || $0.contains("\"a\": 1") })
        #expect(press(&model, .escape) == [])
        #expect(model.opened == nil)
        #expect(press(&model, .character("q")) == [.quit])
        #expect(press(&model, .control("c")) == [.quit])
        #expect(press(&model, .control("z")) == [.suspend])
    }

    @Test func aLostDaemonLeavesTheLastScreen() {
        var model = model()
        model.take(traffic, now: now)
        model.connection = .lost(since: now)
        let lines = texts(&model, 24, 80)
        #expect(lines[0].hasSuffix("LOST 09:24, trying"))
        #expect(lines.contains { $0.contains("/shop/till") })
    }

    // MARK: Bounds

    @Test func manyRowsAreBoundedAndTroubleStays() {
        var log = TrafficLog()
        log.take(request(1, "GET", "/first", matched: false))
        for number in 2...15_000 {
            log.take(request(number, "GET", "/a"))
            log.take(response(number))
        }
        #expect(log.rows.count <= 12_000)
        #expect(log.added == 15_000)
        #expect(log.rows.first?.url == "/first")
        #expect(log.row("id-15000")?.ending != nil)
        #expect(log.row("id-2") == nil)
    }

    @Test func eventsComeInPieces() {
        var reader = EventReader()
        let text =
            ": events\nid: a.1\n\nid: a.2\nevent: request\ndata: {\"id\":\"x\",\"method\":\"GET\",\"url\":\"/日\"}\n\n"
        let events = text.utf8.flatMap { reader.read([$0]) }
        #expect(events.map(\.type) == ["request"])
        #expect(events.first.flatMap { TrafficRow(request: $0.data) }?.url == "/日")
        #expect(reader.lastID == "a.2")
    }

    // MARK: Colours and keys

    @Test func coloursSayWhatTheLettersSay() {
        var model = model()
        model.take(traffic, now: now)
        let lines = model.screen(rows: 24, columns: 80, now: now)
        func colour(_ mark: String) -> ScreenStyle.Colour? {
            let line = lines.first { $0.spans.contains { $0.text == mark && $0.style.colour != nil } }
            return line?.spans.first { $0.text == mark }?.style.colour
        }
        #expect(colour("X") == .magenta)
        #expect(["F", "H", "!"].map(colour) == [.yellow, .yellow, .red])
    }

    @Test func aMessageLeavesRoomForTheKeys() throws {
        var model = model()
        model.tell("released 1 request at pay", now: now)
        let footer = try #require(texts(&model, 24, 80).last)
        #expect(footer.hasPrefix(" released 1 request at pay  q quit"), "\(footer)")
        #expect(footer.contains("/ filter"))
    }

    @Test func whatWasThereStandsInTheOrderOfTime() {
        var model = model()
        model.take(
            [
                request(1, "GET", "/first", ago: 9_000), request(4, "GET", "/fourth", ago: 1_000),
                request(2, "GET", "/second", ago: 8_000, session: "s1"),
                request(3, "GET", "/third", ago: 7_000, session: "s2"),
            ], now: now)
        let lines = texts(&model, 24, 110)
        let paths = ["/first", "/second", "/third", "/fourth"]
        let places = paths.map { path in lines.firstIndex { $0.contains(path) } ?? -1 }
        #expect(places == places.sorted() && places[0] > 0, "\(lines)")
        #expect(lines.contains { $0.contains("SESSION") }, "there is room for the sessions")
    }

    @Test func anUnknownFilterIsToldBelowTheEmptyList() {
        var model = model()
        model.take(traffic, now: now)
        _ = press(&model, .character("/"))
        for character in "foo:bar" { _ = press(&model, .character(character)) }
        _ = press(&model, .enter)
        model.tell("something else", now: now)
        let lines = texts(&model, 24, 80)
        #expect(lines.contains { $0.contains("Nothing passes the filter.") })
        #expect(lines.contains { $0.contains("no filter \"foo\"") }, "\(lines)")
    }

    @Test(arguments: [(24, 100, true), (30, 120, true), (24, 99, false), (18, 120, false)])
    func stubsStandBesideWhereThereIsRoom(rows: Int, columns: Int, areShown: Bool) {
        var model = model()
        model.overview.take(counters: ["stubs": [["id": "s", "key": "GET /x", "matches": 3]]])
        model.take(traffic, now: now)
        model.take(explanation: explanation, of: "id-1")
        let lines = texts(&model, rows, columns)
        #expect(lines.contains { $0.contains("STUBS BY HITS") } == areShown)
        if areShown {
            #expect(lines.contains { $0.contains("GET /x") && $0.contains("imagine") || $0.contains("method") })
        }
    }
}
