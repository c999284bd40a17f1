import SDJSON
import SDStubModel
import SDTestSupport
import Testing

@Suite struct WireMockExchangeTests {
    @Test func theRecordingExists() {
        #expect(Exchange.all.count >= 60)
    }

    @Test(arguments: Exchange.all)
    func answersAsWireMockDoes(exchange: Exchange) throws {
        let answer = Self.answer(to: exchange.given)
        #expect(answer == Self.comparable(exchange.expected, given: exchange.given), "\(answer.prettyText)")
    }

    @Test(arguments: Exchange.all.filter { $0.status == 201 && $0.ours == nil })
    func writesTheMembersInWireMocksOrder(exchange: Exchange) throws {
        let answer = try StubMapping(json: exchange.given).json()
        #expect(answer.objectValue?.keys == exchange.reply.objectValue?.keys)
        for part in ["request", "response"] {
            #expect(answer[part]?.objectValue?.keys == exchange.reply[part]?.objectValue?.keys)
        }
    }

    @Test(arguments: Exchange.all.filter { $0.ours == nil })
    func acceptsAndRefusesWhatWireMockDoes(exchange: Exchange) {
        let isRead = (try? StubMapping(json: exchange.given)) != nil
        #expect(isRead == (exchange.status == 201))
    }

    static func answer(to given: JSONValue) -> JSONValue {
        do {
            return comparable(try StubMapping(json: given).json(), given: given)
        } catch {
            return withoutExplanation(error)
        }
    }

    /// The problems in WireMock's words alone.
    private static func withoutExplanation(_ problems: ModelProblems) -> JSONValue {
        let items = problems.problems.map { problem in
            let pointer = problem.pointer.tokens.isEmpty ? "/" : problem.pointer.text
            var item: JSONObject = [
                "code": .number(JSONNumber(problem.code)), "source": ["pointer": .string(pointer)],
                "title": .string(problem.title),
            ]
            item["detail"] = problem.detail.map { .string($0) }
            return JSONValue.object(item)
        }
        return ["errors": .array(items)]
    }

    /// The reply without random ids, which it has if none was given, and without Jackson's sentences about texts that are
    /// not JSON.
    static func comparable(_ reply: JSONValue, given: JSONValue) -> JSONValue {
        guard case .object(var object) = reply else { return reply }
        if let errors = object["errors"]?.arrayValue {
            let told = errors.map { error in
                guard var item = error.objectValue, JSONComplaint.isOne(item["detail"]?.stringValue ?? "") else {
                    return error
                }
                item["detail"] = nil
                return .object(item)
            }
            return ["errors": .array(told)]
        }
        let isGiven = ["id", "uuid"].contains { given[$0]?.stringValue.map { !$0.isEmpty } ?? false }
        if !isGiven {
            object["id"] = nil
            object["uuid"] = nil
        }
        return .object(object)
    }
}
