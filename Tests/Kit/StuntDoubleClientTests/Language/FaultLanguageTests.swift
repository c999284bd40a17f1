import SDJSON
import SDStubModel
import StuntDoubleClient
import Testing

@Suite struct FaultLanguageTests {
    static let all = PrintedCases.faults + composed

    static let composed: [FaultCase] = [
        FaultCase(.neverAnswer, ["neverAnswer": true]),
        FaultCase(.status(503), ["status": 503]),
        FaultCase(.delay(.milliseconds(200)), ["delay": ["type": "fixed", "milliseconds": 200]]),
        FaultCase(
            .delay(.gaussian(mean: .milliseconds(200), deviation: .milliseconds(50))),
            ["delay": ["type": "gaussian", "mean": 200.0, "standardDeviation": 50.0]]),
        FaultCase(.cut(after: 1337), ["cutAfter": 1337]),
        FaultCase(.cut(after: .share(0.5), then: .reset), ["cutAfter": "50.0%", "then": "rst"]),
        FaultCase(.cut(after: .head), ["cutAfter": "headers"]),
        FaultCase(.cut(after: .chunk(2)), ["cutAfter": ["chunk": 2]]),
        FaultCase(.cut(after: .nothing), ["cutAfter": "nothing"]),
        FaultCase(.cut(after: 10, then: .cut), ["cutAfter": 10, "then": "cut"]),
        FaultCase(.cut(after: 10, then: .hang), ["cutAfter": 10, "then": "hang"]),
        FaultCase(.cut(after: 10, then: .garbage), ["cutAfter": 10, "then": "garbage"]),
        FaultCase(
            .cut(after: .nothing, then: .resetStream(.refusedStream)),
            ["cutAfter": "nothing", "then": ["resetStream": "REFUSED_STREAM"]]),
        FaultCase(
            .cut(after: 10, then: .resetStream(Stub.Fault.HTTP2Code(rawValue: 99))),
            ["cutAfter": 10, "then": ["resetStream": 99]]),
        FaultCase(
            .cut(after: 10, then: .goAway(.enhanceYourCalm, lastStream: 0)),
            ["cutAfter": 10, "then": ["goAway": "ENHANCE_YOUR_CALM", "lastStream": 0]]),
        FaultCase(
            .cut(after: 10, then: .goAway(.http11Required)),
            ["cutAfter": 10, "then": ["goAway": "HTTP_1_1_REQUIRED"]]),
        FaultCase(.corrupt(byte: 10), ["corrupt": ["byte": 10]]),
        FaultCase(.corrupt(rate: 0.01), ["corrupt": ["rate": 0.01]]),
        FaultCase(.wrongLength(by: -5), ["wrongLength": -5]),
        FaultCase(.duplicateHeader("ETag"), ["duplicateHeader": "ETag"]),
        FaultCase(
            .duplicateHeader("Content-Length", "5"), ["duplicateHeader": ["name": "Content-Length", "value": "5"]]),
        FaultCase(.garbagePrefix("xyz"), ["garbagePrefix": "xyz"]),
        FaultCase(.garbagePrefix(bytes: 16), ["garbagePrefix": 16]),
        FaultCase(.bandwidth(.megabits(2)), ["bandwidth": "250000B/s"]),
        FaultCase(.slice(size: 100, gap: .milliseconds(20)), ["slice": ["size": 100, "gap": "20ms"]]),
        FaultCase(.stall(after: 100, for: .seconds(10)), ["stall": ["after": 100, "for": "10s"]]),
        FaultCase(.stall(after: 0), ["stall": ["after": 0, "for": "forever"]]),
        FaultCase(.quota(10, per: .seconds(60)), ["quota": ["limit": 10, "per": "1m"]]),
        FaultCase(.concurrency(5), ["concurrency": 5]),
        FaultCase(.status(503).first(2), ["status": 503, "first": 2]),
        FaultCase(
            .status(503).first(2, perHeader: "Idempotency-Key"),
            ["status": 503, "first": ["count": 2, "perHeader": "Idempotency-Key"]]),
        FaultCase(
            .connectionReset.between(.seconds(5), and: .seconds(10)),
            ["kind": "CONNECTION_RESET_BY_PEER", "between": ["5s", "10s"]]),
        FaultCase(
            .bandwidth(.bytes(500)).and(.cut(after: 10, then: .reset)).probability(0.3),
            ["bandwidth": "500B/s", "cutAfter": 10, "then": "rst", "probability": 0.3]),
        FaultCase(
            .cut(after: 10).and(.cut(after: 20)).and(.delay(.seconds(1))).quota(1, per: .seconds(1)).concurrency(2),
            [
                "cutAfter": 20, "delay": ["type": "fixed", "milliseconds": 1000],
                "quota": ["limit": 1, "per": "1s"], "concurrency": 2,
            ]),
    ]

    @Test(arguments: all) func aTypedFaultIsTheDialectsOwn(_ example: FaultCase) throws {
        #expect(.object(example.value.model.json) == example.json)
        let plan = FaultPlan([example.value.model])
        #expect(plan.json == example.json)
        // The daemon reads the same changes, in its own order.
        let rule = try #require(plan.rules.first)
        #expect(rule.conditions == example.value.model.conditions)
        #expect(rule.replacement == example.value.model.replacement)
        #expect(rule.delay == example.value.model.delay)
        #expect(Set(rule.changes) == Set(example.value.model.changes))
    }

    @Test func everyNameOfAFaultHasATypedForm() {
        let used = Self.all.flatMap(\.value.model.json.keys)
        #expect(
            Set(SDStubModel.FaultRule.actionNames + SDStubModel.FaultRule.conditionNames + ["then"]).subtracting(used)
                == [])
    }

    @Test func aFaultOfASessionIsReadAsItIsWritten() throws {
        let rule = Stub.Fault.bandwidth(.kilobytes(30)).and(.delay(.milliseconds(300)))
        #expect(try SessionFault.read(json: FaultPlan([rule.model]).json).map(\.rule) == [rule.model])
        for upload in [Stub.Fault.readSlowly(.kilobytes(1)), .neverRead] {
            #expect(try SessionFault.read(json: FaultPlan([upload.model]).json).map(\.rule) == [upload.model])
        }
    }

    @Test func theFaultsOfConnectionsAreThoseOfTheDaemon() {
        #expect(MockServer.TLSFault.allCases.map(\.rawValue) == SDStubModel.TLSFault.allCases.map(\.rawValue))
        #expect(MockServer.HTTP2Fault.allCases.map(\.rawValue) == SDStubModel.HTTP2Fault.allCases.map(\.rawValue))
    }
}
