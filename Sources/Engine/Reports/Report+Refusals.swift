import SDBasics
public import SDJSON
public import SDStubModel

/// Refusals for a reason that precedes or is independent of any stub.
extension Report {
    /// A kind of refusal, and how often it occurred.
    public struct Refusal: Sendable {
        public enum Kind: String, Sendable {
            /// A page's preflight to another origin.
            case preflight
            /// An answer that the browser withholds from its page.
            case answer
            /// A TLS handshake.
            case handshake
            /// A tunnel through the server as a proxy: CONNECT.
            case tunnel
            /// A request for an ended or unknown session.
            case session
            /// A message that no message stub answered.
            case message

            /// Whether it counts as an unmatched request.
            package var isUnmatched: Bool { self == .session || self == .message }
        }

        /// The child session of the refusal; nil for the report's own.
        public var test: Test?
        public var kind: Kind
        /// The origin of the page, the host, the id of the session, or the path of the channel.
        public var subject: String
        /// The reason as a clause.
        public var reason: String
        /// The location of the key that refused it; nil if that is in no file.
        public var place: FileLocation?
        public var count: Int
        /// The message stub nearest to an unanswered message.
        public var nearest: NearestMessageStub?

        public init(
            _ kind: Kind, _ subject: String, _ reason: String, at place: FileLocation? = nil, of test: Test? = nil
        ) {
            self.kind = kind
            self.subject = subject.withoutUser
            self.reason = reason
            self.place = place
            self.test = test
            count = 1
        }

        /// The whole refusal as text.
        /// - Parameter folder: the prefix of the file's path.
        public func text(in folder: String?) -> String {
            let text =
                switch kind {
                case .preflight: "a page of \(subject) \(reason)"
                case .answer: "the browser will not show this answer to a page of \(subject): \(reason)"
                case .handshake: "HTTPS for \(subject): \(reason)"
                case .tunnel: "a tunnel to \(subject): \(reason)"
                case .session: "a request for the session \(subject): \(reason)"
                case .message: "a message on \(subject): \(reason)"
                }
            return text + (place.map { " (\($0.text(in: folder)))" } ?? "")
                + (nearest.map { ". Nearest: \($0.stub.text(in: folder)). \($0.change)" } ?? "")
        }

        public func json(in folder: String?) -> JSONValue {
            let name =
                switch kind {
                case .preflight, .answer: "origin"
                case .handshake, .tunnel: "host"
                case .session: "session"
                case .message: "channel"
                }
            var json: JSONObject = [
                "kind": .string(kind.rawValue), name: .string(subject), "reason": .string(reason),
                "text": .string(text(in: folder)), "count": .number(JSONNumber(count)),
            ]
            if let place {
                json["file"] = .string(FileLocation(file: place.file, line: nil).text(in: folder))
                json["line"] = place.line.map { .number(JSONNumber($0)) }
            }
            if let nearest {
                var stub = nearest.stub.json
                if let file = nearest.stub.file {
                    stub["file"] = .string(FileLocation(file: file, line: nil).text(in: folder))
                }
                json["nearestStub"] = .object(stub)
                json["smallestChange"] = .string(nearest.change)
            }
            if let test {
                if kind != .session { json["session"] = .string(test.id) }
                json["test"] = .string(test.label)
            }
            return .object(json)
        }
    }

    /// The message stub nearest to a message that none answered.
    public struct NearestMessageStub: Sendable {
        public var stub: StubReference
        /// The smallest change with which it would act, without a full stop.
        public var change: String

        public init(stub: StubReference, change: String) {
            self.stub = stub
            self.change = change
        }
    }

    package static let refusalsTitle = "Refused"

    /// The number of refusals as text; nil for none. Refused requests are not answered.
    package var refusedText: String? { refusedCount > 0 ? "\(refusedCount) refused" : nil }

    /// A rule that answers or refuses instead of a stub, such as the key `cors`.
    public struct Rule: Sendable, Hashable {
        /// Its effect, such as "answered by `cors`".
        public var text: String
        /// Its location; nil if it is in no file.
        public var place: FileLocation?

        public init(_ text: String, at place: FileLocation? = nil) {
            self.text = text
            self.place = place
        }

        /// Effect and location, such as "answered by `cors` at shop.yaml:1".
        /// - Parameter folder: the prefix of the file's path.
        public func text(in folder: String?) -> String {
            text + (place.map { " at \($0.text(in: folder))" } ?? "")
        }
    }
}
