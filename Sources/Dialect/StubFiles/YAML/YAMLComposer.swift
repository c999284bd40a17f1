import SDBasics
public import SDJSON
import SDShorthand

extension JSONValue {
    /// Parses a YAML stream of one document. In addition to JSON:
    /// - Plain scalars follow the core schema of YAML 1.2; quoted and block scalars are strings. Numbers are normalized
    ///   to JSON (`+.5` is `0.5`, `0x10` is `16`); infinities and NaN are errors.
    /// - Keys are scalars, taken as text. Duplicate keys are errors.
    /// - Anchors, aliases and merge keys (`<<`) are resolved, up to `YAMLLimits.aliasedNodes`.
    /// - Tags outside of the core schema, and a second document, are errors.
    ///
    /// An empty stream is null.
    /// - Throws: the first error and its position.
    public init(parsingYAML bytes: some Sequence<UInt8>) throws(YAMLError) {
        var composer = YAMLComposer(Array(bytes))
        self = try composer.document()
    }

    /// Parses a YAML stream like `init(parsingYAML:)`. Also returns the lines on which the outer values start, except
    /// inside aliases; warnings, such as about an anchor that is defined twice; and whether any scalar is spelt
    /// differently from its value, such as `007`.
    /// - Throws: the first error and its position.
    public init(
        parsingYAML bytes: [UInt8], outline: inout DocumentOutline, warnings: inout [YAMLError],
        hasSpellings: inout Bool
    ) throws(YAMLError) {
        var composer = YAMLComposer(bytes)
        composer.outline = DocumentOutline()
        self = try composer.document()
        outline = composer.outline ?? DocumentOutline()
        warnings = composer.warnings
        hasSpellings = composer.hasSpellings
    }

    /// Parses a YAML stream like the initializer above, without the check of spellings.
    /// - Throws: the first error and its position.
    public init(
        parsingYAML bytes: [UInt8], outline: inout DocumentOutline, warnings: inout [YAMLError]
    ) throws(YAMLError) {
        var hasSpellings = false
        try self.init(parsingYAML: bytes, outline: &outline, warnings: &warnings, hasSpellings: &hasSpellings)
    }

    /// Parses a foreign YAML stream leniently: the last of equal keys wins, an infinity is a string, an invalid,
    /// recursive or too large alias is null, and an unknown tag is ignored. Each of these is a warning.
    /// - Throws: the first remaining error, and its position.
    public init(
        parsingForeignYAML bytes: [UInt8], outline: inout DocumentOutline, warnings: inout [YAMLError]
    ) throws(YAMLError) {
        var composer = YAMLComposer(bytes)
        composer.isLenient = true
        composer.outline = DocumentOutline()
        self = try composer.document()
        outline = composer.outline ?? DocumentOutline()
        warnings = composer.warnings
    }

    /// Parses a YAML stream like `init(parsingYAML:)`, but with each scalar as its literal text: `007` is `"007"`, `~`
    /// is `"~"`.
    /// - Throws: the first error and its position.
    public init(textsOfYAML bytes: [UInt8]) throws(YAMLError) {
        var composer = YAMLComposer(bytes)
        composer.takesTexts = true
        self = try composer.document()
    }

    /// Parses all documents of a YAML stream, each independently.
    /// - Throws: the first error and its position.
    public static func documents(ofYAML bytes: [UInt8]) throws(YAMLError) -> [JSONValue] {
        var composer = YAMLComposer(bytes)
        return try composer.documents()
    }

    /// Parses a YAML text of one document.
    /// - Throws: the first error and its position.
    public init(parsingYAML text: String) throws(YAMLError) {
        try self.init(parsingYAML: text.utf8)
    }
}

