import SDBasics

/// Suggests the path for a misspelt name, or another tool's name, in a template.
struct SuggestedPath {
    let scope: TemplateScope

    /// The suggestion for a path whose first name is unknown; nil if there is none.
    func root(_ segments: [String]) -> String? {
        guard let first = segments.first else { return nil }
        let rest = Array(segments.dropFirst())
        let word = Self.plain(first)
        if Self.requests.contains(word) || (!rest.isEmpty && nearestName(to: first, among: [scope.request]) != nil) {
            guard let member = rest.first else { return scope.request }
            return Template.requestMembers.contains(member)
                ? Self.text([scope.request] + rest) : self.member(rest) ?? Self.text([scope.request] + rest)
        }
        if rest.isEmpty, let variable = variable(first) { return variable }
        if rest.isEmpty, scope.query.contains(first) { return Self.text([scope.request, "query", first]) }
        // Every request has an id, but it is rarely what is meant.
        if word == "id", rest.isEmpty { return nil }
        if let member = member(segments) { return member }
        if let call = Self.calls[word] { return call }
        if rest.isEmpty, let call = MeantExpression(first)?.text, call.first != "#" { return call }
        if !rest.isEmpty, let call = Self.madeUp(word, rest) { return call }
        if word == "env" || word == "environment", let name = rest.first { return "systemValue key='\(name)'" }
        if let near = nearestName(to: first, among: scope.roots) { return Self.text([near] + rest) }
        return nearestName(to: first, among: Template.requestMembers.filter { $0 != "id" }).map {
            Self.text([scope.request, $0] + rest)
        }
    }

    /// The call for `random.uuid` or `faker.name.firstName`; nil for other paths.
    private static func madeUp(_ word: String, _ rest: [String]) -> String? {
        guard ["random", "faker", "fake", "chance"].contains(word) else { return nil }
        let name = rest.joined(separator: ".")
        if let call = MeantExpression("random" + name)?.text ?? MeantExpression(name)?.text { return call }
        return rest.count > 1 ? MeantExpression("faker", ["'\(name)'"])?.text : nil
    }

    /// The suggestion for a path whose first name is not a member of the request.
    func member(_ segments: [String]) -> String? {
        guard let first = segments.first else { return nil }
        let rest = Array(segments.dropFirst())
        let word = Self.plain(first)
        switch Self.kinds[word] {
        case .variables: return variables(rest)
        case .part(let name): return Self.text([scope.request, name] + rest)
        case .text: return rest.isEmpty ? "\(scope.request).body" : json(rest)
        case .json: return json(rest)
        case .form: return "formData \(scope.request).body 'form'"
        case nil: break
        }
        if Template.requestMembers.contains(first) { return Self.text([scope.request] + segments) }
        return nil
    }

    /// The path to a field of the body.
    func json(_ names: [String]) -> String {
        let path = names.map { name in
            name.allSatisfy(\.isNumber) ? "[\(name)]" : ".\(name)"
        }
        return "jsonPath \(scope.request).body '$\(path.joined())'"
    }

    /// The path variable that a name means; nil for none.
    func variable(_ name: String) -> String? {
        guard let known = scope.variables else { return nil }
        let word = Self.plain(name)
        let meant =
            known.first { Self.plain($0) == word } ?? nearestName(to: name, among: known)
        return meant.map { Self.text([scope.request, "path", $0]) }
    }

    private func variables(_ names: [String]) -> String? {
        guard let known = scope.variables else { return Self.text([scope.request, "path"] + names) }
        guard let name = names.first else {
            return known.count == 1 ? Self.text([scope.request, "path", known[0]]) : nil
        }
        if known.isEmpty { return Self.text([scope.request, "query"] + names) }
        return variable(name) ?? (known.count == 1 ? Self.text([scope.request, "path", known[0]]) : nil)
    }

    /// The source text of a path.
    static func text(_ segments: [String]) -> String {
        segments.map { segment in
            !segment.isEmpty && segment.utf8.allSatisfy(TagReader.isNamePart) ? segment : "[\(segment)]"
        }.joined(separator: ".")
    }

    /// A name without case and word separators.
    static func plain(_ name: String) -> String {
        String(decoding: name.lowercased().utf8.filter { !"-_$".utf8.contains($0) }, as: UTF8.self)
    }

    // MARK: - Names of other tools

    private enum Kind {
        /// The path variables.
        case variables
        /// The member of the request with this name.
        case part(String)
        /// The body, or a field of it.
        case text
        /// A field of the body.
        case json
        case form
    }

    private static let requests: Set = ["req", "request", "httprequest", "originalrequest", "ctx", "event", "call"]

    private static let kinds: [String: Kind] = {
        let words: [(Kind, String)] = [
            (
                .variables,
                "params param pathparams pathparam pathparameters pathparameter pathvariables pathvariable pathvars "
                    + "urlparams urlparam routeparams routeparam uriparams uriparam vars variables"
            ),
            (
                .part("query"),
                "query queryparams queryparam queryparameters queryparameter querystring querystringparameters queries "
                    + "qs search searchparams args arg urlparameters"
            ),
            (.part("headers"), "headers header requestheaders httpheaders"),
            (.part("cookies"), "cookies cookie"),
            (.part("parts"), "parts part multiparts files file"),
            (.part("method"), "method verb httpmethod requestmethod"),
            (.part("url"), "url uri requesturl requesturi originalurl fullurl"),
            (.part("path"), "pathname urlpath requestpath"),
            (.part("pathSegments"), "segments pathsegments"),
            (.part("host"), "host hostname"),
            (.part("port"), "port"),
            (.part("scheme"), "scheme protocol"),
            (.part("clientIp"), "ip clientip remoteaddress remoteaddr remoteip"),
            (.part("baseUrl"), "baseurl origin"),
            (.part("clientCertificate"), "clientcertificate clientcert certificate cert"),
            (.text, "body requestbody payload content rawbody bodytext bodyasstring bodystring text"),
            (.json, "json jsonbody bodyjson bodyasjson data input"),
            (.form, "form formdata formparams formparameters formfields"),
        ]
        var kinds: [String: Kind] = [:]
        for (kind, names) in words { for name in names.split(separator: " ") { kinds[String(name)] = kind } }
        return kinds
    }()

    /// Our helpers that take a name.
    private static let calls = ["state": "state 'NAME'", "counter": "counter 'NAME'"]
}
