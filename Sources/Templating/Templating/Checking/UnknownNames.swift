import SDBasics

/// A path in an expression that does not exist.
struct UnknownName {
    /// The path as written.
    let path: String
    /// The byte offset of the expression in the template.
    let offset: Int
    /// The reason: which value lacks which member.
    let reason: String
    let expected: String
    let suggestion: String?
}

/// Finds unknown names: first collects all names that are used and all that are assigned, then describes those that
/// remain.
struct UnknownNames {
    private let scope: TemplateScope
    private let meant: SuggestedPath
    private let variables: Set<String>
    private let parameters: Set<String>
    /// The paths that must exist, each at its first use.
    private var uses: [Use] = []
    private var used: Set<String> = []
    private var found: [UnknownName] = []
    /// The number of unknown names.
    private var count = 0
    /// The maximum number of detailed findings.
    private let limit: Int
    /// The names assigned by helpers and blocks.
    private var given: Set<String> = []
    /// Whether a helper assigns a name that is not constant.
    private var givesAny = false
    /// Whether names refer to members of the model, rather than first to those of an element or similar.
    private var isOutermost = true

    /// The distinct unknown names in template order: the first ones up to a limit, and the number of the others.
    static func find(in template: Template, _ scope: TemplateScope, limit: Int) -> (names: [UnknownName], others: Int) {
        var search = UnknownNames(scope, limit: limit)
        search.look(at: template.nodes, isOutermost: true)
        for use in search.uses { search.look(up: use) }
        return (search.found, search.count - search.found.count)
    }

    private init(_ scope: TemplateScope, limit: Int) {
        self.scope = scope
        self.limit = limit
        meant = SuggestedPath(scope: scope)
        variables = Set(scope.variables ?? [])
        parameters = Set(scope.parameters ?? [])
    }

    // MARK: - Nodes

    /// The helpers whose blocks are rendered with another `this`, or elsewhere.
    private static let movingHelpers: Set = ["each", "with", "partial"]

    private mutating func look(at nodes: [TemplateNode], isOutermost: Bool) {
        let outer = self.isOutermost
        self.isOutermost = isOutermost
        defer { self.isOutermost = outer }
        for node in nodes {
            switch node {
            case .text: break
            case .output(let expression), .json(let expression): look(at: expression)
            case .block(let block):
                look(at: block.expression)
                given.formUnion(block.blockParameters)
                let stays = block.expression.helper.map { !Self.movingHelpers.contains($0.name) } ?? false
                look(at: block.body, isOutermost: isOutermost && stays)
                look(at: block.inverse, isOutermost: isOutermost)
            case .partial(let partial):
                if let context = partial.context { look(at: context, partial.offset) }
                for (_, value) in partial.hash { look(at: value, partial.offset) }
                look(at: partial.fallback ?? [], isOutermost: false)
            case .inline(_, let body): look(at: body, isOutermost: false)
            }
        }
    }

    private mutating func look(at expression: TemplateExpression) {
        // Such a helper's name without parameters is a value.
        let isValue = expression.isBare && expression.helper?.precedence == .withParameters
        if expression.helper == nil || isValue { look(at: expression.subject, expression.offset) }
        if let helper = expression.helper { noteNames(givenBy: helper.name, expression) }
        if HelperOptions.offset(in: expression) == nil {
            for parameter in expression.parameters { look(at: parameter, expression.offset, isParameter: true) }
        }
        for (_, value) in expression.hash { look(at: value, expression.offset, isParameter: true) }
    }

    /// Records the name under which a helper stores its value.
    private mutating func noteNames(givenBy helper: String, _ expression: TemplateExpression) {
        let (parameters, hash) = (expression.parameters, expression.hash)
        switch helper {
        case "assign": note(parameters.first)
        case "formData": note(parameters.dropFirst().first)
        case "regexExtract": note(parameters.dropFirst(2).first)
        case "val": note(hash.last { $0.name == "assign" }?.value)
        case "parseJson":
            // For a block the name comes first, because the body is the value.
            if case .literal? = parameters.first { note(parameters.first) }
            note(parameters.dropFirst().first)
        default: break
        }
    }

    private mutating func note(_ name: TemplateOperand?) {
        switch name {
        case .literal(.text(let name)): given.insert(name)
        case .path, .call: givesAny = true
        case .literal, nil: break
        }
    }

    // MARK: - Paths

