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
    /// A webhook that could not be sent, was refused or answered with 400 or more, or is still to be sent.
    case webhook
    /// An answer that broke off: the client left, or the server whose answer was passed on.
    case aborted
    /// An answer that took longer than a time that is named with it.
    case slow
    /// A request or an answer that an OpenAPI document does not allow.
    case contract

    /// The word in a list; that of `slow` has a time behind it.
    static let words = allCases.map { $0 == .slow ? "slow>TIME" : $0.rawValue }
}

/// What makes a verdict bad: some reasons, and the time beyond which an answer is slow.
public struct FailOn: Sendable, Hashable {
    /// The reasons in the order of `FailReason`, each once.
    public let reasons: [FailReason]
    /// Answers that take longer, in milliseconds, are slow; nil unless `slow` is among the reasons.
    public let slowLimit: Int?

    /// What counts where nothing is named.
    public static let usual = FailOn([.unmatched, .error])
    public static let none = FailOn([])

    /// - Parameter slowLimit: the milliseconds of `slow`; of no meaning without it.
    public init(_ reasons: some Sequence<FailReason>, slowLimit: Int? = nil) {
        let named = Set(reasons)
        self.reasons = FailReason.allCases.filter { named.contains($0) && ($0 != .slow || slowLimit != nil) }
        self.slowLimit = named.contains(.slow) ? slowLimit : nil
    }

    /// Reads a list such as `unmatched,slow>1s`; `none` stands for no reason.
    /// - Throws: what is wrong with it.
    public init(reading text: String) throws(FailReasonProblem) {
        let words = text.split(separator: ",", omittingEmptySubsequences: false).map { Self.trimmed($0) }
        if words == ["none"] {
            self = .none
            return
        }
        var named: [FailReason] = []
        var seen: Set<FailReason> = []
        var limit: Int?
        for word in words {
            let parts = word.split(separator: ">", maxSplits: 1, omittingEmptySubsequences: false)
            guard let reason = FailReason(rawValue: Self.trimmed(parts.first ?? "")) else {
                throw FailReasonProblem(found: word)
            }
            guard (parts.count == 2) == (reason == .slow) else { throw FailReasonProblem(found: word, reason) }
            if parts.count == 2 {
                guard let time = Self.milliseconds(Self.trimmed(parts[1])) else {
                    throw FailReasonProblem(found: word, reason)
                }
                limit = time
            }
            guard seen.insert(reason).inserted else { throw FailReasonProblem(found: text, reason, isTwice: true) }
            named.append(reason)
        }
        self.init(named, slowLimit: limit)
    }

    /// The words of the list, as it is read.
    public var words: [String] {
        reasons.isEmpty
            ? ["none"] : reasons.map { $0 == .slow ? "slow>\(slowLimit ?? 0)ms" : $0.rawValue }
    }

    public func contains(_ reason: FailReason) -> Bool { reasons.contains(reason) }

    /// The list with another reason.
    public func adding(_ reason: FailReason) -> FailOn { FailOn(reasons + [reason], slowLimit: slowLimit) }

    private static func trimmed(_ text: some StringProtocol) -> String {
        var rest = text[...].drop { $0 == " " }
        while rest.last == " " { rest.removeLast() }
        return String(rest)
    }

    /// A time such as `1s`, `1.5s`, `250ms` or `2m`; nil for anything else.
    private static func milliseconds(_ text: String) -> Int? {
        let digits = text.prefix { $0.isASCII && $0.isNumber || $0 == "." }
        let units = ["ms": 1.0, "s": 1000, "m": 60_000, "h": 3_600_000]
        guard let number = Double(digits), number.isFinite, number >= 0,
            let unit = units[trimmed(text[digits.endIndex...])], number * unit < 1e15
        else { return nil }
        return Int((number * unit).rounded())
    }
}

extension FailOn: ExpressibleByArrayLiteral {
    public init(arrayLiteral reasons: FailReason...) { self.init(reasons) }
}

/// A word that is no reason.
public struct FailReasonProblem: Error, Sendable, Equatable {
    public let found: String
    /// The reason that is meant, where it is known.
    private let reason: FailReason?
    /// Whether the reason is in the list already.
    private let isTwice: Bool

    public init(found: String, _ reason: FailReason? = nil, isTwice: Bool = false) {
        self.found = found
        self.reason = reason
        self.isTwice = isTwice
    }

    /// What is valid in its place.
    public var expected: String {
        switch reason {
        case let reason? where isTwice:
            "each reason once, and \(reason.rawValue) comes twice"
                + (reason == .slow ? ": the shortest time will do" : "")
        case nil: "a list of \(FailReason.words.joined(separator: ", ")), or none"
        case .slow: "slow with a time, such as 'slow>1s', in quotes since a shell takes > for itself"
        case let reason?: "\(reason.rawValue) alone: only slow has a time, such as 'slow>1s'"
        }
    }

    /// The nearest reason.
    public var nearest: String? {
        if isTwice { return nil }
        if let reason { return reason == .slow ? "slow>1s" : reason.rawValue }
        let word = String(found.prefix { $0 != ">" })
        let name = meantName(by: word, among: FailReason.allCases.map(\.rawValue))
        return name == FailReason.slow.rawValue ? "slow>1s" : name
    }
}
