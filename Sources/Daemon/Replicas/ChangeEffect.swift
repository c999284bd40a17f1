import SDAdminAPI
import SDHTTPMessages
import SDJSON
import SDMockEngine

/// What a change does to those before and after it in the log.
struct ChangeEffect: Sendable, Equatable {
    /// The subject of a change.
    enum Subject: Sendable, Hashable {
        case stubs, settings, scenarios, state, faults, files, resets, others
        /// Stubs that may be saved, which a reset keeps.
        case savedStubs
        /// Removals of stubs, which a reset keeps removed.
        case removals
    }

    enum Action: Sendable, Equatable {
        /// Acts on current state or past requests; a replica that joins does not need it.
        case momentary
        case begins(session: String)
        case ends(session: String)
        case endsAll
        /// Undoes earlier changes of its session. `leavesNothing` tells whether the change itself is then unnecessary.
        case undoes(Set<Subject>, leavesNothing: Bool)
        /// Sets a value, whatever it was.
        case sets(String)
        /// Creates or removes one thing; after its removal, only the state before its creation is left.
        case creates(String)
        case removes(String)
        /// Makes all current stubs saved ones.
        case saves
        case adds
    }

    struct Key: Hashable {
        let session: String?
        let name: String
    }

    /// The session that it changes; nil for the default one.
    var session: String?
    var subject: Subject
    var action: Action

    /// The id of a stub, if it comes first in its document; the rest is not parsed, since it may be long.
    private static func id(in document: [UInt8]) -> String? {
        let parts = document.prefix(128).split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
        if parts.count > 4, parts[1].elementsEqual("id".utf8), parts[0].first == UInt8(ascii: "{") {
            return String(decoding: parts[3], as: UTF8.self)
        }
        return (try? JSONValue(parsing: document))?.objectValue?["id"]?.stringValue
    }

    /// - Parameters:
    ///   - number: the number of the session that it creates.
    ///   - answer: the answer here, which is the same on all replicas.
    init(of call: ReplicatedCall, number: UInt64?, answer: PlainResponse? = nil) {
        session = call.session
        let path = call.url.prefix { $0 != "?" }.split(separator: "/").dropFirst().map(String.init)
        let (method, first, second, last) = (call.method, path.first, path.dropFirst().first, path.last)
        switch (method, first) {
        case ("POST", "sessions"):
            (subject, action) = (.others, number.map { .begins(session: SessionID(number: $0).text) } ?? .adds)
        case ("DELETE", "sessions") where path.count == 1:
            (subject, action) = (.others, call.session == nil ? .endsAll : .momentary)
        case ("DELETE", "sessions") where path.count == 2:
            (subject, action) = (.others, .ends(session: (second ?? "").lowercased()))
        case ("POST", "reset"):
            // The last reset stays: the names of shared decisions contain its number.
            (subject, action) = (.resets, .undoes([.stubs, .scenarios, .state, .resets], leavesNothing: false))
        case ("POST", "mappings") where second == "reset":
            (subject, action) = (.resets, .undoes([.stubs, .scenarios, .resets], leavesNothing: false))
        case ("POST", "mappings") where second == "save": (subject, action) = (.savedStubs, .saves)
        case ("DELETE", "mappings") where path.count == 1:
            (subject, action) = (.removals, .undoes([.stubs, .savedStubs], leavesNothing: false))
        case ("PUT", "mappings") where path.count == 2:
            (subject, action) = (Self.stubs(of: call), .sets("mapping \(second ?? "")"))
        case ("DELETE", "mappings") where path.count == 2:
            (subject, action) = (.removals, .removes("mapping \(second ?? "")"))
        case ("DELETE", "mappings"),
            ("POST", "mappings") where second?.hasPrefix("remove") == true:
            (subject, action) = (.removals, .adds)
        case ("POST", "recordings") where answer.map({ $0.status >= 300 }) ?? false:
            (subject, action) = (.others, .momentary)
        case ("POST", "recordings") where second == "snapshot": (subject, action) = (Self.stubs(of: call), .adds)
        case ("POST", "recordings"): (subject, action) = (.others, .sets("recording"))
        case ("POST", "mappings") where path.count == 1 && answer?.status == 201:
            let id = answer.flatMap { Self.id(in: $0.body) }
            (subject, action) = (Self.stubs(of: call), id.map { .creates("mapping \($0)") } ?? .adds)
        case (_, "mappings"): (subject, action) = (Self.stubs(of: call), .adds)
        case ("PUT", "settings"), ("POST", "settings"): (subject, action) = (.settings, .sets("settings"))
        case (_, "settings"): (subject, action) = (.settings, .adds)
        case (_, "scenarios") where path.count > 2: (subject, action) = (.scenarios, .sets("scenario \(second ?? "")"))
        case (_, "scenarios"): (subject, action) = (.scenarios, .undoes([.scenarios], leavesNothing: false))
        case ("DELETE", "state") where path.count == 1:
            (subject, action) = (.others, .undoes([.state], leavesNothing: true))
        case (_, "state"), (_, "state-extension"), (_, "data"): (subject, action) = (.state, .adds)
        case ("DELETE", "faults") where path.count == 1:
            (subject, action) = (.others, .undoes([.faults], leavesNothing: true))
        case (_, "faults"): (subject, action) = (.faults, .adds)
        case (_, "files"): (subject, action) = (.files, .sets("file " + path.dropFirst().joined(separator: "/")))
        case ("POST", "gates") where last == "open" || last == "close":
            (subject, action) = (.others, .sets("gate " + (second ?? "")))
        default: (subject, action) = (.others, .momentary)
        }
    }

    /// The subject of a call that adds or changes stubs.
    private static func stubs(of call: ReplicatedCall) -> Subject { call.mayPersist ? .savedStubs : .stubs }
}
