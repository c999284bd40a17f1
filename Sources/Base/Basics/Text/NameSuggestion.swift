/// The name in `candidates` that an unknown `name` most likely means: first one that differs only in case, `-` and `_`;
/// then a synonym from other tools (`OtherTools`); then the nearest spelling. Nil if there is none.
public func meantName(by name: String, among candidates: some Sequence<String>) -> String? {
    let candidates = candidates.filter { $0 != name }
    return otherToolsName(for: name, among: candidates) ?? nearestName(to: name, among: candidates)
}

/// The name in `candidates` that differs from `name` only in case, `-` and `_`, or is its synonym from other tools; nil
/// if there is none, even if another spelling is near.
public func otherToolsName(for name: String, among candidates: some Sequence<String>) -> String? {
    let word = plain(name)
    let candidates = candidates.filter { $0 != name }
    if let same = candidates.first(where: { plain($0) == word }) { return same }
    for names in OtherTools.names where names.contains(where: { plain($0) == word }) {
        if let meant = names.lazy.compactMap({ other in candidates.first { plain($0) == plain(other) } }).first {
            return meant
        }
    }
    return nil
}

/// The suffix of a message about an unknown name: `; did you mean "status"?`; empty without a nearest name.
/// - Parameter mark: the quotes around the name; empty for words of a command line.
public func didYouMean(_ nearest: String?, in mark: String = "\"") -> String {
    nearest.map { "; did you mean \(mark)\($0)\(mark)?" } ?? ""
}

/// The suffix of a message. The guess comes first, because the list of valid names may be long:
/// `; did you mean "status"? Expected one of body, status, found the text "x"`, or without a guess
/// `; expected one of …, found …`.
public func expecting(_ expected: String?, found: String? = nil, meaning meant: String? = nil) -> String {
    let guess = didYouMean(meant)
    guard let expected else { return (found.map { "; found \($0)" } ?? "") + guess }
    let rest = expected + (found.map { ", found \($0)" } ?? "")
    return guess.isEmpty ? "; expected \(rest)" : "\(guess) Expected \(rest)"
}

/// A name without case and word separators.
private func plain(_ name: String) -> String {
    String(
        decoding: name.lowercased().utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }, as: UTF8.self)
}

/// Synonyms: the names of one thing in Stunt Double, in WireMock and in other tools (mountebank, Mockoon, json-server,
/// MockServer, Prism, nock, MSW, Hoverfly and plain HTTP clients). An unknown name means the first one in its row that
/// is valid in its context.
enum OtherTools {
    static let names: [[String]] = text.split(separator: "\n").map { line in
        line.split(separator: " ").map { String($0) }
    }

    private static let text = """
        mappings stubs stubMappings stub-mappings expectations expectation imposters interactions routes mocks endpoints
        request when httpRequest req if match conditions predicates rules rule
        response httpResponse res resp reply is
        responses sequence replies
        status statusCode httpStatus httpStatusCode responseStatus responseCode returnCode code
        statusMessage reason reasonPhrase statusText
        headers header responseHeaders httpHeaders contentType mimeType mediaType content-type
        body responseBody content text payload
        jsonBody json responseJson jsonPayload
        bodyFileName file bodyFile responseFile filePath bodyFromFile
        base64Body base64 binary
        fixedDelayMilliseconds delay fixedDelay latency delayMs responseDelay wait sleep pause
        delayDistribution delay randomDelay delayRange
        chunkedDribbleDelay dribble throttle
        template templated templating handlebars transformers
        fault faults error failure networkError
        method verb httpMethod requestMethod
        urlPath path pathname endpoint uri route
        url uri
        urlPathPattern pathPattern pathRegex urlRegex
        urlPattern urlRegex regexUrl
        urlPathTemplate pathTemplate urlTemplate
        queryParameters query params queryParams queryString queryStringParameters search
        pathParameters path pathParams
        formParameters form formParams formData
        cookies cookie
        basicAuth basicAuthCredentials auth authorization basicAuthentication
        bodyPatterns body requestBody bodyMatchers bodyPattern
        multipartPatterns multipart parts multipartFormData
        customMatcher custom matcher
        clientIp ip client remoteAddress
        clientCertificate clientCert certificate cert mtls
        scenarioName scenario
        requiredScenarioState requiredState from
        newScenarioState newState to
        name title description label
        priority weight
        times count limit maxUses
        ttl expires expiry timeToLive expiresIn
        serveEventListeners capture recordState remember
        metadata meta tags
        cors enableCors allowCors accessControl allowOrigin crossOrigin
        origins origin allowedOrigins allowOrigins allowOrigin
        credentials allowCredentials withCredentials
        expose exposedHeaders exposeHeaders headers
        root-dir dir directory folder root mappings stubs mocks data config configfile datadir
        data records items seed rows
        data body request-body payload
        key id idField primaryKey
        basePath base prefix urlPrefix pathPrefix endpointPrefix
        matches regex regexp pattern matchesRegex re
        equalTo equals equal eq exact exactly deepEquals is value
        doesNotContain notContains excludes
        doesNotMatch notMatches notMatching
        contains containing include has substring
        startsWith prefix beginsWith
        endsWith suffix
        absent missing isAbsent isNull notExists
        equalToJson jsonEquals matchesJson json
        matchesJsonPath jsonPath
        matchesJsonSchema jsonSchema schema
        equalToXml xml
        matchesXPath xpath
        caseInsensitive ignoreCase
        ignoreArrayOrder ignoreOrder
        or anyOf oneOf
        and allOf
        greaterThanNumber greaterThan gt
        greaterThanEqualNumber greaterThanOrEqual gte
        lessThanNumber lessThan lt
        lessThanEqualNumber lessThanOrEqual lte
        bind-address host hostname address bind listen listen-address interface ip
        port http-port
        enable-stub-cors cors enable-cors allow-cors stub-cors allow-origin
        verbose debug log-level loglevel trace
        disable-request-logging quiet silent nologfile
        log-format json-logs
        no-request-journal no-journal disable-journal
        global-response-templating templating enable-templating response-templating allow-injection
        admin-api-basic-auth basic-auth auth
        admin-token api-key apikey token
        drain-timeout grace-period shutdown-timeout
        https-port https tls ssl
        serve start run server up mock
        validate check lint verify test
        routes list ls stubs
        explain why match
        completion completions
        help usage
        requests journal history calls logs log serve-events
        reset clear reset-all
        health healthcheck ping ready live
        state states
        docs openapi api-docs spec
        remove delete
        settings config
        shutdown stop exit quit
        """
}
