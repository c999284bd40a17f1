internal import Foundation

/// Makes the server whose sessions are given to tests, such as `{ try await MockServer.embedded() }`.
public typealias MakeMockServer = @Sendable () async throws -> MockServer

/// The source of tests' sessions. Equal sources share one server.
struct ServerSource: Sendable {
    private enum Origin: Sendable {
        /// The running server of `STUNTDOUBLE_URL`, or else a launched one.
        case environment(arguments: [String])
        case made(MakeMockServer)
    }

    private let origin: Origin
    /// A folder of stub files, as named by a test.
    private let mocks: String?
    /// The call site: closures are considered equal if their call sites are.
    private let callSite: CallSite

    /// - Parameter make: nil for the server of the environment, or a launched one.
    init(mocks: String?, arguments: [String], make: MakeMockServer?, at callSite: CallSite) {
        origin = make.map(Origin.made) ?? .environment(arguments: arguments)
        self.mocks = mocks
        self.callSite = callSite
    }

    /// A server, and the folder that each session must load; nil if the server has it already.
    struct Server: Sendable {
        let mock: MockServer
        var folderOfSessions: String?
    }

    /// The process's one server for this source.
    /// - Throws: `MockServerError` if the folder is not found, `STUNTDOUBLE_URL` is invalid, or the daemon cannot be
    ///   launched; what the maker of the server throws.
    func server() async throws -> Server {
        let folder = try mocks.map { try MocksFolder.find($0, near: callSite.filePath) }
        switch origin {
        case .made(let make):
            let key = "made at \(callSite.filePath):\(callSite.line):\(callSite.column)"
            return Server(mock: try await ServerPool.shared.server(key, make: make), folderOfSessions: folder)
        case .environment(let arguments):
            if let url = try Self.runningServer() {
                let mock = try await ServerPool.shared.server(url.absoluteString) {
                    let mock = MockServer(url: url)
                    guard let foreignServer = await mock.foreignServerAtURL() else { return mock }
                    throw MockServerError(
                        "\(foreignServer); start `stuntdouble` there, or unset \(MockServer.urlVariable), which names it, to have "
                            + "the tests launch one")
                }
                return Server(mock: mock, folderOfSessions: folder)
            }
            let key = "launched with \(folder ?? "") \(arguments.joined(separator: "\n"))"
            return Server(mock: try await ServerPool.shared.server(key) { try await Self.launch(folder, arguments) })
        }
    }

    private static func runningServer() throws -> URL? {
        let variable = MockServer.urlVariable
        guard let text = ProcessInfo.processInfo.environment[variable], !text.isEmpty else { return nil }
        guard let url = URL(string: text), url.scheme == "http" || url.scheme == "https", url.host() != nil else {
            throw MockServerError("\(variable) is \"\(text)\"; expected a URL such as http://localhost:8080")
        }
        return url
    }

    #if os(macOS) || os(Linux)
        private static func launch(_ mocks: String?, _ arguments: [String]) async throws -> MockServer {
            try await MockServer.launch(mocks: mocks, arguments: arguments)
        }
    #else
        private static func launch(_ mocks: String?, _ arguments: [String]) async throws -> MockServer {
            throw MockServerError(
                "no process can be launched here: start the daemon on the host, and set \(MockServer.urlVariable) for the tests"
            )
        }
    #endif
}
