import Foundation
import StuntDoubleTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// `URLSession.shared`, of which a process has one.
@Suite struct SharedSessionTests {
    #if os(Linux)
        @Test func theSharedSessionIsRoutedInAProcessThatHasMadeNoneBefore() async throws {
            let run = try await ChildRun([
                "--testing-library", "swift-testing", "--filter", "StuntDoubleTestingTests.RoutedSharedSession",
            ])
            #expect(run.status == 0, "\(run.output)")
            #expect(run.output.contains("Test run with 1 test"), "\(run.output)")
        }

        @Test(.mockServer) func afterTheFirstSessionItIsRefused() throws {
            _ = URLSession.shared
            let routing = try MockRouting("api.example.com")
            let error = #expect(throws: MockServerError.self) { try routing.routeSharedSession() }
            #expect(error?.message.contains("before the first session of the process") == true)
        }
    #endif
}

/// Runs in a process that the test above starts.
@Suite(.mockServer, .enabled(if: ChildRun.isChild, "another test runs it")) struct RoutedSharedSession {
    @Test func oneAfterTheOther() async throws {
        let url = try #require(URL(string: "https://api.example.com/who"))
        for name in ["first", "second"] {
            try await withMockServer { mock in
                try await mock.stub(.get("https://api.example.com/who"), .text(name))
                let routing = try MockRouting("api.example.com", to: mock)
                try routing.routeSharedSession()
                let (data, _) = try await URLSession.shared.data(from: url)
                #expect(String(decoding: data, as: UTF8.self) == name)

                let other = try MockRouting("other.example.com", to: mock)
                let error = #expect(throws: MockServerError.self) { try other.routeSharedSession() }
                #expect(error?.message.contains("another test routes") == true)
            }
        }
    }
}
