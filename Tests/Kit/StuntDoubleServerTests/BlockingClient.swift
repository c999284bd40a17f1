import Dispatch
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A client in the old style: it blocks its thread until its completion handler is called.
enum BlockingClient {
    /// What is received: `200 text`, or `no answer`.
    static func get(_ url: URL) -> String { send(URLRequest(url: url)) }

    /// Posts as many bytes.
    static func post(_ size: Int, to url: URL) -> String {
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.httpBody = Data(repeating: UInt8(ascii: "x"), count: size)
        return send(request)
    }

    private static func send(_ request: URLRequest) -> String {
        let isDone = DispatchSemaphore(value: 0)
        let answer = Answer()
        let task = URLSession.shared.dataTask(with: request) { data, response, _ in
            let status = (response as? HTTPURLResponse)?.statusCode ?? 0
            answer.text.withLock { $0 = "\(status) \(String(decoding: data ?? Data(), as: UTF8.self))" }
            isDone.signal()
        }
        task.resume()
        guard isDone.wait(timeout: .now() + 600) == .success else { return "no answer" }
        return answer.text.withLock { $0 }
    }
}

private final class Answer: Sendable {
    let text = Mutex("")
}
