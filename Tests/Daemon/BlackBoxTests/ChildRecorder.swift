import Foundation
import SDTestSupport
import Testing

/// A recorder that runs, and the port at which it listens.
struct ChildRecorder {
    let process: ChildProcess
    let port: UInt16

    init(_ arguments: [String], in scratch: TemporaryFolder) throws {
        let process = try ChildProcess(
            Daemon.binary, ["record", "--port", "0"] + arguments,
            environment: ["XDG_STATE_HOME": scratch.path], outputsIn: scratch)
        self.process = process
        let line = eventually(within: 30_000) { () -> String? in
            if let end = process.output.firstIndex(of: "\n") { return String(process.output[..<end]) }
            return process.poll() == nil ? nil : ""
        }
        let port = try #require(
            line?.firstMatch(of: /http:\/\/[^ "]*:(\d+)(;|"\])/)?.1, "\(line ?? "") \(process.errors)")
        self.port = try #require(UInt16(port))
    }

    func get(_ target: String, method: String = "GET", body: String? = nil) throws -> HTTPAnswer {
        let client = try RawClient(port: port)
        let length = body.map { "Content-Length: \($0.utf8.count)\r\n" } ?? ""
        try client.send(
            "\(method) \(target) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\(length)\r\n\(body ?? "")")
        return try #require(HTTPAnswer(client.receiveAll(within: 30_000).bytes))
    }

    func end() -> ChildProcess.Ending? {
        process.signal(SIGINT)
        return process.wait()
    }
}
