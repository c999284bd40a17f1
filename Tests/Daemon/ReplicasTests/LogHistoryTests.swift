import SDAdminAPI
import Testing

@testable import SDReplicas

/// What stays in the log of changes for a replica that joins.
@Suite struct LogHistoryTests {
    /// The calls that stay, of some in their order.
    private func kept(_ calls: [String]) -> [String] {
        var history = LogHistory()
        for (index, call) in calls.enumerated() {
            let words = call.split(separator: " ").map(String.init)
            var place = LogPlace()
            place.milliseconds = UInt64(index + 1)
            let effect = ChangeEffect(
                of: ReplicatedCall(
                    method: words[0], url: "/__admin/" + words[1], session: words.count > 2 ? words[2] : nil,
                    fields: [],
                    body: [], isSecure: false, time: 0, needsJournal: false), number: nil)
            history.append(LogHistory.Entry(place: place, number: nil, bytes: [], effect: effect))
        }
        let void = Set(history.void.map(\.milliseconds))
        return calls.enumerated().filter { !void.contains(UInt64($0.offset + 1)) }.map(\.element)
    }

    /// The numbers of these changes name what replicas decide together, so one that joins has to make them, too.
    @Test(arguments: [
        (
            ["POST mappings", "POST reset", "POST mappings", "POST reset", "POST mappings"],
            ["POST reset", "POST mappings"]
        ),
        (["POST reset", "POST mappings/reset"], ["POST mappings/reset"]),
        (["POST reset", "DELETE mappings", "POST mappings"], ["POST reset", "DELETE mappings", "POST mappings"]),
        (["POST reset", "POST reset s1"], ["POST reset", "POST reset s1"]),
        (
            ["PUT scenarios/S/state", "PUT scenarios/T/state", "PUT scenarios/S/state"],
            ["PUT scenarios/T/state", "PUT scenarios/S/state"]
        ),
        (["PUT scenarios/S/state", "POST scenarios/reset", "POST scenarios/reset"], ["POST scenarios/reset"]),
        (["POST scenarios/reset", "POST reset"], ["POST reset"]),
    ])
    func theLastResetAndTheLastStateOfAScenarioStay(calls: [String], expected: [String]) {
        #expect(kept(calls) == expected)
    }
}