extension SourceMap {
    /// Locates the values at `pointers`, and those that enclose them, in a YAML stream. An invalid text yields the
    /// entries up to its error. Values inside an alias have no entries; a lookup then finds the alias.
    public init(scanningYAML bytes: some Sequence<UInt8>, for pointers: some Sequence<JSONPointer>) {
        var composer = YAMLComposer(Array(bytes), filling: SourceMap(for: pointers))
        composer.isLenient = true
        _ = try? composer.document()
        self = composer.map ?? SourceMap(for: [])
    }
}

/// The limits on a YAML document.
public enum YAMLLimits {
    /// The maximum number of values expanded from all aliases of a document. Stops a "billion laughs" attack.
    public static let aliasedNodes = 100_000
    /// The maximum number of warnings about a document: each costs a scan of the text.
    public static let warnings = 100
}

/// Builds a value from libyaml's events.
struct YAMLComposer {
    /// A value, with its cost for aliases.
    struct Node {
        var value: JSONValue
        /// The number of values, including the value itself.
        var size = 1
        /// The nesting depth; 1 for a scalar.
        var height = 1
    }

    private struct Anchor {
        var start: Mark
        /// The anchored value; nil while it is being read.
        var node: Node?
    }

    private let reader: YAMLEventReader
    private let lines: LineIndex?
    /// Collects positions; nil if none are wanted.
    private(set) var map: SourceMap?
    /// Whether only positions are collected, and values are discarded.
    private var isScanning: Bool { map != nil }
    /// The tracked location of the current value, if any.
    private var spot: SourceMap.Spot?
    /// The outline to build; nil if none is wanted.
    fileprivate var outline: DocumentOutline?
    private var anchors: [String: Anchor] = [:]
    private(set) var warnings: [YAMLError] = []
    /// Whether tolerable errors are only warnings.
    fileprivate var isLenient = false
    /// Whether all scalars are strings.
    fileprivate(set) var takesTexts = false
    /// Whether any scalar is spelt differently from its value.
    private(set) var hasSpellings = false
    private var aliasedNodes = 0
    private var depth = 0

    init(_ bytes: [UInt8], filling map: SourceMap? = nil) {
        reader = YAMLEventReader(bytes)
        self.map = map
        spot = map == nil ? nil : 0
        lines = map == nil ? nil : LineIndex(bytes)
    }

    mutating func document() throws(YAMLError) -> JSONValue {
        var event = try reader.next()
        while case .streamStart = event.kind { event = try reader.next() }
        guard case .documentStart = event.kind else { return .null }
        let node = try node(try reader.next(), key: nil)
        event = try reader.next()
        while case .documentEnd = event.kind { event = try reader.next() }
        guard case .streamEnd = event.kind else {
            throw error(
                event, "a second document in the same file",
                expected: "one document; move the part below --- to another file")
        }
        return node.value
    }

    fileprivate mutating func documents() throws(YAMLError) -> [JSONValue] {
        var values: [JSONValue] = []
        while true {
            let event = try reader.next()
            switch event.kind {
            case .streamEnd: return values
            case .documentStart:
                anchors = [:]
                values.append(try node(try reader.next(), key: nil).value)
            default: continue
            }
        }
    }

    private mutating func node(_ event: YAMLEvent, key: Mark?) throws(YAMLError) -> Node {
        record(event, key: key)
        if depth <= DocumentOutline.depth { outline?.note(line: (key ?? event.start).line + 1) }
        switch event.kind {
        case .alias(let name): return try alias(name, event)
        case .scalar(let scalar):
            let node = Node(value: try value(of: scalar, event))
            if YAMLScalar.isRespelt(scalar.text, as: node.value) { hasSpellings = true }
            begin(scalar.properties.anchor, event)
            end(scalar.properties.anchor, node)
            return node
        case .sequenceStart(let properties):
            try check(properties, allowed: "seq", event)
            return try collection(properties, event) { (composer) throws(YAMLError) in try composer.sequence() }
        case .mappingStart(let properties):
            try check(properties, allowed: "map", event)
            return try collection(properties, event) { (composer) throws(YAMLError) in try composer.mapping() }
        default:
            throw error(event, "no value", expected: "a value")
        }
    }

