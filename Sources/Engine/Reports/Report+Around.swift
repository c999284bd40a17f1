import SDBasics
package import SDJSON
public import SDStubModel

/// What went on around the requests of a session, and fails no verdict.
extension Report {
    /// Requests of one method and URL that came while a session was open, to the server through which it was begun: they do
    /// not say whose they are, and may have been meant for it.
    public struct Stray: Sendable {
        public var method: String
        public var url: String
        public var count: Int
        /// The server's own stub that answered; nil if none did.
        public var stub: StubReference?
        /// Whether nothing answered.
        public var isUnmatched: Bool

        public init(method: String, url: String, count: Int, stub: StubReference?, isUnmatched: Bool) {
            self.method = method
            self.url = url
            self.count = count
            self.stub = stub
            self.isUnmatched = isUnmatched
        }

        package func answer(in folder: String?) -> String {
            isUnmatched ? "nothing answered" : stub.map { "answered by \($0.text(in: folder))" } ?? "answered"
        }
    }

    /// The members of both kinds; none where there is nothing of one.
    package var jsonAround: JSONObject {
        var json: JSONObject = [:]
        if strayCount > 0 {
            json["withoutIdentityCount"] = .number(JSONNumber(strayCount))
            json["withoutIdentity"] = .array(strays.map(\.json))
        }
        if refusedCount > 0 {
            json["refusedCount"] = .number(JSONNumber(refusedCount))
            json["refusals"] = .array(refusals.map { $0.json(in: folder) })
        }
        return json
    }

    package static let straysTitle = "Came while this test ran, without the identity of a test"
}

extension Report.Stray {
    fileprivate var json: JSONValue {
        var json: JSONObject = [
            "method": .string(method), "url": .string(url), "count": .number(JSONNumber(count)),
            "matched": .bool(!isUnmatched),
        ]
        json["stub"] = stub.map { .object($0.json) }
        return .object(json)
    }
}
