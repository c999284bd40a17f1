import Foundation
import SDJSON
import SDStubModel
import StuntDoubleClient
import Testing

/// Every stub that the language can write arrives as it was written.
@Suite struct StubRoundTripTests {
    /// `STUNTDOUBLE_TEST_SEED`, or another one in each run.
    private static let seed: UInt64 = {
        let given = ProcessInfo.processInfo.environment["STUNTDOUBLE_TEST_SEED"].flatMap { UInt64($0) }
        let seed = given ?? UInt64.random(in: 0...UInt64(UInt32.max))
        print("StubRoundTripTests: STUNTDOUBLE_TEST_SEED=\(seed)")
        return seed
    }()

    private static func stubs(_ count: Int) throws -> [Stub] {
        var generator = StubGenerator(seed: seed)
        var known: Set<Stub.ID> = []
        return try (0..<count).map { _ in try generator.stub() }.filter { known.insert($0.id).inserted }
    }

    @Test func randomStubsSayAllThatStubsCanSay() throws {
        var generator = StubGenerator(seed: 1)
        let stubs = try (0..<3_000).map { _ in try generator.stub() }
        let names = stubs.reduce(into: Set<String>()) { $0.formUnion(memberNames($1.model.json())) }
        let operators = SDStubModel.ValueMatcher.Operator.allCases
        let all =
            operators.map(\.rawValue) + operators.flatMap(\.options) + DialectNames.response
            + SDStubModel.FaultRule.actionNames + SDStubModel.FaultRule.conditionNames
            + SDStubModel.StreamDefinition.Item.keys + GateHold.names
        #expect(Set(all).subtracting(names) == ["fromConfiguredStub", "expectedOffset", "expectedOffsetUnit"])
    }

    @Test func aStubIsReadAsItWasWritten() throws {
        for stub in try Self.stubs(2_000) {
            let json = stub.model.json()
            do {
                let read = Stub(try SDStubModel.StubMapping(json: try JSONValue(parsing: json.compactText)))
                if read != stub {
                    Issue.record("seed \(Self.seed): \(json.compactText) is read as \(read.model.json().compactText)")
                }
            } catch {
                Issue.record("seed \(Self.seed): \(error) in \(json.compactText)")
            }
        }
    }

    @Test func aStubComesBackFromTheDaemonAsItWasSent() async throws {
        let mock = try await MockServer.launch()
        let stubs = try Self.stubs(300)
        for stub in stubs {
            do {
                try await mock.stub(stub)
            } catch {
                Issue.record("seed \(Self.seed): \(error) about \(stub.model.json().compactText)")
            }
        }
        let kept = Dictionary(try await mock.stubs.map { ($0.id, $0) }) { first, _ in first }
        for stub in stubs where kept[stub.id] != stub {
            let json = kept[stub.id]?.model.json().compactText ?? "nothing"
            Issue.record("seed \(Self.seed): \(stub.model.json().compactText) came back as \(json)")
        }
        #expect(kept.count == stubs.count)
        try await mock.end()
    }
}
