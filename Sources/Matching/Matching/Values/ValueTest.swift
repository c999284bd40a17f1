import SDPlatform
package import SDRegularExpressions

/// A compiled matcher of one value: `{"equalTo": "x"}` for a header, a parameter, a body or a part of it.
package indirect enum ValueTest: Sendable {
    case equalTo([UInt8])
    case equalToIgnoringCase([UInt8])
    case contains([UInt8])
    case doesNotContain([UInt8])
    case matches(JavaRegex)
    case doesNotMatch(JavaRegex)
    /// Compares the bytes before any decoding; a missing body counts as no bytes.
    case binary([UInt8])
    /// The test of a matcher with a file of its own, in `Matchers`.
    case own(any MatcherTest)
    case absent
    case anything
    /// An invalid schema, which never matches. Such stubs are accepted, as in WireMock.
    case never(reason: String)
    case and([ValueTest])
    case or([ValueTest])
    case not(ValueTest)

    /// Whether the value passes; nil stands for a missing key or body.
    package func passes(_ value: MatchValue?, _ views: inout RequestViews) -> Bool {
        switch self {
        case .absent: return value == nil
        case .anything: return true
        case .doesNotContain(let part):
            guard let value else { return true }
            return views.spend(forTextOf: value.text.count) && !views.contains(part, in: value.text)
        case .doesNotMatch(let regex): return !(value.map { views.match(regex, $0.text) } ?? false)
        case .binary(let expected): return (value?.binary ?? []).equals(expected[...])
        case .and(let tests):
            for test in tests where !test.passes(value, &views) { return false }
            return true
        case .or(let tests):
            let noteCount = views.notes.count
            let passed = tests.contains { $0.passes(value, &views) }
            views.forgetNotes(beyond: noteCount)
            return passed
        case .not(let test):
            let noteCount = views.notes.count
            let passed = test.passes(value, &views)
            views.forgetNotes(beyond: noteCount)
            return !passed
        case .never(let reason):
            views.note(.invalidSchema, reason)
            return false
        case .own(let test): return value.map { test.passes($0, &views) } ?? test.passesAbsence(&views)
        default: return value.map { passes($0, &views) } ?? false
        }
    }

    /// Whether a value that is present passes.
    private func passes(_ value: MatchValue, _ views: inout RequestViews) -> Bool {
        guard views.spend(forTextOf: value.text.count) else { return false }
        switch self {
        case .equalTo(let expected): return value.text.equals(expected[...])
        case .equalToIgnoringCase(let expected): return views.equalsIgnoringCase(value.text, expected[...])
        case .contains(let part): return views.contains(part, in: value.text)
        case .matches(let regex): return views.match(regex, value.text)
        case .never, .absent, .anything, .doesNotContain, .doesNotMatch, .binary, .own, .and, .or, .not:
            return false
        }
    }
}

extension ValueTest {
    /// Whether only a missing value passes. If a path finds nothing or a cookie is missing, a bare `absent` passes, and
    /// no other matcher does, not even `not` or `anything`.
    package var isAbsent: Bool {
        if case .absent = self { true } else { false }
    }
}
