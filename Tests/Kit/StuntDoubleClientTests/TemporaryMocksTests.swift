import Foundation
import StuntDoubleClient
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

#if os(macOS) || os(Linux)
    /// The folders of servers that are started without one.
    @Suite struct TemporaryMocksTests {
        @Test func theFolderOfAProcessThatCrashedIsSwept() async throws {
            let result = try await #require(
                processExitsWith: .signal(SIGKILL), observing: [\.standardErrorContent]
            ) {
                let mocks = try TemporaryMocks()
                FileHandle.standardError.write(Data("<\(mocks.path)>".utf8))
                kill(getpid(), SIGKILL)
            }
            let output = String(decoding: result.standardErrorContent, as: UTF8.self)
            let path = try #require(output.split(separator: "<").last?.split(separator: ">").first).description
            #expect(path.contains("stuntdouble-mocks-"))
            let live = try TemporaryMocks()

            TemporaryMocks.sweep()

            #expect(!FileManager.default.fileExists(atPath: path))
            #expect(FileManager.default.fileExists(atPath: live.path))
        }

        @Test func aFolderGoesWithItsValue() throws {
            let path = try TemporaryMocks().path
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }
#endif
