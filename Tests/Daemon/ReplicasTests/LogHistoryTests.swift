import SDAdminAPI
import Testing

@testable import SDReplicas

/// What stays in the log of changes for a replica that joins.
@Suite struct LogHistoryTests {
    /// The calls that stay, of some in their order.
    private func kept(_ calls: [String]) -> [String] {
        var history = LogHistory()
        for (index, call) in calls.enumerated() {
            var words = call.split(separator: " ").map(String.init)
            let isSaved = words.last == "saved"
            if isSaved { words.removeLast() }
            var place = LogPosition()
            place.milliseconds = UInt64(index + 1)
            let effect = ChangeEffect(
                of: ReplicatedCall(
                    method: words[0], url: "/__admin/" + words[1], session: words.count > 2 ? words[2] : nil,
                    fields: [], body: isSaved ? Array(#"{"persistent": true}"#.utf8) : [], isSecure: false, time: 0,
                    needsJournal: false), number: nil)
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

    /// Saved stubs stay through a reset, also for one that joins and has no file of them.
    @Test(arguments: [
        (
            ["POST mappings saved", "POST mappings", "PUT mappings/1", "POST reset"],
            ["POST mappings saved", "POST reset"]
        ),
        (
            ["POST mappings", "POST mappings/save", "POST mappings", "POST mappings/reset"],
            ["POST mappings", "POST mappings/save", "POST mappings/reset"]
        ),
        (["POST mappings saved", "DELETE mappings", "POST reset"], ["DELETE mappings", "POST reset"]),
        (["POST mappings", "POST mappings/save", "DELETE mappings"], ["DELETE mappings"]),
        (
            ["POST mappings saved", "DELETE mappings/1", "POST mappings/remove", "POST reset"],
            ["POST mappings saved", "DELETE mappings/1", "POST mappings/remove", "POST reset"]
        ),
        (["POST mappings", "DELETE mappings/1", "POST mappings/remove", "POST reset"], ["POST reset"]),
        (
            ["PUT mappings/1 saved", "PUT mappings/1 saved", "PUT mappings/1", "POST reset"],
            ["PUT mappings/1 saved", "POST reset"]
        ),
    ])
    func savedStubsStayThroughAReset(calls: [String], expected: [String]) {
        #expect(kept(calls) == expected)
    }

    /// One that joins records if the others do.
    @Test func theLastOfARecordingStays() {
        #expect(kept(["POST recordings/start", "POST recordings/stop"]) == ["POST recordings/stop"])
        #expect(
            kept(["POST recordings/start", "POST recordings/stop", "POST recordings/start", "POST reset"])
                == ["POST recordings/start", "POST reset"])
        #expect(kept(["POST recordings/snapshot", "POST recordings/snapshot saved", "POST reset"]).count == 2)
    }
}
