import Foundation
import Testing
import XCTest

@testable import StuntDoubleClient
@testable import StuntDoubleTesting

/// What is valid in a call and hardly meant is told where the call stands, and fails no test.
@Suite struct WarningTests {
    @Test(arguments: [
        ("", []), ("one", ["one"]), ("one | two", ["one", "two"]), ("a|b", ["a|b"]), ("a | ", ["a"]),
        (#"caf\u{e9}"#, ["café"]), (#"\u{1f600} | \u{4f60}\u{597d}"#, ["😀", "你好"]),
        (#"\u{zz} \u{} \u{d800} \u{e9"#, [#"\u{zz} \u{} \u{d800} \u{e9"#]), (#"\\u{e9}"#, [#"\é"#]),
    ])
    func theHeaderIsRead(field: String, texts: [String]) {
        #expect(Warnings.texts(field) == texts)
    }

    /// A mapping whose method is none that clients send.
    static let lowerCase: Stub.JSON = ["request": ["method": "get", "url": "/café"], "response": ["status": 200]]

    /// A path whose variable is written as elsewhere, and so is none.
    static let colon = Stub.Request.get().url("/users/:id")

    struct Call: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let line: Int
        let run: @Sendable (MockServer) async throws -> Void

        init(_ name: String, line: Int = #line, _ run: @escaping @Sendable (MockServer) async throws -> Void) {
            (testDescription, self.line, self.run) = (name, line, run)
        }
    }

    static let calls = [
        Call("stub") { try await $0.stub(.mapping(json: lowerCase)) },
        Call("a list of stubs") { try await $0.stub([.mapping(json: lowerCase)]) },
        Call("replaceStub") { try await $0.replaceStub($0.stub(.any, .text("a")), with: .mapping(json: lowerCase)) },
        Call("callAdmin") { try await $0.callAdmin("POST", "/mappings", lowerCase) },
        Call("callAdmin, of requests") { try await $0.callAdmin("POST", "/requests/count", ["method": "get"]) },
        Call("stub, in the language of tests") { try await $0.stub(colon, .text("a")) },
        Call("verify") { try await $0.verify(colon, .never) },
        Call("verify, for a while") { try await $0.verify(colon, .never, within: .milliseconds(1)) },
        Call("verifyInOrder") { try await $0.verifyInOrder(colon) },
        Call("addFault") { try await $0.addFault(.connectionReset, on: colon) },
    ]

    @Test(arguments: calls) func aWarningIsToldOnceAtThePlaceOfItsCall(call: Call) async throws {
        let heard = Hearer()
        try await withMockServer { mock in try await call.run(mock.reporting(to: heard)) }
        let told = heard.told.value
        let words = told.first?.text ?? ""
        #expect(words.contains("did you mean \"GET\"") || words.contains(":id is literal in a path"), "\(told)")
        #expect(Set(told.map(\.text)).count == 1, "\(told)")
        #expect(told.allSatisfy { $0.line == call.line }, "\(told)")
    }

    @Test func whatIsMeantGetsNoWarning() async throws {
        let heard = Hearer()
        try await withMockServer { mock in
            let mock = mock.reporting(to: heard)
            try await mock.stub(.get("/a"), .text("a"))
            try await mock.verify(.get("/a"), .never)
        }
        #expect(heard.told.value.isEmpty)
    }

    #if os(Linux)
        @Test(.timeLimit(.minutes(30))) func swiftTestingIsToldAtTheRightLine() async throws {
            let run = try await ChildRun([
                "--testing-library", "swift-testing", "--filter", "StuntDoubleTestingTests.WarnedTests",
            ])
            #expect(run.status == 0, "\(run.output)")
            #if compiler(>=6.3)
                let issues = run.output.split(separator: "\n").filter { $0.contains("recorded a warning") }
                #expect(issues.count == 1, "\(run.output)")
                #expect(issues.first?.contains("WarningTests.swift:\(WarnedTests.line):") == true, "\(run.output)")
            #else
                #expect(run.output.contains("\(#filePath):\(WarnedTests.line):"), "\(run.output)")
            #endif
            #expect(run.output.contains("did you mean \"GET\""), "\(run.output)")
        }

        @Test(.timeLimit(.minutes(30))) func xcTestIsToldOnStandardError() async throws {
            let run = try await ChildRun(["StuntDoubleTestingTests.WarnedXCTests"])
            #expect(run.status == 0, "\(run.output)")
            let told = run.output.components(separatedBy: "\(#filePath):\(WarnedXCTests.line):").count - 1
            #expect(told == 1, "\(run.output)")
            #expect(run.output.contains("warning: "), "\(run.output)")
        }
    #endif
}

/// Remembers what it is told.
private final class Hearer: FailureReporter {
    struct Warning: Sendable {
        let text: String
        let line: Int?
    }

    let told = Locked<[Warning]>([])

    func report(_ failure: VerificationFailure) {}

    func warn(_ warning: String, at callSite: CallSite?) {
        told.withLock { $0.append(Warning(text: warning, line: callSite?.line)) }
    }
}

/// Warned on purpose, in a process that `WarningTests` starts; in any other it does not run.
@Suite(.enabled(if: ChildRun.isChild, "another test runs it")) struct WarnedTests {
    static let line = #line + 3
    @Test(.mockServer) func aMethodThatNoClientSends() async throws {
        for _ in 0..<3 {
            try await mock.callAdmin("POST", "/mappings", WarningTests.lowerCase)
        }
    }
}

final class WarnedXCTests: XCTestCase {
    static let line = #line + 5
    func testAMethodThatNoClientSends() async throws {
        guard ChildRun.isChild else { return }
        let mock = try await mockServer()
        for _ in 0..<3 {
            try await mock.callAdmin("POST", "/mappings", WarningTests.lowerCase)
        }
    }
}
