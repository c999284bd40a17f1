import SDBasics

/// Why a date option, a pattern or a zone cannot be used.
public struct DateTimeProblem: Error, Sendable, Equatable, CustomStringConvertible {
    /// WireMock's message for the same input, used as the `detail` of a 422.
    public let detail: String
    /// What was found and what is allowed, with the nearest valid name.
    public let advice: String

    public init(detail: String, advice: String) {
        self.detail = detail
        self.advice = advice
    }

    init(detail: String, found: String, kind: String, valid: [String]) {
        let advice = "\"\(found)\" is not a valid \(kind) (valid: \(valid.joined(separator: ", ")))"
        self.init(detail: detail, advice: advice + didYouMean(nearestName(to: found, among: valid)))
    }

    public var description: String { "\(detail): \(advice)" }
}