    /// Words that deliberately stand for nothing, and operators, which are reported elsewhere.
    private static let nothings: Set = ["null", "undefined", "nil", ">", "<"]

    private mutating func look(at operand: TemplateOperand, _ offset: Int, isParameter: Bool = false) {
        switch operand {
        case .literal: break
        case .call(let expression): look(at: expression)
        case .path(let path):
            var segments = path.segments[...]
            var isRooted = isOutermost
            switch path.start {
            case .name: break
            case .data where segments.first == "root":
                segments = segments.dropFirst()
                isRooted = true
            case .this, .parent, .data: return
            }
            guard let root = segments.first, root != "this" else { return }
            let isOfRequest = root == scope.request
            guard isOfRequest || isRooted && !Self.nothings.contains(root), used.insert(path.text).inserted else {
                return
            }
            let place = Place(path: path.text, offset: offset, isParameter: isParameter)
            uses.append(Use(segments: segments, place: place, isOfRequest: isOfRequest))
        }
    }

    private mutating func look(up use: Use) {
        if use.isOfRequest {
            lookBelowRequest(Array(use.segments.dropFirst()), use.place)
        } else {
            lookBelowModel(Array(use.segments), use.place)
        }
    }

    /// A path that must exist.
    private struct Use {
        let segments: ArraySlice<String>
        let place: Place
        /// Whether it is a member of the request rather than of the model.
        let isOfRequest: Bool
    }

    /// The context of a path.
    private struct Place {
        let path: String
        let offset: Int
        /// Whether it is a parameter of a helper.
        let isParameter: Bool
    }

    /// Counts an unknown name. Returns whether it is reported in detail.
    private mutating func isWanted() -> Bool {
        count += 1
        return found.count < limit
    }

    private mutating func add(_ reason: String, expected: String, suggestion: String?, _ place: Place) {
        found.append(
            UnknownName(
                path: place.path, offset: place.offset, reason: reason, expected: expected, suggestion: suggestion))
    }

    private mutating func lookBelowModel(_ segments: [String], _ place: Place) {
        let root = segments[0]
        switch root {
        case "parameters":
            guard let known = scope.parameters, segments.count > 1 else { return }
            look(for: segments[1], of: root, among: known, place, isMap: true)
        case "path" where scope.variables?.isEmpty != true:
            guard segments.count > 1 else { return }
            lookForVariable(segments[1], of: root, place)
        case "response" where scope.place == .listener || scope.place == .webhook,
            "originalResponse" where scope.place == .webhook:
            guard segments.count > 1 else { return }
            look(for: segments[1], of: root, among: ["status", "headers", "body", "bodyAsBase64"], place)
        case "message" where scope.place == .message:
            guard segments.count > 1 else { return }
            look(for: segments[1], of: root, among: ["body"], place)
        case "stream" where scope.place == .stream:
            guard segments.count > 1 else { return }
            look(for: segments[1], of: root, among: ["index", "round"], place)
        default:
            // The template may assign the name.
            guard !givesAny, !given.contains(root) else { return }
            let isHelper = place.isParameter && segments.count == 1 && NamedHelper.named(root) != nil
            let isPathWithoutVariables = root == "path"
            guard isWanted() else { return }
            if place.isParameter, root == "$" {
                add("there is no `$`", expected: "a JSONPath in quotes", suggestion: "'\(place.path)'", place)
                return
            }
            add(
                isPathWithoutVariables && segments.count > 1
                    ? "the stub's path has no variables" : "there is no `\(root)`",
                expected: isHelper ? "(\(root)) for what the helper `\(root)` makes" : scope.expected,
                suggestion: isHelper
                    ? "(\(root))"
                    : isPathWithoutVariables ? pathWithoutVariables(segments) : meant.root(segments),
                place)
        }
    }

    /// The meaning of `path` if the stub's path has no variables.
    private func pathWithoutVariables(_ segments: [String]) -> String? {
        let isPlace = segments.count < 2 || Int(segments[1]) != nil
        return isPlace ? SuggestedPath.text([scope.request] + segments) : nil
    }

    // MARK: - Members

    /// The maximum number of names in a list that are compared and reported.
    private static let most = 100

    private static func list(_ names: [String]) -> String {
        names.prefix(most).joined(separator: ", ") + (names.count > most ? " and \(names.count - most) more" : "")
    }

