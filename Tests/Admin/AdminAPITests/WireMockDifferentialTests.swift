import SDJSON
import SDTestSupport
import Testing

/// The daemon's answers equal those recorded from WireMock: status, content type and JSON of every call.
@Suite struct WireMockDifferentialTests {
    /// The headers that are compared.
    private static let headers = ["content-type", "location", "access-control-allow-origin", "matched-stub-name"]

    @Test func theRecordingExists() {
        let calls = GoldenScenario.all.flatMap(\.steps).filter { $0.kind == "call" }
        #expect(calls.count >= 120)
        let names = Set(GoldenScenario.all.map(\.name))
        #expect(IntendedDifference.all.allSatisfy { names.contains($0.scenario) && $0.reason.count > 10 })
    }

    @Test(arguments: GoldenScenario.all)
    func answersAsWireMockDoes(scenario: GoldenScenario) throws {
        let daemon = try RunningDaemon(files: scenario.files)
        var ids = IDNames(given: scenario.givenIDs)
        for (number, step) in scenario.steps.enumerated() {
            guard let played = try play(step, daemon, &ids) else { continue }
            let golden = comparable(step.json["answer"] ?? .null)
            let meant = IntendedDifference.all.first { $0.scenario == scenario.name && $0.step == number }
            let ours = withoutExplanation(withoutAdvice(played, expecting: golden), expecting: meant?.answer ?? golden)
            let place = "step \(number): \(step.summary)"
            if let meant {
                #expect(golden != meant.answer, "\(place) is listed as a difference and is none")
                #expect(ours == meant.answer, "\(place)\nlisted \(meant.answer.compactText)\nours \(ours.compactText)")
            } else {
                #expect(ours == golden, "\(place)\nWireMock \(golden.compactText)\nours     \(ours.compactText)")
            }
        }
    }

    /// Plays a step and returns the answer in the shape of the golden data; nil for a step without one.
    private func play(
        _ step: GoldenScenario.Step, _ daemon: RunningDaemon, _ ids: inout IDNames
    ) throws -> JSONValue? {
        switch step.kind {
        case "write":
            try daemon.write(step.text("file"), step.text("text"))
            return nil
        case "delete":
            try daemon.delete(step.text("file"))
            return nil
        case "files":
            var found = JSONObject()
            for (name, text) in try daemon.stubFiles().sorted(by: { $0.key < $1.key }) {
                found[ids.normalized(name)] = .string(ids.normalized(text))
            }
            return comparable(.object(found))
        default:
            let exchange = try Exchange(
                daemon.port, step.text("method"), step.text("path"), headers: step.headers, body: step.text("body"))
            var headers = JSONObject()
            for name in Self.headers {
                headers[name] = exchange.header(name).map {
                    .string($0.split(separator: "localhost:\(daemon.port)").joined(separator: "localhost"))
                }
            }
            return comparable([
                "status": .number(JSONNumber(exchange.status)), "headers": .object(headers),
                "text": .string(ids.normalized(exchange.text)),
            ])
        }
    }

    /// The answer to an unknown call reduced to its status: WireMock adds nothing to a 404.
    private func withoutAdvice(_ ours: JSONValue, expecting golden: JSONValue) -> JSONValue {
        let isBare = golden["status"]?.intValue == 404 && golden["text"]?.stringValue?.isEmpty == true
        let isAdvice = ours["text"]?["errors"]?[0]?["code"] == 404 || ours["text"]?.stringValue?.isEmpty == true
        return isBare && isAdvice && ours["status"]?.intValue == 404 ? golden : ours
    }

    /// The answer without this project's text after WireMock's in error details.
    private func withoutExplanation(_ ours: JSONValue, expecting golden: JSONValue) -> JSONValue {
        guard var object = ours.objectValue, var text = object["text"]?.objectValue,
            var errors = text["errors"]?.arrayValue, let expected = golden["text"]?["errors"]?.arrayValue
        else { return ours }
        for (index, pair) in zip(errors, expected).enumerated() {
            guard var error = pair.0.objectValue, let detail = error["detail"]?.stringValue,
                let words = pair.1["detail"]?.stringValue,
                detail.hasPrefix(words + "\n") || JSONComplaint.agree(detail, words)
            else { continue }
            error["detail"] = .string(words)
            errors[index] = .object(error)
        }
        text["errors"] = .array(errors)
        object["text"] = .object(text)
        return .object(object)
    }

    /// The value without what depends on the run or the client: the times of serve events, and the headers that the
    /// recorder's client and this one add by themselves.
    private func timeless(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let elements): return .array(elements.map(timeless))
        case .object(let object):
            var kept = JSONObject()
            for member in object.members {
                switch member.key {
                case "loggedDate", "loggedDateString", "timeOffsetNanos", "processTime", "responseSendTime",
                    "serveTime", "totalTime", "Accept-Encoding", "Connection", "Content-Length":
                    continue
                default: kept[member.key] = timeless(member.value)
                }
            }
            return .object(kept)
        default: return value
        }
    }

    /// The answer with texts that are JSON parsed. Three things are not compared: the layout of the report on an
    /// unmatched request; `insertionIndex` in saved files, which is not needed because files are ordered by name; and
    /// the order of scenarios, their states and their stubs, which in WireMock is that of a hash table.
    private func comparable(_ answer: JSONValue) -> JSONValue {
        guard var object = answer.objectValue else { return answer }
        let isReport = object["status"]?.intValue == 404 && object["text"]?.stringValue?.contains("not matched") == true
        if isReport { object["text"] = "(report)" }
        for member in object.members {
            guard let text = member.value.stringValue, let json = try? JSONValue(parsing: text.utf8),
                var parsed = json.objectValue
            else { continue }
            parsed["insertionIndex"] = nil
            if let scenarios = parsed["scenarios"]?.arrayValue { parsed["scenarios"] = .array(sorted(scenarios)) }
            object[member.key] = timeless(.object(parsed))
        }
        return .object(object)
    }

    private func sorted(_ scenarios: [JSONValue]) -> [JSONValue] {
        func text(_ value: JSONValue) -> String { value.stringValue ?? "" }
        return scenarios.compactMap(\.objectValue).map { scenario in
            var scenario = scenario
            let states = scenario["possibleStates"]?.arrayValue ?? []
            scenario["possibleStates"] = .array(states.sorted { text($0) < text($1) })
            let stubs = scenario["mappings"]?.arrayValue ?? []
            scenario["mappings"] = .array(stubs.sorted { $0.compactText < $1.compactText })
            return JSONValue.object(scenario)
        }.sorted { text($0["name"] ?? .null) < text($1["name"] ?? .null) }
    }
}
