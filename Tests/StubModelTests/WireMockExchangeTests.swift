import JSON
import StubModel
import Testing

@Suite struct WireMockExchangeTests {
    @Test func theRecordingIsThere() {
        #expect(Exchange.all.count >= 60)
    }

    @Test(arguments: Exchange.all)
    func answersAsWireMockDoes(exchange: Exchange) throws {
        let answer = Self.answer(to: exchange.given)
        #expect(answer == Self.comparable(exchange.expected, given: exchange.given), "\(answer.prettyText)")
    }

    static func answer(to given: JSONValue) -> JSONValue {
        do {
            return comparable(try StubMapping(json: given).json(), given: given)
        } catch {
            return ErrorDocument(error).json
        }
    }

    /// Without the ids that are random where none is given.
    static func comparable(_ reply: JSONValue, given: JSONValue) -> JSONValue {
        guard case .object(var object) = reply, object["errors"] == nil else { return reply }
        let isGiven = ["id", "uuid"].contains { given[$0]?.stringValue.map { !$0.isEmpty } ?? false }
        if !isGiven {
            object["id"] = nil
            object["uuid"] = nil
        }
        return .object(object)
    }
}
