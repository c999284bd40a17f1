import StuntDoubleTesting
import Testing

/// Expects that a test fails, with a text and at its own place, and with nothing else.
///
/// Put before `.mockServer`: it stands around what that trait does.
struct KnownFailure: TestTrait, TestScoping {
    /// Parts of the texts of the failures, each of a failure of its own.
    let texts: [String]

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let seen = Seen()
        try await withKnownIssue {
            try await function()
        } matching: { issue in
            let comment = issue.comments.map(\.rawValue).joined() + (issue.error.map { "\($0)" } ?? "")
            guard let text = texts.first(where: comment.contains) else { return false }
            seen.add(text)
            // What is thrown has the place of the test only where Swift Testing catches it.
            return issue.error != nil || issue.sourceLocation == test.sourceLocation
        }
        #expect(seen.texts == Set(texts), sourceLocation: test.sourceLocation)
    }
}

private final class Seen: Sendable {
    private let found = Locked<Set<String>>([])

    func add(_ text: String) { found.withLock { _ = $0.insert(text) } }

    var texts: Set<String> { found.value }
}

extension Trait where Self == KnownFailure {
    /// The test fails for exactly these reasons.
    static func fails(with texts: String...) -> Self { KnownFailure(texts: texts) }
}
