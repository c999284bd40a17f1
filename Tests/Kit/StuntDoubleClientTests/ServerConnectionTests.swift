import Testing

@testable import StuntDoubleClient

@Suite struct ServerConnectionTests {
    /// The socket may know that nobody listens before the call that wants it begins.
    @Test func aCallThatBeginsAfterARefusalIsToldOfIt() async throws {
        let address = try #require(try await SocketAddress.resolve("127.0.0.1", port: 1).first)
        let connection = try ServerConnection(to: address)
        while connection.isUsable { try await Task.sleep(for: .milliseconds(1)) }

        let failure = await #expect(throws: ServerConnection.Failure.self) {
            try await connection.exchange([], deadline: nil)
        }

        guard case .cannotConnect = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }
}
