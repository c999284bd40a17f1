import SDJSON
public import SDStubModel

/// A finding about a single request pattern or stub, in a file or in a call.
public struct LintFinding: Sendable {
    public let code: StubFinding.Code
    let pointer: JSONPointer
    let message: String
    var expected: String?
    var isAboutName = false
    var suggestion: String?

    /// The finding as a problem of its document.
    public var problem: ModelProblem {
        var problem = ModelProblem(
            pointer: pointer, isAboutName: isAboutName, message: message, expected: expected, suggestion: suggestion)
        problem.check = code.rawValue
        return problem
    }
}

extension StubFinding.Code {
    /// Whether the finding means that the text has no effect as written, so that a query with it cannot be intended.
    public var isNeverMeant: Bool {
        switch self {
        case .queryInPath, .invalidSchema, .invalidXPath, .unreadableDate, .contradiction, .unknownCustomMatcher,
            .methodCase, .reservedPath, .unknownPathParameter, .headerName, .impossibleOrigin:
            true
        default: false
        }
    }
}
