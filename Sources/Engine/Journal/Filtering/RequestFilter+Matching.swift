import SDBasics
import SDHTTPTransport
import SDMatching
import SDPlatform
import SDStubModel

/// What a filter needs besides a request.
public struct FilterContext: Sendable {
    /// The name and the id of the request's session; empty for the default session.
    public var session: String
    /// The current time in milliseconds since 1970.
    public var now: UInt64

    public init(session: String, now: UInt64) {
        self.session = session
        self.now = now
    }
}

extension RequestFilter {
    /// Whether a request passes the filter.
    package func matches(_ event: ServeEvent, _ context: FilterContext) -> Bool {
        // Terms that read bodies come last, because the others may decide.
        terms.allSatisfy { $0.isCheap ? $0.holds(event, context) : true }
            && terms.allSatisfy { $0.isCheap ? true : $0.holds(event, context) }
    }
}

extension RequestFilter.Term {
    fileprivate var isCheap: Bool {
        switch condition {
        case .body, .header: false
        default: true
        }
    }

    fileprivate func holds(_ event: ServeEvent, _ context: FilterContext) -> Bool {
        isNegated != condition.holds(event, context)
    }
}

extension RequestFilter.Condition {
    fileprivate func holds(_ event: ServeEvent, _ context: FilterContext) -> Bool {
        let request = event.request
        switch self {
        case .anything: return true
        case .text(let texts):
            let stub = event.stubReference?.searchedText ?? ""
            return texts.contains { text in
                text.matches(request.url) || text.matches(request.method) || text.matches(stub)
                    || text.matches(context.session)
            }
        case .method(let names): return names.contains { request.method.elementsEqual($0.utf8) }
        case .status(let ranges):
            guard let status = event.status, event.fault == nil else { return false }
            return ranges.contains { $0.contains(status) }
        case .ending(let texts):
            let endings = [event.fault?.rawValue].compactMap(\.self) + event.faults.map { $0.then ?? $0.name }
            return texts.contains { text in endings.contains { text.matches($0) } }
        case .state(let states): return states.contains { $0.holds(event) }
        case .field(let field, let texts):
            guard let text = field.text(of: event, context) else { return false }
            return texts.contains { $0.matches(text) }
        case .header(let wanted): return wanted.contains { $0.isIn(event) }
        case .body(let texts): return texts.contains { $0.isInBody(of: event) }
        case .duration(let range): return event.duration.map { range.contains($0 / 1_000) } ?? false
        case .size(let range):
            return event.end.map { range.contains($0.bodyBytesSent ?? $0.bytesSent) } ?? false
        case .last(let age): return request.wallTime / 1_000_000 >= (context.now > age ? context.now - age : 0)
        }
    }
}

extension RequestFilter.State {
    fileprivate func holds(_ event: ServeEvent) -> Bool {
        switch self {
        case .unmatched: event.isUnmatched
        case .failed: event.failure != nil
        case .fault: event.fault != nil || !event.faults.isEmpty
        case .open: event.end == nil
        case .held: event.end == nil && event.responseDefinition?.hold != nil
        case .proxied: event.proxied != nil || event.responseDefinition?.proxyBaseUrl != nil
        }
    }
}

extension RequestFilter.Field {
    /// The text of a request that a condition compares; nil if it has none.
    fileprivate func text(of event: ServeEvent, _ context: FilterContext) -> String? {
        let request = event.request
        switch self {
        case .path: return String(decoding: request.path, as: UTF8.self)
        case .host: return (request.authority ?? request.header(hostField)).map { String(decoding: $0, as: UTF8.self) }
        case .stub: return event.stubReference?.searchedText
        case .file: return event.stubReference?.file.map { "\($0):\(event.stubReference?.line ?? 0)" }
        case .session: return context.session.isEmpty ? nil : context.session
        case .proto: return request.version == .http2 ? "HTTP/2" : request.version.name
        case .type: return event.response?.fields.first { $0.name.lowercased() == "content-type" }?.value
        }
    }
}

extension RequestFilter.HeaderText {
    /// Whether the request or the answer has such a header field.
    fileprivate func isIn(_ event: ServeEvent) -> Bool {
        var isFound = false
        event.request.forEachHeaderValue(name) { value in
            isFound = text?.matches(value) ?? true
            return !isFound
        }
        let name = name
        return isFound
            || (event.response?.fields ?? []).contains { field in
                field.name.lowercased().utf8.elementsEqual(name) && (text?.matches(field.value) ?? true)
            }
    }
}

extension TextGlob {
    /// Whether the text is in the stored body of the request or the answer.
    fileprivate func isInBody(of event: ServeEvent) -> Bool {
        let request = event.request
        if request.hasGzipBody {
            if matches(RequestDetails(request, bodyLimit: event.bodyLimit).bodyText) { return true }
        } else if matches(request.body) {
            return true
        }
        return event.response.map { matches($0.body) } ?? false
    }
}

extension StubReference {
    /// The text in which a free word is searched.
    fileprivate var searchedText: String {
        "\(name ?? "") \(key) \(file.map { "\($0):\(line ?? 0)" } ?? "") \(id.lowercasedString)"
    }
}

private let hostField = Array("host".utf8)
