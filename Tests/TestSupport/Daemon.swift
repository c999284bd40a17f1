import Foundation
public import SDJSON

/// The real daemon, run for one test on its own port and ended with this object.
public final class Daemon {
    public let process: ChildProcess
    public let port: UInt16
    /// The served folder.
    public let folder: TemporaryFolder
    /// The members of its ready line.
    public let ready: JSONValue

    /// Starts the daemon and waits until it is ready.
    /// - Parameters:
    ///   - files: the contents of the served folder, by name.
    ///   - path: an existing folder to serve instead.
    ///   - arguments: options besides those that the fixture needs itself.
    ///   - starter: a program with arguments that runs the command given after them in its own place.
    public init(
        files: [String: String] = [:], serving path: String? = nil, _ arguments: [String] = [],
        environment: [String: String] = [:], startedBy starter: [String] = []
    ) throws {
        let folder = try TemporaryFolder()
        for (name, text) in files { try folder.write(name, text) }
        self.folder = folder
        let scratch = try TemporaryFolder()
        let all = [path ?? folder.path, "--port", "0", "--log-format", "json"] + arguments
        let command = starter + [Self.binary] + all
        // The user's own authority is none of a test's business.
        let variables = ["XDG_STATE_HOME": scratch.path].merging(environment) { $1 }
        let process = try ChildProcess(
            command[0], Array(command.dropFirst()), environment: variables, outputsIn: scratch)
        self.process = process
        self.scratch = scratch
        let line = eventually(within: 30_000) { () -> String? in
            if let end = process.output.firstIndex(of: "\n") { return String(process.output[..<end]) }
            return process.poll() == nil ? nil : ""
        }
        guard let line, let ready = try? JSONValue(parsing: line), let port = ready["port"]?.intValue else {
            throw DaemonFailure(description: "the daemon did not get ready: \(line ?? "")\n\(process.errors)")
        }
        self.ready = ready
        self.port = UInt16(port)
    }

    private let scratch: TemporaryFolder

    /// The built binary.
    public static var binary: String {
        ProcessInfo.processInfo.environment["STUNTDOUBLE_BINARY"] ?? built("stuntdouble")
    }

    /// The path of a program of this package, which is beside the tests.
    public static func built(_ name: String) -> String {
        #if os(macOS)
            let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? Bundle.main
            return bundle.bundleURL.deletingLastPathComponent().appendingPathComponent(name).path
        #else
            return URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
                .appendingPathComponent(name).path
        #endif
    }

    /// Sends one request like an ordinary client: on a new connection, reading the answer to its end.
    public func request(
        _ method: String, _ target: String, headers: [String] = [], body: String? = nil
    ) throws -> HTTPAnswer {
        let client = try RawClient(port: port)
        var text = "\(method) \(target) HTTP/1.1\r\nHost: localhost:\(port)\r\nConnection: close\r\n"
        for header in headers { text += header + "\r\n" }
        if let body { text += "Content-Length: \(body.utf8.count)\r\n" }
        try client.send(wire(text + "\r\n") + Array((body ?? "").utf8))
        let received = client.receiveAll(within: 300_000)
        guard let answer = HTTPAnswer(received.bytes, isHead: method == "HEAD") else {
            throw DaemonFailure(description: "no HTTP answer to \(method) \(target): \(received)\n\(process.errors)")
        }
        return answer
    }

    public func get(_ target: String) throws -> HTTPAnswer {
        try request("GET", target)
    }

    /// Calls the admin API with a JSON body.
    @discardableResult
    public func admin(_ method: String, _ path: String, _ body: JSONText? = nil) throws -> HTTPAnswer {
        try request(method, "/__admin" + path, headers: ["Content-Type: application/json"], body: body)
    }

    public typealias JSONText = String
}

/// The reason why a daemon cannot be used by its test.
public struct DaemonFailure: Error, CustomStringConvertible {
    public let description: String
}