    private mutating func collection(
        _ properties: YAMLEvent.Properties, _ event: YAMLEvent,
        _ read: (inout YAMLComposer) throws(YAMLError) -> Node
    ) throws(YAMLError) -> Node {
        depth += 1
        guard depth <= JSONValue.maximumDepth else {
            throw error(event, "nested too deeply", expected: "at most \(JSONValue.maximumDepth) levels of nesting")
        }
        begin(properties.anchor, event)
        let node = try read(&self)
        end(properties.anchor, node)
        depth -= 1
        return node
    }

    /// Starts an anchored value. YAML allows to redefine an anchor; an alias refers to the last definition before it.
    private mutating func begin(_ anchor: String?, _ event: YAMLEvent) {
        guard let anchor else { return }
        if let known = anchors[anchor], warnings.count < YAMLLimits.warnings {
            warnings.append(
                error(
                    event,
                    "duplicate anchor &\(anchor), first in \(reader.position(known.start).words); "
                        + "an alias refers to the last one before it", expected: "each anchor once"))
        }
        anchors[anchor] = Anchor(start: event.start, node: nil)
    }

    private mutating func end(_ anchor: String?, _ node: Node) {
        if let anchor { anchors[anchor]?.node = node }
    }

    private mutating func sequence() throws(YAMLError) -> Node {
        var elements: [JSONValue] = []
        var number = 0
        var result = Node(value: .null)
        let outer = spot
        defer { spot = outer }
        while true {
            let event = try reader.next()
            if case .sequenceEnd = event.kind { break }
            if outer != nil { spot = inner(String(number), of: outer) }
            let element = try node(event, key: nil)
            if !isScanning { elements.append(element.value) }
            number += 1
            result.include(element)
        }
        result.value = .array(elements)
        return result
    }

    private mutating func mapping() throws(YAMLError) -> Node {
        var object = JSONObject()
        /// The positions of the member names of `object`.
        var keyMarks: [Mark] = []
        var result = Node(value: .null)
        var merged: [JSONObject] = []
        var mergeKey: YAMLEvent?
        let outer = spot
        defer { spot = outer }
        while true {
            let keyEvent = try reader.next()
            if case .mappingEnd = keyEvent.kind { break }
            let (key, isMerge) = try key(keyEvent)
            if isMerge, let mergeKey {
                throw repeated("<<", keyEvent, first: mergeKey.start, expected: "one, with a list: <<: [*a, *b]")
            }
            var formerIndex: Int?
            if !isMerge, object[key] != nil {
                let index = object.members.firstIndex { $0.key.hasSameCodePoints(as: key) } ?? 0
                try passOver(
                    repeated(
                        JSONValue.string(key).compactText, keyEvent, first: keyMarks[index], expected: "each key once"))
                formerIndex = index
            }
            let valueEvent = try reader.next()
            spot = inner(key, of: outer)
            let value = try node(valueEvent, key: keyEvent.start)
            result.include(value)
            if isScanning { continue }
            if isMerge {
                mergeKey = keyEvent
                merged = try mergeSources(value.value, valueEvent)
            } else {
                object[key] = value.value
                if let formerIndex { keyMarks[formerIndex] = keyEvent.start } else { keyMarks.append(keyEvent.start) }
            }
        }
        // A mapping's own keys win over merged ones, and an earlier source over a later one.
        for source in merged {
            for member in source.members where object[member.key] == nil { object[member.key] = member.value }
        }
        result.value = .object(object)
        return result
    }

    private func repeated(_ key: String, _ event: YAMLEvent, first: Mark, expected: String) -> YAMLError {
        error(
            event, "duplicate key \(key), first in \(reader.position(first).words)",
            expected: expected)
    }

