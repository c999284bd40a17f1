import SDAgentTools
import SDBasics
import SDJSON
import SDPlatform
import Synchronization

/// JSON-RPC messages on standard input and their answers on standard output, in order. Calls that wait for requests run
/// on threads of their own.
final class AgentLines: Sendable {
    private let server: AgentServer
    private let client: AdminClient
    private let waiting = WorkQueue(name: "tool", threads: 16)
    /// The number of messages without an answer.
    private let unanswered = Monitor(0)
    private let output = Mutex(())

    /// The maximum size of a message in bytes.
    private static let largestMessage = 16 << 20

    init(_ server: AgentServer, asking client: AdminClient) {
        self.server = server
        self.client = client
    }

    /// Answers messages until the input has ended and every message has its answer.
    func run() {
        var rest: [UInt8] = []
        // Whether the rest of an oversized message is being skipped.
        var isSkipping = false
        while let bytes = try? SystemCalls.readNext(0, limit: 64 << 10), !bytes.isEmpty {
            let searched = rest.count
            rest += bytes
            var start = 0
            var from = searched
            while let end = rest[from...].firstIndex(of: UInt8(ascii: "\n")) {
                if !isSkipping { take(rest[start..<end]) }
                isSkipping = false
                start = end + 1
                from = start
            }
            rest.removeFirst(start)
            if rest.count > Self.largestMessage {
                if !isSkipping { write(Self.tooLong) }
                isSkipping = true
                rest = []
            }
        }
        if !isSkipping { take(rest[...]) }
        unanswered.wait { $0 == 0 }
    }

    private func take(_ line: ArraySlice<UInt8>) {
        guard line.contains(where: { $0 > 0x20 }) else { return }
        let message = Array(line)
        guard AgentServer.waits(message) else { return answer(message) }
        unanswered.change { $0 += 1 }
        waiting.add { [self] in
            answer(message)
            unanswered.change { $0 -= 1 }
        }
    }

    private func answer(_ message: [UInt8]) {
        server.answer(message, from: .line, asking: client) { [self] answer in
            if let document = answer.document { write(document) }
        }
    }

    private func write(_ document: JSONValue) {
        output.withLock { _ in
            _ = try? SystemCalls.writeAll((document.compactText + "\n").utf8, to: 1)
        }
    }

    private static let tooLong: JSONValue = [
        "jsonrpc": "2.0", "id": .null,
        "error": ["code": -32_600, "message": "the message has more than 16 MiB: send less in one message"],
    ]
}
