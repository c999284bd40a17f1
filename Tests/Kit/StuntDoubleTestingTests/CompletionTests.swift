import Dispatch
import Foundation
import StuntDoubleTesting
import Testing

/// Code with completion handlers, in tests that wait for them.
@Suite struct CompletionTests {
    private func call<Value: Sendable>(_ value: Value, _ handler: @escaping @Sendable (Value) -> Void) {
        DispatchQueue.global().async { handler(value) }
    }

    private func callWithThree(_ handler: @escaping @Sendable (Data?, Int, (any Error)?) -> Void) {
        DispatchQueue.global().async { handler(nil, 7, MockServerError("no")) }
    }

    private func callWithNone(_ handler: @escaping @Sendable () -> Void) {
        DispatchQueue.global().async { handler() }
    }

    @Test func theArgumentsOfTheHandlerAreReturned() async throws {
        #expect(try await completion { call("one", $0) } == "one")
        let (data, number, error) = try await completion { callWithThree($0) }
        #expect(data == nil)
        #expect(number == 7)
        #expect(error as? MockServerError == MockServerError("no"))
        try await completion { callWithNone($0) }
        #expect(try await completion { (handler: @escaping @Sendable (Int) -> Void) in handler(1) } == 1)
    }

    @Test @MainActor func theWorkBeginsOnTheActorOfTheTest() async throws {
        var isBegun = false
        let value = try await completion { (handler: @escaping @Sendable (Int) -> Void) in
            MainActor.assertIsolated()
            isBegun = true
            call(3, handler)
        }
        #expect(isBegun)
        #expect(value == 3)
    }

    @Test func whatTheWorkThrowsIsThrown() async {
        await #expect(throws: MockServerError("refused")) {
            try await completion { (_: @escaping @Sendable (Int) -> Void) in throw MockServerError("refused") }
        }
    }

    @Test func aHandlerThatIsNotCalledFailsTheTestOnceAtTheCall() async throws {
        let line = #line + 3
        let found = Locked(0)
        try await withKnownIssue {
            try await completion(within: .milliseconds(20)) { (_: @escaping @Sendable (Int) -> Void) in }
        } matching: { issue in
            found.withLock { $0 += 1 }
            return issue.sourceLocation?.line == line
                && issue.comments.contains { $0.rawValue.contains("not called within 0.02 seconds") }
        }
        #expect(found.value == 1)
    }

    @Test func outsideOfATestAHandlerThatIsNotCalledIsThrown() async {
        let error = await Task.detached {
            await #expect(throws: VerificationFailure.self) {
                try await completion(within: .milliseconds(20)) { (_: @escaping @Sendable (Int) -> Void) in }
            }
        }.value
        #expect(error?.message == "the completion handler was not called within 0.02 seconds")
    }

    @Test func aTestThatIsCancelledWaitsNoLonger() async {
        let task = Task {
            try await completion(within: .seconds(3_600)) { (_: @escaping @Sendable (Int) -> Void) in }
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
