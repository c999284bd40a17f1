import SDHTTPMessages
import SDMockEngine

/// A row of the admin API's table: a method, a path below `/__admin`, and its handler.
struct AdminRoute: Sendable {
    let method: String
    /// The path below `/__admin`, as `init` takes it.
    let path: String
    let answer: @Sendable (AdminCall) throws(AdminError) -> AdminAnswer
    /// The kind of the handler's work.
    private(set) var work = Work.short
    /// The names of its query parameters; nil if it takes any.
    private(set) var parameters: [String]? = []

    /// What it means among replicas.
    private var sharingSet: Sharing?
    var sharing: Sharing { sharingSet ?? (method == "GET" ? .own : .change) }

    /// Whether its answer is of use although nothing is known of the other servers: it says what is there, and counts nothing.
    private(set) var isOfOwnUse = false

    /// What a call means where several servers are one.
    enum Sharing: Sendable {
        /// The server that is asked answers for itself.
        case own
        /// Changes something: all of them make it.
        case change
        /// Changes what requests left behind: all of them make it, once each has all requests.
        case changeOfJournal
        /// Acts on answers under way, or readers, of all of them; their answers are made one.
        case actOnAll
        /// Reads what is under way on all of them; their answers are made one.
        case readAll
        /// Reads what requests left behind: the server that is asked first has it of all others.
        case reading
        /// Reads or changes state or collections, which requests change, too: the server that is asked does it while no
        /// other one does.
        case data
    }

    /// A kind of work, by how long it may take.
    enum Work: Sendable {
        /// Long where the call's body is.
        case short
        /// Reads or examines stubs or requests: long where they are many or large.
        case reading
        /// Matches: even one small request may spend the whole budget.
        case matching
        /// Looks at all sessions: long where there are many.
        case allSessions
    }

    /// Makes a route.
    /// - Parameters:
    ///   - path: such as `/mappings/{id}`; a segment in braces accepts any text. `**` at the end accepts one or more
    ///     segments, as the parameter `0`.
    ///   - answer: answers a call; what it throws is answered instead.
    init(
        _ method: String, _ path: String, _ answer: @escaping @Sendable (AdminCall) throws(AdminError) -> PlainResponse
    ) {
        self.init(method, path, later: { call throws(AdminError) in .now(try answer(call)) })
    }

    /// Makes a route whose answer may come later.
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

    /// A copy of the route whose handler runs beside the loop when there is much to read or to examine.
    var heavy: AdminRoute { taking(.reading) }

    /// A copy of the route whose handler always runs beside the loop, because it matches.
    var matching: AdminRoute { taking(.matching) }

    /// A copy of the route whose handler runs beside the loop when there are many sessions.
    var forAllSessions: AdminRoute { taking(.allSessions) }

    /// A copy of the route that takes these query parameters.
    func query(_ names: String...) -> AdminRoute {
        var route = self
        route.parameters = names
        return route
    }

    /// A copy of the route that takes any query, as a page for people does.
    var anyQuery: AdminRoute {
        var route = self
        route.parameters = nil
        return route
    }

    /// A copy of the route that each of several servers answers for itself.
    var own: AdminRoute { shared(.own) }

    /// A copy of the route that reads what requests left behind.
    var reading: AdminRoute { shared(.reading) }

    /// The same, whose answer is of use although nothing is known of the others.
    var readingWhatIsKnown: AdminRoute {
        var route = reading
        route.isOfOwnUse = true
        return route
    }

    /// A copy of the route that changes what requests left behind.
    var changingJournal: AdminRoute { shared(.changeOfJournal) }

    /// A copy of the route that acts on what is under way on all servers, or reads it.
    var ofAll: AdminRoute { shared(method == "GET" ? .readAll : .actOnAll) }

    /// A copy of the route that reads or changes state or collections.
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

    /// The values of the variables; nil if the path does not match. Splits no path, because the first call, often the
    /// question whether the daemon is ready, is compared with most routes.
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
