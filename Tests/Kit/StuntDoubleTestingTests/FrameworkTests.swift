import Foundation
import SDJSON
import StuntDoubleTesting
import Testing

#if os(Linux)
    /// Failures reach the framework whose test runs, at the place that the test says, and fail the process.
    @Suite(.timeLimit(.minutes(30))) struct FrameworkTests {
        @Test func xcTestIsToldAtTheRightLines() async throws {
            let run = try await ChildRun(["StuntDoubleTestingTests.FailingXCTests"])
            #expect(run.status == 1)
            let file = #filePath.replacing("FrameworkTests.swift", with: "XCTestCaseTests.swift")
            let source = try String(contentsOfFile: file, encoding: .utf8).split(
                separator: "\n", omittingEmptySubsequences: false)
            for (mark, text) in [
                ("unmatched", "/nothing"), ("unmet", "/orders"), ("verify", "/verified"), ("part", "/part"),
            ] {
                let line = try #require(source.firstIndex { $0.hasSuffix("// FAILS: \(mark)") }) + 1
                let place = "\(file):\(line): error:"
                let told = run.output.components(separatedBy: place).dropFirst().first
                #expect(told?.prefix(300).contains(text) == true, "\(place)\n\(run.output)")
            }
            #expect(run.output.contains("with 4 failures"), "\(run.output)")
        }

        @Test func swiftTestingIsToldAndGetsTheJournal() async throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "kit-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let run = try await ChildRun([
                "--testing-library", "swift-testing", "--filter", "StuntDoubleTestingTests.FailingTests",
                "--attachments-path", folder.path,
            ])
            #expect(run.status == 1)
            #expect(run.output.contains("FrameworkTests.swift:\(FailingTests.line)"), "\(run.output)")
            #expect(run.output.contains("/nothing"), "\(run.output)")
            let attached = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            let journals = try attached.filter { $0.hasPrefix("requests") }.map { name in
                try JSONValue(parsing: Array(Data(contentsOf: folder.appending(path: name))))
            }
            let urls = journals.map { $0["requests"]?[0]?["request"]?["url"]?.stringValue }
            #expect(Set(urls) == ["/nothing", "/something"], "\(attached) \(run.output)")
        }

        @Test func testsUseTheRunningServerThatTheEnvironmentNames() async throws {
            let server = try await MockServer.launch()
            try await server.stub(.get("/inherited"), .text("of the running server"))
            let run = try await ChildRun(
                ["--testing-library", "swift-testing", "--filter", "StuntDoubleTestingTests.ConnectedTests"],
                environment: server.environment)
            #expect(run.status == 0, "\(run.output)")
            #expect(run.output.contains("Test run with 2 tests"), "\(run.output)")
            #expect(try await server.requests.isEmpty)
            try await server.end()
        }

        @Test func aURLOfARunningServerThatIsNoneIsTold() async throws {
            let run = try await ChildRun(
                ["--testing-library", "swift-testing", "--filter", "StuntDoubleTestingTests.ConnectedTests"],
                environment: [MockServer.urlVariable: "localhost:8080"])
            #expect(run.status == 1)
            #expect(
                run.output.contains(#"STUNTDOUBLE_URL is "localhost:8080"; expected a URL such as"#), "\(run.output)")
        }
    }
#endif

/// Failing on purpose, in a process that `FrameworkTests` starts; in any other they do not run.
@Suite(.enabled(if: ChildRun.isChild, "another test runs it")) struct FailingTests {
    static let line = #line + 1
    @Test(.mockServer) func unmatchedRequest() async throws {
        _ = try await mock.url.get("nothing")
    }

    @Test(.mockServer) func failedExpectation() async throws {
        try await mock.stub(.get("/something"), .text("else"))
        #expect(try await mock.url.get("something").text == "thing")
    }
}

/// Runs in a process whose environment names a running server.
@Suite(.mockServer(mocks: "Mocks"), .enabled(if: ChildRun.isChild, "another test runs it")) struct ConnectedTests {
    @Test(arguments: 0..<3) func eachSessionLoadsTheFolderAndInheritsTheServersStubs(number: Int) async throws {
        #expect(try await mock.url.get("greeting").text == "hello")
        #expect(try await mock.url.get("inherited").text == "of the running server")
        #expect(try await mock.requests.count == 2)
    }

    @Test(.mockServer(unused: .forbidden)) func loadedStubsMayBeUnused() async throws {
        #expect(try await mock.requests.isEmpty)
    }
}
