import Foundation
import Kennel
import StuntDoubleTesting
import Testing

/// Stub files among the resources of the test's bundle, which a test on a device has in place of the source tree.
@Suite(.mockServer) struct BundledMocksTests {
    @Test func theStubsOfTheBundleAnswer() async throws {
        try await mock.load(bundle: .module, folder: "Mocks")
        let shelter = ShelterClient(ShelterConfiguration(baseURL: try mock.url))

        #expect(try await shelter.dogs().map(\.name) == ["Rex", "Bella", "Luna"])
        #expect(try await shelter.dogs(breed: "hound").map(\.id) == [1, 3])
    }

    @Test func aFolderThatTheBundleDoesNotHaveIsNamed() async throws {
        let error = await #expect(throws: MockServerError.self) { try await mock.load(bundle: .module, folder: "Mox") }

        let message = try #require(error?.message)
        #expect(message.contains("no folder Mox among the resources of the bundle \(Bundle.module.bundlePath);"))
        #expect(message.hasSuffix("resources: [.copy(\"Mox\")]"))
    }
}
