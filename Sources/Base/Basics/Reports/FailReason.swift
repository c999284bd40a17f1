/// A reason for a report to fail.
public enum FailReason: String, Sendable, Hashable, CaseIterable {
    /// An unmatched request.
    case unmatched
    /// A stub that answered no request.
    case unused
    /// A failed verification, or a stub that answered less often than expected.
    case unmet
    /// A fault that was applied to an answer or a connection.
    case fault
    /// A request whose stub could not be served, or a stub file that could not be loaded.
    case error
    /// A webhook that could not be sent, got an error or a status of 400 or more, or is still pending.
    case webhook
    /// An aborted answer: the client disconnected, or the proxied server did.
    case aborted
    /// An answer that took longer than the time given with the reason.
    case slow
    /// A request or answer that violates an OpenAPI document.
    case contract

    /// The names for lists; `slow` is followed by a time.
    static let words = allCases.map { $0 == .slow ? "slow>TIME" : $0.rawValue }
}

/// The reasons for a report to fail, and the time limit of `slow`.
public struct FailOn: Sendable, Hashable {
    /// The distinct reasons, in the order of `FailReason`.
    public let reasons: [FailReason]
    /// The maximum time of an answer in milliseconds; nil unless `slow` is among the reasons.
    public let slowLimit: Int?

    /// The default.
    public static let usual = FailOn([.unmatched, .error])
    public static let none = FailOn([])

    /// - Parameter slowLimit: the limit of `slow` in milliseconds; ignored without it.
    public init(_ reasons: some Sequence<FailReason>, slowLimit: Int? = nil) {
        let named = Set(reasons)
        self.reasons = FailReason.allCases.filter { named.contains($0) && ($0 != .slow || slowLimit != nil) }
        self.slowLimit = named.contains(.slow) ? slowLimit : nil
    }

    /// Parses a list such as `unmatched,slow>1s`; `none` is the empty list.
    /// - Throws: the problem with a word of the list.
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

    /// The list in the notation that is parsed.
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

/// An invalid word in a list of reasons.
public struct FailReasonProblem: Error, Sendable, Equatable {
    public let found: String
    /// The reason that was probably meant; nil if unknown.
    private let reason: FailReason?
    /// Whether the reason is already in the list.
    private let isTwice: Bool

    public init(found: String, _ reason: FailReason? = nil, isTwice: Bool = false) {
        self.found = found
        self.reason = reason
        self.isTwice = isTwice
    }

    /// The valid words.
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

    /// The nearest valid reason.
    public var nearest: String? {
        if isTwice { return nil }
        if let reason { return reason == .slow ? "slow>1s" : reason.rawValue }
        let word = String(found.prefix { $0 != ">" })
        let name = meantName(by: word, among: FailReason.allCases.map(\.rawValue))
        return name == FailReason.slow.rawValue ? "slow>1s" : name
    }
}
