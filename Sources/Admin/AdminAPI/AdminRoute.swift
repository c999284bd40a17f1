import SDHTTPMessages
import SDMockEngine

/// A row of the admin API's table: a method, a path below `/__admin`, and its handler.
struct AdminRoute: Sendable {
    let method: String
    /// The path below `/__admin`, as passed to `init`.
    let path: String
    let answer: @Sendable (AdminCall) throws(AdminError) -> AdminAnswer
    /// The kind of the handler's work.
    private(set) var work = Work.short
    /// The names of its query parameters; nil if any are allowed.
    private(set) var parameters: [String]? = []

    /// How replicas handle it; nil for the default of its method.
    private var sharingSet: Sharing?
    var sharing: Sharing { sharingSet ?? (method == "GET" ? .own : .change) }

    /// Whether the answer is useful without the other replicas: it lists what exists, and counts nothing.
    private(set) var isOfOwnUse = false
    /// Whether the answer covers all sessions.
    private(set) var readsAllSessions = false

    /// The members whose values are added up when replicas' answers are merged, at any depth.
    private(set) var sums: Set<String> = []
    /// Whether messages are newest first in a merged answer.
    private(set) var isNewestFirst = false

    /// How a call is handled by replicas.
    enum Sharing: Sendable {
        /// The replica that is asked answers for itself.
        case own
        /// The handler itself coordinates the replicas.
        case byHandler
        /// A change, which all replicas make.
        case change
        /// A change of recorded requests: all replicas make it, each after getting all requests.
        case changeOfJournal
        /// Acts on open answers or readers on all replicas; the answers are merged.
        case actOnAll
        /// Reads live state of all replicas; the answers are merged.
        case readAll
        /// Reads recorded requests: the replica gets those of all others first.
        case reading
        /// Reads or changes state or collections, which requests also change: done by the replica that is asked, under
        /// the shared lock.
        case data
    }

    /// A kind of work, by how long it may take.
    enum Work: Sendable {
        /// Long only if the call's body is.
        case short
        /// Reads or examines stubs or requests: long if they are many or large.
        case reading
        /// Matches: even a small request may use the whole budget.
        case matching
        /// Visits all sessions: long if there are many.
        case allSessions
    }

    /// Makes a route.
    /// - Parameters:
    ///   - path: such as `/mappings/{id}`; a segment in braces accepts any text. A final `**` accepts one or more
    ///     segments, as the parameter `0`.
    ///   - answer: answers a call; a thrown error becomes the answer.
    init(
        _ method: String, _ path: String, _ answer: @escaping @Sendable (AdminCall) throws(AdminError) -> PlainResponse
    ) {
        self.init(method, path, later: { call throws(AdminError) in .now(try answer(call)) })
    }

    /// Makes a route that may answer later.
    init(
        _ method: String, _ path: String,
        later answer: @escaping @Sendable (AdminCall) throws(AdminError) -> AdminAnswer
    ) {
        self.method = method
        self.path = path
        self.answer = answer
        sharingSet = nil
    }

    /// The segments of the path.
    var pattern: [String] { Self.segments(of: path) }

    /// The segments of a path, without empty ones.
    static func segments(of path: String) -> [String] {
        path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    }

    /// A copy whose handler runs off the loop if there is much to read or examine.
    var heavy: AdminRoute { taking(.reading) }

    /// A copy whose handler always runs off the loop, because it matches.
    var matching: AdminRoute { taking(.matching) }

    /// A copy whose handler runs off the loop if there are many sessions.
    var forAllSessions: AdminRoute { taking(.allSessions) }

    /// A copy that accepts these query parameters.
    func query(_ names: String...) -> AdminRoute {
        var route = self
        route.parameters = names
        return route
    }

    /// A copy that accepts any query, like a page for people.
    var anyQuery: AdminRoute {
        var route = self
        route.parameters = nil
        return route
    }

    /// A copy that each replica answers for itself.
    var own: AdminRoute { shared(.own) }

    /// A copy whose handler coordinates replicas.
    var byHandler: AdminRoute { shared(.byHandler) }

    /// A copy that reads recorded requests.
    var reading: AdminRoute { shared(.reading) }

    /// A copy that reads recorded requests of all sessions.
    var readingAllSessions: AdminRoute {
        var route = reading
        route.readsAllSessions = true
        return route
    }

    /// A copy that reads recorded requests, and is useful without the other replicas.
    var readingWhatIsKnown: AdminRoute { reading.ofOwnUse }

    /// A copy whose answer is useful without the other replicas.
    var ofOwnUse: AdminRoute {
        var route = self
        route.isOfOwnUse = true
        return route
    }

    /// A copy that changes recorded requests.
    var changingJournal: AdminRoute { shared(.changeOfJournal) }

    /// A copy that reads or acts on live state of all replicas.
    var ofAll: AdminRoute { shared(method == "GET" ? .readAll : .actOnAll) }

    /// The same, adding up these members of the replicas' answers.
    func ofAll(adding names: String...) -> AdminRoute {
        var route = ofAll
        route.sums = Set(names)
        return route
    }

    /// A copy that asks all replicas, whatever its method, and adds up these members.
    func askingAll(adding names: String...) -> AdminRoute {
        var route = shared(.readAll)
        route.sums = Set(names)
        return route
    }

    /// A copy whose merged answer has messages newest first.
    var newestFirst: AdminRoute {
        var route = self
        route.isNewestFirst = true
        return route
    }

    /// A copy that reads or changes state or collections.
    var data: AdminRoute { shared(.data) }

    private func shared(_ sharing: Sharing) -> AdminRoute {
        var route = self
        route.sharingSet = sharing
        return route
    }

    private func taking(_ work: Work) -> AdminRoute {
        var route = self
        route.work = work
        return route
    }

    /// The values of the path's variables; nil if the path does not match. Compares without splitting, because the
    /// first call, often a readiness check, is compared with most routes.
    func match(_ segments: [String]) -> [String: String]? {
        var parameters: [String: String] = [:]
        var rest = path == "/" ? "".utf8[...] : path.utf8[...]
        for (number, actual) in segments.enumerated() {
            guard rest.popFirst() != nil else { return nil }
            let expected = rest.prefix { $0 != UInt8(ascii: "/") }
            rest = rest[expected.endIndex...]
            if expected.elementsEqual("**".utf8) {
                parameters["0"] = segments[number...].joined(separator: "/")
                return parameters
            } else if expected.first == UInt8(ascii: "{") {
                parameters[String(Substring(expected.dropFirst().dropLast()))] = actual
            } else if !expected.elementsEqual(actual.utf8) {
                return nil
            }
        }
        return rest.isEmpty ? parameters : nil
    }
}
