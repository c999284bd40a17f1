/// A reason for which what a server saw is bad.
public enum FailReason: String, Sendable, Hashable, CaseIterable {
    /// A request that nothing answered.
    case unmatched
    /// A stub that answered nothing.
    case unused
    /// A verification that did not hold, or a stub that was to answer more often than it did.
    case unmet
    /// A fault that acted on an answer or on a connection.
    case fault
    /// A request whose stub could not be served, or a stub file that could not be loaded.
    case error

    /// The reasons that count where none are named.
    public static let usual: [FailReason] = [.unmatched, .error]

    /// Reads a list such as `unmatched,unused`; `none` stands for no reason.
    /// - Returns: the reasons in their order, each once.
    /// - Throws: what is wrong with it.
    public static func list(_ text: String) throws(FailReasonProblem) -> [FailReason] {
        let words = text.split(separator: ",", omittingEmptySubsequences: false).map { word in
            String(word.drop { $0 == " " }.prefix { $0 != " " })
        }
        if words == ["none"] { return [] }
        var named: Set<FailReason> = []
        for word in words {
            guard let reason = FailReason(rawValue: word) else { throw FailReasonProblem(found: word) }
            named.insert(reason)
        }
        return allCases.filter(named.contains)
    }
}

/// A word that is no reason.
public struct FailReasonProblem: Error, Sendable, Equatable {
    public let found: String

    public init(found: String) {
        self.found = found
    }

    /// What is valid in its place.
    public var expected: String { "a list of \(Self.names.joined(separator: ", ")), or none" }

    /// The nearest reason.
    public var nearest: String? { meantName(by: found, among: Self.names) }

    private static var names: [String] { FailReason.allCases.map(\.rawValue) }
}