    /// Members of Java's maps.
    private static let ofMaps: Set = ["size", "empty", "isEmpty", "keySet", "values", "entrySet", "toString", "this"]
    /// Members of Java's lists.
    private static let ofLists: Set = [
        "first", "last", "single", "isSingle", "getFirst", "size", "length", "empty", "isEmpty", "toString", "this",
    ]
    /// Members of Java's strings.
    private static let ofTexts: Set = [
        "length", "empty", "isEmpty", "blank", "isBlank", "toUpperCase", "toLowerCase", "trim", "strip", "intern",
        "toString", "hashCode", "this", "bytes", "getBytes",
    ]

    private mutating func look(
        for name: String, of owner: String, among known: [String], _ place: Place, isMap: Bool = false
    ) {
        // There may be as many parameters as names.
        let isKnown = owner == "parameters" ? parameters.contains(name) : known.contains(name)
        guard !isKnown, name != "this", name != "toString", !(isMap && Self.ofMaps.contains(name)) else {
            return
        }
        guard isWanted() else { return }
        add(
            "`\(owner)` has no `\(name)`",
            expected: known.isEmpty ? "a value under transformerParameters" : Self.list(known),
            suggestion: nearestName(to: name, among: known.prefix(Self.most)).map {
                place.path.replacingFirst(name, with: $0)
            }, place)
    }

    private mutating func lookForVariable(_ name: String, of owner: String, _ place: Place) {
        guard let known = scope.variables, !variables.contains(name), Int(name) == nil else { return }
        guard !Self.ofMaps.contains(name), name != "length" else { return }
        if known.isEmpty {
            guard isWanted() else { return }
            add(
                "the stub's path has no variables", expected: "a path with a variable, such as /users/{\(name)}",
                suggestion: nil, place)
            return
        }
        guard isWanted() else { return }
        add(
            "`\(owner)` has no `\(name)`", expected: Self.list(known),
            suggestion: (meant.variable(name) ?? (known.count == 1 ? meant.variable(known[0]) : nil)), place)
    }

    private mutating func lookBelowRequest(_ segments: [String], _ place: Place) {
        guard let member = segments.first else { return }
        guard Template.requestMembers.contains(member) else {
            // Java's own members: `getMethod`, `toString`.
            if member.hasPrefix("get") || member == "toString" || member == "this" { return }
            guard isWanted() else { return }
            add(
                "`\(scope.request)` has no `\(member)`", expected: Template.requestMembers.joined(separator: ", "),
                suggestion: meant.member(segments)
                    ?? nearestName(to: member, among: Template.requestMembers).map {
                        SuggestedPath.text([scope.request, $0] + segments.dropFirst())
                    }, place)
            return
        }
        guard segments.count > 1 else { return }
        let (name, owner) = (segments[1], "\(scope.request).\(member)")
        switch member {
        case "path", "pathSegments": lookForVariable(name, of: owner, place)
        case "body", "url", "bodyAsBase64", "scheme", "host", "baseUrl", "clientIp", "id":
            guard !Self.ofTexts.contains(name) else { return }
            let isBody = member == "body"
            guard isWanted() else { return }
            add(
                "`\(owner)` is a text and has no `\(name)`",
                expected: isBody ? "jsonPath, which finds fields of a JSON body" : owner,
                suggestion: isBody ? meant.json(Array(segments.dropFirst())) : nil, place)
        case "headers", "query", "cookies":
            guard segments.count > 2, Int(segments[2]) == nil, !Self.ofLists.contains(segments[2]) else { return }
            guard isWanted() else { return }
            add(
                "the value of `\(owner).\(name)` has no `\(segments[2])`", expected: "a number, first or last",
                suggestion: "\(owner).[\(segments.dropFirst().joined(separator: "."))]", place)
        case "parts":
            guard segments.count > 2 else { return }
            look(
                for: segments[2], of: "\(owner).\(name)",
                among: ["name", "filename", "body", "bodyAsBase64", "binary", "headers"], place)
        case "clientCertificate":
            look(for: name, of: owner, among: Self.certificateFields, place, isMap: true)
        default: return
        }
    }

    private static let certificateFields = [
        "subject", "issuer", "serialNumber", "fingerprint", "notBefore", "notAfter", "alternativeNames", "pem",
    ]
}

extension String {
    fileprivate func replacingFirst(_ part: String, with other: String) -> String {
        guard let range = firstRange(ofText: part) else { return self }
        return String(self[..<range.lowerBound]) + other + self[range.upperBound...]
    }
}