    private mutating func key(_ event: YAMLEvent) throws(YAMLError) -> (text: String, isMerge: Bool) {
        guard case .scalar(let scalar) = event.kind else {
            if case .mappingStart = event.kind, reader.hasBrace(before: event.start) {
                throw error(
                    event, "{{ begins a mapping within a mapping",
                    expected: "quotes around a string that begins with {{")
            }
            let line = reader.line(from: event.start)
            let key = line.prefix { $0 != ":" }
            throw error(
                event, "a key that is not a string", expected: "a string as key",
                suggestion: RouteKeySpelling.corrected(String(key)))
        }
        _ = try value(of: scalar, event, isKey: true)
        if scalar.isPlain, scalar.text.isEmpty { throw error(event, "an empty key", expected: "a string as key") }
        return (scalar.text, scalar.isPlain && scalar.text == "<<" && scalar.properties.tag == nil)
    }

    private func mergeSources(_ value: JSONValue, _ event: YAMLEvent) throws(YAMLError) -> [JSONObject] {
        let sources =
            switch value {
            case .object(let object): [object]
            case .array(let elements): elements.compactMap(\.objectValue)
            default: [JSONObject]()
            }
        guard !sources.isEmpty, value.arrayValue.map({ $0.count == sources.count }) ?? true else {
            throw error(
                event, "the value of << is not a mapping", expected: "an alias of a mapping, or a list of them",
                found: value.shortDescription)
        }
        return sources
    }

    /// Throws an error, or adds it as a warning if it is tolerable.
    mutating func passOver(_ error: YAMLError) throws(YAMLError) {
        guard isLenient else { throw error }
        if warnings.count < YAMLLimits.warnings { warnings.append(error) }
    }

    private mutating func alias(_ name: String, _ event: YAMLEvent) throws(YAMLError) -> Node {
        do throws(YAMLError) {
            return try known(name, event)
        } catch {
            try passOver(error)
            return Node(value: .null)
        }
    }

    private mutating func known(_ name: String, _ event: YAMLEvent) throws(YAMLError) -> Node {
        guard let anchor = anchors[name] else {
            throw error(
                event, "the alias *\(name) has no anchor",
                expected: "an anchor &\(name) before this place, or quotes around a string that begins with *",
                suggestion: nearestName(to: name, among: anchors.keys.sorted()).map { "*" + $0 })
        }
        guard let node = anchor.node else { throw error(event, "the alias *\(name) is within its own anchor") }
        let (whole, isTooMuch) = aliasedNodes.addingReportingOverflow(node.size)
        guard !isTooMuch, whole <= YAMLLimits.aliasedNodes else {
            throw error(
                event, "the aliases of this document expand to too many values",
                expected: "at most \(YAMLLimits.aliasedNodes) in total")
        }
        guard depth + node.height <= JSONValue.maximumDepth + 1 else {
            throw error(event, "nested too deeply", expected: "at most \(JSONValue.maximumDepth) levels of nesting")
        }
        aliasedNodes = whole
        return node
    }

    private mutating func record(_ event: YAMLEvent, key: Mark?) {
        guard let spot, let lines else { return }
        let value = lines.position(line: event.start.line + 1, column: event.start.column + 1)
        let keyPosition = key.map { lines.position(line: $0.line + 1, column: $0.column + 1) }
        map?.note(spot, SourceMap.Entry(key: keyPosition, value: value))
    }

    /// The tracked location of a nested value; nil if it is not tracked.
    private func inner(_ token: String, of outer: SourceMap.Spot?) -> SourceMap.Spot? {
        outer.flatMap { map?.spot(token, in: $0) }
    }

    func error(
        _ event: YAMLEvent, _ message: String, expected: String? = nil, found: String? = nil, suggestion: String? = nil
    ) -> YAMLError {
        YAMLError(
            position: reader.position(event.start), message: message, expected: expected, found: found,
            suggestion: suggestion)
    }
}

extension YAMLComposer.Node {
    fileprivate mutating func include(_ child: YAMLComposer.Node) {
        size += child.size
        height = max(height, child.height + 1)
    }
}
