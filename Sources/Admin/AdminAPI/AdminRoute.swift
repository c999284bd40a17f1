import SDHTTPMessages
import SDMockEngine

/// A row of the admin API's table: a method, a path below `/__admin`, and its handler.
struct AdminRoute: Sendable {
    let method: String
    let pattern: [String]
    let answer: @Sendable (AdminCall) throws(AdminError) -> AdminAnswer
    /// The kind of the handler's work.
    private(set) var work = Work.short

    /// A kind of work, by how long it may take.
    enum Work: Sendable {
        case short
        /// Reads or examines stubs or requests: long where they are many or large.
        case reading
        /// Matches: even one small request may spend the whole budget.
        case matching
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
        pattern = Self.segments(of: path)
        self.answer = answer
    }

    /// The segments of a path, without empty ones. Bytes are compared, because the first call splits the paths of all
    /// routes, and is often the question whether the daemon is ready.
    static func segments(of path: String) -> [String] {
        path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    }

    /// A copy of the route whose handler runs beside the loop when there is much to read or to examine.
    var heavy: AdminRoute { taking(.reading) }

    /// A copy of the route whose handler always runs beside the loop, because it matches.
    var matching: AdminRoute { taking(.matching) }

    private func taking(_ work: Work) -> AdminRoute {
        var route = self
        route.work = work
        return route
    }

    /// The values of the variables; nil if the path does not match.
    func match(_ segments: [String]) -> [String: String]? {
        let isOpen = pattern.last == "**"
        guard isOpen ? segments.count >= pattern.count : segments.count == pattern.count else { return nil }
        var parameters: [String: String] = [:]
        for (expected, actual) in zip(pattern, segments) {
            if expected == "**" {
                parameters["0"] = segments.dropFirst(pattern.count - 1).joined(separator: "/")
            } else if expected.hasPrefix("{") {
                parameters[String(expected.dropFirst().dropLast())] = actual
            } else if expected != actual {
                return nil
            }
        }
        return parameters
    }
}
