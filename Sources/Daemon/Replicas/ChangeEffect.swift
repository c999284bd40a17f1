import SDAdminAPI
import SDHTTPMessages
import SDJSON
import SDMockEngine

/// What a change means for those before and after it.
struct ChangeEffect: Sendable, Equatable {
    /// What a change is about.
    enum Subject: Sendable, Hashable {
        case stubs, settings, scenarios, state, faults, files, resets, others
    }

    enum Action: Sendable, Equatable {
        /// Acts on what is under way, or on requests that were made; it means nothing to one that joins.
        case momentary
        case begins(session: String)
        case ends(session: String)
        case endsAll
        /// Undoes what earlier changes of its session did; whether nothing is left of it then.
        case undoes(Set<Subject>, leavesNothing: Bool)
        /// Sets one thing, whatever it was.
        case sets(String)
        /// Makes one thing, and unmakes it: nothing is left of it but what was there before.
        case creates(String)
        case removes(String)
        case adds
    }

    struct Key: Hashable {
        let session: String?
        let name: String
    }

    /// The session that it changes; nil for the first.
    var session: String?
    var subject: Subject
    var action: Action

    /// - Parameters:
    ///   - number: that of the session which it begins.
    ///   - answer: what it was answered here, as everywhere.
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
            // The last one stays: what is decided together has its number.
            (subject, action) = (.resets, .undoes([.stubs, .scenarios, .state, .resets], leavesNothing: false))
        case ("POST", "mappings") where second == "reset":
            (subject, action) = (.resets, .undoes([.stubs, .scenarios, .resets], leavesNothing: false))
        case ("DELETE", "mappings") where path.count == 1:
            (subject, action) = (.stubs, .undoes([.stubs], leavesNothing: false))
        case ("PUT", "mappings") where path.count == 2:
            (subject, action) = (.stubs, .sets("mapping \(second ?? "")"))
        case ("DELETE", "mappings") where path.count == 2:
            (subject, action) = (.stubs, .removes("mapping \(second ?? "")"))
        case ("POST", "mappings") where path.count == 1 && answer?.status == 201:
            let id = answer.flatMap { try? JSONValue(parsing: $0.body) }?.objectValue?["id"]?.stringValue
            (subject, action) = (.stubs, id.map { .creates("mapping \($0)") } ?? .adds)
        case (_, "mappings"): (subject, action) = (.stubs, .adds)
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
}
