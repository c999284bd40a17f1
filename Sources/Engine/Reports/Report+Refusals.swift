import SDBasics
public import SDJSON
public import SDStubModel

/// What clients did not get for a reason that lies before any stub, or beside it.
extension Report {
    /// Something that was refused, with how often.
    public struct Refusal: Sendable {
        public enum Kind: String, Sendable {
            /// A page that asked whether it may send a request to another origin.
            case preflight
            /// An answer that a browser does not show to the page that asked for it.
            case answer
            /// A connection of HTTPS.
            case handshake
            /// A tunnel through the server as a proxy: CONNECT.
            case tunnel
            /// A request for a session that has ended or never was.
            case session
        }

        /// The begun session that it is of; nil for the report's own.
        public var test: Test?
        public var kind: Kind
        /// The origin of the page, the host, or the id of the session.
        public var subject: String
        /// Why, a clause.
        public var reason: String
        /// Where the key stands by which it was refused; nil if that is in no file.
        public var place: FilePlace?
        public var count: Int

        public init(
            _ kind: Kind, _ subject: String, _ reason: String, at place: FilePlace? = nil, of test: Test? = nil
        ) {
            self.kind = kind
            self.subject = subject.withoutUser
            self.reason = reason
            self.place = place
            self.test = test
            count = 1
        }

        /// The whole of it in words.
        /// - Parameter folder: the beginning of the file's path.
        public func text(in folder: String?) -> String {
            let text =
                switch kind {
                case .preflight: "a page of \(subject) \(reason)"
                case .answer: "the browser will not show this answer to a page of \(subject): \(reason)"
                case .handshake: "HTTPS for \(subject): \(reason)"
                case .tunnel: "a tunnel to \(subject): \(reason)"
                case .session: "a request for the session \(subject): \(reason)"
                }
            return text + (place.map { " (\($0.text(in: folder)))" } ?? "")
        }

        public func json(in folder: String?) -> JSONValue {
            let name =
                switch kind {
                case .preflight, .answer: "origin"
                case .handshake, .tunnel: "host"
                case .session: "session"
                }
            var json: JSONObject = [
                "kind": .string(kind.rawValue), name: .string(subject), "reason": .string(reason),
                "text": .string(text(in: folder)), "count": .number(JSONNumber(count)),
            ]
            if let place {
                json["file"] = .string(FilePlace(file: place.file, line: nil).text(in: folder))
                json["line"] = place.line.map { .number(JSONNumber($0)) }
            }
            if let test {
                if kind != .session { json["session"] = .string(test.id) }
                json["test"] = .string(test.label)
            }
            return .object(json)
        }
    }

    package static let refusalsTitle = "Refused"

    /// The number of refusals, where there are any: what is refused is not answered.
    package var refusedText: String? { refusedCount > 0 ? "\(refusedCount) refused" : nil }

    /// What answers or refuses in place of a stub, such as the key `cors`.
    public struct Rule: Sendable, Hashable {
        /// What it does, such as "answered by `cors`".
        public var text: String
        /// Where it stands; nil if that is in no file.
        public var place: FilePlace?

        public init(_ text: String, at place: FilePlace? = nil) {
            self.text = text
            self.place = place
        }

        /// All of it, such as "answered by `cors` at shop.yaml:1".
        /// - Parameter folder: the beginning of the file's path.
        public func text(in folder: String?) -> String {
            text + (place.map { " at \($0.text(in: folder))" } ?? "")
        }
    }
}
