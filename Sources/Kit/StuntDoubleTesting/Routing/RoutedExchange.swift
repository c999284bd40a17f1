internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The outcome of a routed request.
enum RoutedOutcome: Sendable {
    struct Answer: Sendable {
        let response: HTTPURLResponse
        let body: Data
        /// The redirected request that the client continues with, if any.
        var redirect: URLRequest?
    }

    case success(Answer)
    case failure(any Error)
}

/// A routed request on its way to the mock server and back.
struct RoutedExchange: Sendable {
    private let request: URLRequest
    private let url: RoutedURL
    private let entry: RoutingEntry

    init(_ request: URLRequest, _ url: RoutedURL, _ entry: RoutingEntry) {
        self.request = request
        self.url = url
        self.entry = entry
    }

    func run() async -> RoutedOutcome {
        let mock = entry.core.mock.url
        guard let body = request.body else { return refuse(MockRouting.Refusal.stream) }
        let exchange = RawExchange(host: mock.host() ?? "", port: mock.port ?? 80)
        do {
            let answer = try await exchange.send(
                head(mock, body) + body, isHead: method == "HEAD", timeout: .seconds(request.timeoutInterval))
            return outcome(of: answer)
        } catch let failure as RawExchange.Failure {
            return .failure(URLError(failure.code, of: request))
        } catch {
            return .failure(URLError(.cancelled, of: request))
        }
    }

    // MARK: Request

    private var method: String { request.httpMethod ?? "GET" }

    /// The request head as for a proxy: the target is the whole URL, so that the server sees the scheme, too.
    private func head(_ mock: URL, _ body: [UInt8]) -> [UInt8] {
        var session = mock.path(percentEncoded: true)
        while session.hasSuffix("/") { session.removeLast() }
        var lines = ["\(method) \(url.scheme)://\(url.authority)\(session)\(url.target) HTTP/1.1"]
        lines.append("Host: \(url.authority)")
        lines += fields.map { "\($0.name): \($0.value)" }
        if !body.isEmpty || !["GET", "HEAD", "OPTIONS", "TRACE"].contains(method) {
            lines.append("Content-Length: \(body.count)")
        }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    /// The header fields: the request's own, the configuration's where the request lacks them, and cookies.
    private var fields: [(name: String, value: String)] {
        var fields = (request.allHTTPHeaderFields ?? [:]).map { (name: $0.key, value: $0.value) }
        func has(_ name: String) -> Bool { fields.contains { $0.name.lowercased() == name.lowercased() } }
        for header in entry.headers where !has(header.name) { fields.append(header) }
        if let cookies = entry.cookies, request.httpShouldHandleCookies, !has("Cookie") {
            let sent = HTTPCookie.requestHeaderFields(with: cookies.cookies(for: url.url) ?? [])
            fields += sent.map { (name: $0.key, value: $0.value) }
        }
        if !has("Accept") { fields.append(("Accept", "*/*")) }
        // The head sets the framing fields itself, and nothing decodes a compressed body of the answer.
        let own = ["host", "content-length", "transfer-encoding", "connection", "accept-encoding", "expect"]
        return
            fields
            .filter { field in !own.contains(field.name.lowercased()) }
            .map { ($0.name, $0.value.filter { $0 != "\r" && $0 != "\n" && $0 != "\r\n" }) }
            .sorted { $0.name < $1.name }
    }

    // MARK: Response

    private func outcome(of answer: RawExchange.Answer) -> RoutedOutcome {
        let coding = answer.headers.first { $0.name.lowercased() == "content-encoding" }?.value.lowercased()
        if let coding, coding != "identity", !answer.body.isEmpty { return refuse(MockRouting.Refusal.coding) }
        keepCookies(answer)
        let fields = Dictionary(answer.headers.map { ($0.name, $0.value) }) { "\($0), \($1)" }
        guard
            let response = HTTPURLResponse(
                url: url.url, statusCode: answer.status, httpVersion: "HTTP/1.1", headerFields: fields)
        else { return .failure(URLError(.badServerResponse, of: request)) }
        var success = RoutedOutcome.Answer(response: response, body: Data(answer.body))
        success.redirect = redirect(answer)
        #if canImport(FoundationNetworking)
            if success.redirect != nil { return refuse(MockRouting.Refusal.redirect) }
            if answer.status == 401, response.value(forHTTPHeaderField: "WWW-Authenticate")?.isBasicChallenge == true {
                return refuse(MockRouting.Refusal.basicChallenge)
            }
        #endif
        return .success(success)
    }

    private func keepCookies(_ answer: RawExchange.Answer) {
        guard let cookies = entry.cookies, request.httpShouldHandleCookies else { return }
        for header in answer.headers where header.name.lowercased() == "set-cookie" {
            let set = HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": header.value], for: url.url)
            cookies.setCookies(set, for: url.url, mainDocumentURL: request.mainDocumentURL)
        }
    }

    /// The next request of a client that follows a redirect (RFC 9110, section 15.4); nil for any other answer.
    private func redirect(_ answer: RawExchange.Answer) -> URLRequest? {
        guard [301, 302, 303, 307, 308].contains(answer.status),
            let location = answer.headers.first(where: { $0.name.lowercased() == "location" })?.value,
            let target = URL(string: location, relativeTo: url.url)
        else { return nil }
        var next = request
        next.url = target.absoluteURL
        if answer.status == 303 && method != "HEAD" || answer.status < 303 && method == "POST" {
            next.httpMethod = "GET"
            next.httpBody = nil
            for name in ["Content-Length", "Content-Type"] { next.setValue(nil, forHTTPHeaderField: name) }
        }
        return next
    }

    private func refuse(_ reason: String) -> RoutedOutcome {
        let refusal = MockRouting.Refusal(request, reason)
        entry.core.report(refusal)
        return .failure(refusal)
    }
}

extension MockRouting.Refusal {
    init(_ request: URLRequest, _ reason: String) {
        self.init(
            request: "\(request.httpMethod ?? "GET") \(request.url?.absoluteString ?? "without a URL")", reason: reason)
    }
}

extension URLRequest {
    /// The body, from data or a stream; empty if there is none, nil if the stream cannot be read.
    fileprivate var body: [UInt8]? {
        if let httpBody { return Array(httpBody) }
        guard let stream = httpBodyStream else { return [] }
        stream.open()
        defer { stream.close() }
        var body: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = stream.read(&buffer, maxLength: buffer.count)
            if count < 0 { return nil }
            if count == 0 { return body }
            body += buffer[..<count]
        }
    }
}

extension String {
    /// Whether a `WWW-Authenticate` field asks for basic authentication.
    fileprivate var isBasicChallenge: Bool {
        split(separator: ",").contains { $0.drop { $0 == " " }.lowercased().hasPrefix("basic") }
    }
}
