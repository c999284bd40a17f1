import SDBasics
import SDHTTPTransport
import SDPlatform
import SDStubModel
import SDUpstream

/// The call for one document of a URL: without redirects or credentials, within limits.
final class DocumentFetch: UpstreamObserver {
    struct Refusal: Error {
        var message: String
        var expected: String?
    }

    private struct Answer {
        var bytes: [UInt8] = []
        var result: Result<[UInt8], Refusal>?
    }

    private let url: String
    /// The maximum size in bytes.
    private let most: Int
    private let milliseconds: Int
    private let answer = Monitor(Answer())

    init(_ url: String, most: Int, milliseconds: Int) {
        self.url = url
        self.most = most
        self.milliseconds = milliseconds
    }

    /// Makes the call on a loop of its own, and waits for the end.
    func run(_ upstream: Upstream) -> Result<[UInt8], Refusal> {
        let server: Server
        do throws(TransportError) {
            server = try Server(handler: Unserved())
            try server.start()
        } catch {
            return .failure(Refusal(message: error.description))
        }
        defer { server.stopAndWait() }
        var request = UpstreamRequest(
            "GET", url,
            headers: [
                ("Accept", "application/json, application/yaml, */*;q=0.5"), ("Accept-Encoding", "identity"),
                ("User-Agent", "StuntDouble"),
            ])
        request.checksCertificate = true
        request.timeout = milliseconds
        let transfer = upstream.start(request, on: server.loop(), self)
        let isOver = answer.wait(milliseconds: Int64(milliseconds)) { $0.result != nil }
        transfer.cancel()
        if !isOver {
            let time = milliseconds >= 1_000 ? "\(milliseconds / 1_000) s" : "\(milliseconds) ms"
            end(.failure(Refusal(message: "it did not come within \(time)")))
        }
        return answer.change { $0.result } ?? .failure(Refusal(message: "it did not come"))
    }

    /// Sets the result; the first one counts.
    private func end(_ result: Result<[UInt8], Refusal>) {
        answer.change { $0.result = $0.result ?? result }
    }

    // MARK: UpstreamObserver

    func upstreamAnswers(_ head: UpstreamHead) {
        func value(_ name: String) -> String? { head.headers.first { $0.name.lowercased() == name }?.value }
        guard head.status == 200 else {
            let target = (300..<400).contains(head.status) ? value("location") : nil
            let place =
                target.map { ", a redirect to \(quoted(String($0.prefix(200)))), which is not followed" } ?? ""
            return end(.failure(Refusal(message: "the answer is \(head.status)\(place)", expected: "200")))
        }
        if let coding = value("content-encoding"), coding.lowercased() != "identity", !coding.isEmpty {
            end(
                .failure(
                    Refusal(
                        message: "it came in the coding \(quoted(String(coding.prefix(50))))", expected: "it as it is"))
            )
        }
        if let length = value("content-length").flatMap({ Int($0) }), length > most { endTooLarge() }
    }

    func upstreamSends(_ bytes: [UInt8]) {
        let isTooLarge = answer.change { answer in
            guard answer.result == nil else { return false }
            guard answer.bytes.count + bytes.count <= most else { return true }
            answer.bytes += bytes
            return false
        }
        if isTooLarge { endTooLarge() }
    }

    func upstreamEnds(_ end: Result<[(name: String, value: String)], UpstreamProblem>) {
        switch end {
        case .success: answer.change { $0.result = $0.result ?? .success($0.bytes) }
        case .failure(let problem): self.end(.failure(Refusal(message: problem.message)))
        }
    }

    private func endTooLarge() {
        let size = most >= 1 << 20 ? "\(most >> 20) MiB" : "\(most) bytes"
        end(.failure(Refusal(message: "it is too large", expected: "at most \(size)")))
    }
}

/// A handler that is never called: its server has no listener.
private final class Unserved: RequestHandler {
    func serve(_ request: Request, reply: consuming Reply) {}
}
