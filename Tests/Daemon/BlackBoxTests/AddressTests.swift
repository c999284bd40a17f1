import Foundation
import SDJSON
import SDTestSupport
import Testing

#if os(Linux)
    /// The daemon is reached from this machine alone unless it is told otherwise.
    @Suite struct AddressTests {
        /// The local addresses of the sockets that listen at a port, in the system's hexadecimal form.
        private func addresses(at port: Int) throws -> Set<String> {
            var addresses: Set<String> = []
            // A system without IPv6 has only the first table.
            for table in ["tcp", "tcp6"] where FileManager.default.fileExists(atPath: "/proc/net/\(table)") {
                let file = try #require(FileHandle(forReadingAtPath: "/proc/net/\(table)"))
                let text = String(decoding: file.readDataToEndOfFile(), as: UTF8.self)
                for line in text.split(separator: "\n").dropFirst() {
                    let words = line.split(separator: " ")
                    guard words.count > 3, words[3] == "0A" else { continue }
                    let place = words[1].split(separator: ":")
                    if place.count == 2, Int(place[1], radix: 16) == port { addresses.insert(String(place[0])) }
                }
            }
            return addresses
        }

        private static let loopback = "0100007F"

        @Test func withoutOptionsTheDaemonIsAtTheLoopbackAddress() throws {
            let daemon = try Daemon()
            #expect(try addresses(at: Int(daemon.port)) == [Self.loopback])
        }

        @Test func theLocalHostIsTheLoopbackAddress() throws {
            let daemon = try Daemon(files: [:], ["--bind-address", "localhost"])
            #expect(try addresses(at: Int(daemon.port)) == [Self.loopback])
        }

        @Test func thePortOfASessionIsAtTheAddressOfTheDaemon() throws {
            let daemon = try Daemon()
            let session = try JSONValue(parsing: daemon.admin("POST", "/sessions", #"{"port": 0}"#).text)
            let port = try #require(session["port"]?.intValue)
            #expect(port != Int(daemon.port))
            #expect(try addresses(at: port) == [Self.loopback])
        }
    }
#endif
