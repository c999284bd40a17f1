import SDAnswering
import SDHTTPTransport
import SDJSON
import SDJournal
import SDMockEngine

extension StreamStatus {
    /// The stream in the answers of `/streams`.
    /// - Parameter most: the maximum number of readers listed.
    func json(of session: Session, most: Int) -> JSONValue {
        let (ids, redaction) = (session.eventIDs, session.redaction)
        return [
            "name": .string(name), "readers": number(readers.count), "sent": number(sent),
            "requests": .array(
                readers.prefix(most).map { reader in
                    var json = reader.event.summaryJSON(ids, redaction)
                    json["ageMs"] = number(reader.age / 1_000_000)
                    json["pendingBytes"] = number(reader.pendingBytes)
                    return .object(json)
                }),
        ]
    }
}
