import SDBasics
package import SDJSON
public import SDStubModel

/// Activity around the requests of a session; it does not affect the verdict.
extension Report {
    /// Requests of one method and URL to the parent server while a session was open: they name no session, and may have
    /// been meant for it.
    public struct Stray: Sendable {
        public var method: String
        public var url: String
        public var count: Int
        /// The parent's stub that answered; nil for none.
        public var stub: StubReference?
        /// Whether the requests were unmatched.
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

    /// The JSON members of both kinds, without empty ones.
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
