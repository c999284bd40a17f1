import SDBasics
public import SDHTTPTransport
import SDMatching
import SDPlatform
public import SDStubModel

extension LoggedRequest {
    /// Makes the log of a request in the journal. It shows as many body bytes, without content coding, as the journal
    /// stores.
    public init(_ event: ServeEvent) {
        self.init(event.request, bodyLimit: event.bodyLimit)
        wholeBody = event.wholeBody ?? wholeBody
        isBrowserProxy = event.isBrowserProxy
    }

    /// Makes the log of a received request.
    /// - Parameter bodyLimit: the largest number of body bytes, without the content coding.
    public init(_ request: Request, bodyLimit: Int) {
        self.init()
        let details = RequestDetails(request, bodyLimit: bodyLimit)
        func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
        let target = text(request.url)
        url = target
        method = text(request.method)
        clientIP = details.clientIP
        headers = SDJournal.grouped(
            request.headers.map { (text($0.name), HeaderText.string($0.value)) }, ignoringCase: true)
        cookies = Self.grouped(details.cookies)
        let milliseconds = Int64(request.wallTime / 1_000_000)
        loggedDate = milliseconds
        loggedDateText = Timestamp(milliseconds: milliseconds).shortest
        body = Array(details.body)
        bodyText = text(details.bodyText)
        wholeBody = details.wholeBody
        httpVersion = request.version.name
        scheme = details.scheme
        host = details.host
        port = details.port
        let isDefaultPort = port == (request.isSecure ? 443 : 80)
        absoluteURL = "\(details.scheme)://\(details.host)\(isDefaultPort ? "" : ":\(details.port)")\(target)"
        query = Self.grouped(details.query)
        form = Self.grouped(details.form)
    }

    private static func grouped(_ parameters: [QueryParameter]) -> [ResponseHeader] {
        SDJournal.grouped(
            parameters.map { (String(decoding: $0.name, as: UTF8.self), String(decoding: $0.value, as: UTF8.self)) })
    }
}

/// The fields by name, one entry for each, in the order of first appearance.
package func grouped(_ fields: [(String, String)], ignoringCase: Bool = false) -> [ResponseHeader] {
    var grouped: [ResponseHeader] = []
    var places: [String: Int] = [:]
    for (name, value) in fields {
        let key = ignoringCase ? name.lowercased() : name
        if let place = places[key] {
            grouped[place].values.append(value)
        } else {
            places[key] = grouped.count
            grouped.append(ResponseHeader(name, [value]))
        }
    }
    return grouped
}

extension LoggedRequest {
    /// The description completed with defaults for the parts that a client may leave out when it asks which stub would
    /// answer: `GET`, the path of the absolute URL or else `/`, and the body, which may be given as text.
    package func completed() -> LoggedRequest {
        var request = self
        request.method = method ?? "GET"
        request.url = url ?? absoluteURL.flatMap { AbsoluteURL($0) }?.target ?? "/"
        request.body = body ?? bodyText.map { Array($0.utf8) } ?? []
        return request
    }

    /// The client's description as WireMock shows it, with derived parts filled in.
    package func redacted(of request: DescribedRequest) -> LoggedRequest {
        var shown = self
        let details = RequestDetails(request, bodyLimit: max(request.body.count, TextPreview.longest))
        shown.bodyText = body.map { _ in String(decoding: details.bodyText, as: UTF8.self) }
        if query.isEmpty, url != nil { shown.query = Self.grouped(details.query) }
        shown.loggedDateText = loggedDate.map { Timestamp(milliseconds: $0).shortest }
        if let absolute = absoluteURL.flatMap({ AbsoluteURL($0) }) {
            (shown.scheme, shown.host, shown.port) = (absolute.scheme, details.host.withoutUser, details.port)
        }
        return shown
    }
}

/// A request described by a client, as matchers read it. Parts left out are listed in `omissions`.
package struct DescribedRequest: TemplateRequest {
    package let method: ArraySlice<UInt8>
    package let url: ArraySlice<UInt8>
    package let path: ArraySlice<UInt8>
    package let query: ArraySlice<UInt8>?
    package let authority: ArraySlice<UInt8>?
    package let body: ArraySlice<UInt8>
    package let isSecure: Bool
    package let peer: String
    package let localPort: UInt16
    package let wallTime: UInt64
    let omissions: RequestOmissions
    package let headers: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)]

    /// Makes the request that a client described.
    /// - Parameters:
    ///   - now: the time for a description without one, in nanoseconds since 1970.
    ///   - isWhole: whether a missing part means that the request has none, rather than that it is unknown.
    package init(_ logged: LoggedRequest, now: UInt64, isWhole: Bool = false) {
        let absolute = logged.absoluteURL.flatMap { AbsoluteURL($0) }
        method = Array((logged.method ?? "").utf8)[...]
        let url = Array((logged.url ?? "/").utf8)[...]
        let mark = url.firstIndex(of: UInt8(ascii: "?"))
        self.url = url
        path = url[..<(mark ?? url.endIndex)]
        query = mark.map { url[($0 + 1)...] }
        let stated = logged.host.map { logged.port > 0 ? "\($0):\(logged.port)" : $0 }
        authority = (absolute?.authority ?? stated).map { Array($0.utf8)[...] }
        body = (logged.body ?? [])[...]
        isSecure = (logged.scheme ?? absolute?.scheme) == "https"
        peer = logged.clientIP ?? ""
        localPort = UInt16(exactly: logged.port) ?? 0
        wallTime =
            logged.loggedDate.flatMap { UInt64(exactly: $0) }.map { milliseconds in
                let (nanoseconds, isTooLarge) = milliseconds.multipliedReportingOverflow(by: 1_000_000)
                return isTooLarge ? .max : nanoseconds
            } ?? now
        var headers = (logged.headers ?? []).flatMap { header in
            header.values.map { (name: Array(header.name.lowercased().utf8)[...], value: Array($0.utf8)[...]) }
        }
        let cookie = Array("cookie".utf8)[...]
        if !headers.contains(where: { $0.name == cookie }), let cookies = logged.cookies, !cookies.isEmpty {
            let pairs = cookies.flatMap { cookie in cookie.values.map { "\(cookie.name)=\($0)" } }
            headers.append((cookie, Array(pairs.joined(separator: "; ").utf8)[...]))
        }
        self.headers = headers
        let host = Array("host".utf8)[...]
        var omissions: RequestOmissions = []
        if logged.url == nil { omissions.insert(.url) }
        if logged.body == nil { omissions.insert(.body) }
        if authority == nil, !headers.contains(where: { $0.name == host }) { omissions.insert(.origin) }
        self.omissions = isWhole ? [] : omissions
    }

    package func header(_ name: [UInt8]) -> ArraySlice<UInt8>? {
        headers.first { $0.name.elementsEqual(name) }?.value
    }

    package func forEachHeaderValue(_ name: [UInt8], _ body: (ArraySlice<UInt8>) -> Bool) {
        for header in headers where header.name.elementsEqual(name) {
            if !body(header.value) { return }
        }
    }
}

/// The parts of `http://host:port/path?query`.
private struct AbsoluteURL {
    let scheme: String
    let authority: String
    let target: String

    init?(_ text: String) {
        guard let mark = text.firstRange(ofText: "://") else { return nil }
        scheme = text[..<mark.lowerBound].lowercased()
        let rest = text[mark.upperBound...]
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        authority = String(rest[..<end])
        target = end == rest.endIndex ? "/" : String(rest[end...])
    }
}
