import SDOpenAPI
import SDPlatform

/// How a parameter's value is serialised, by its style.
struct ParameterWriting {
    let name: String
    let style: APIParameter.Style
    let explode: Bool
    let shape: SchemaShape

    private var isList: Bool { shape.isList }
    private var isObject: Bool { shape.isObject && !shape.isList && !shape.types.contains("string") }

    // MARK: - Paths and headers

    /// The value of a path segment; nil if it does not fit the style.
    func path(_ raw: ArraySlice<UInt8>) -> WrittenValue? {
        func decoded(_ text: ArraySlice<UInt8>) -> WrittenText { WrittenText(PathTemplate.decoded(text)) }
        switch style {
        case .label:
            guard raw.first == UInt8(ascii: ".") else { return nil }
            return value(raw.dropFirst(), explode ? ["."] : [",", "%2C"], decoded)
        case .matrix:
            guard raw.first == UInt8(ascii: ";") else { return nil }
            let pairs = QueryText(raw.dropFirst(), separator: UInt8(ascii: ";"))
            if explode, isObject {
                return .members(pairs.pairs.map { ($0.name, .text(decoded($0.value))) })
            }
            let values = pairs.values(name)
            guard let first = values.first, values.count == pairs.pairs.count else { return nil }
            if explode, isList { return .texts(values.map(decoded)) }
            return value(first, [",", "%2C"], decoded, pairedBy: nil)
        default: return value(raw, [",", "%2C"], decoded)
        }
    }

    /// The value of a header.
    func header(_ text: String) -> WrittenValue? {
        value(Array(text.utf8)[...], [","]) { WrittenText(Self.trimmed(String(decoding: $0, as: UTF8.self))) }
    }

    /// Splits a text at separators; members are `a=1` in an exploded style.
    private func value(
        _ text: ArraySlice<UInt8>, _ separators: [String], _ decoded: (ArraySlice<UInt8>) -> WrittenText,
        pairedBy mark: UInt8? = UInt8(ascii: "=")
    ) -> WrittenValue? {
        // Clients may escape the comma between values. If there is an unescaped one, escaped ones are part of a value.
        let separators = separators.first == "," && text.contains(UInt8(ascii: ",")) ? [","] : separators
        if isList {
            return text.isEmpty ? .list([]) : .texts(QueryText.split(text, at: separators).map(decoded))
        }
        guard isObject else { return .text(decoded(text)) }
        let parts = text.isEmpty ? [] : QueryText.split(text, at: separators)
        if explode, let mark {
            var members: [(String, WrittenValue)] = []
            for part in parts {
                guard let place = part.firstIndex(of: mark) else { return nil }
                members.append((decoded(part[..<place]).text, .text(decoded(part[(place + 1)...]))))
            }
            return .members(members)
        }
        return paired(parts.map(decoded))
    }

    /// Names and values, alternating.
    private func paired(_ texts: [WrittenText]) -> WrittenValue? {
        guard texts.count.isMultiple(of: 2) else { return nil }
        return .members(
            stride(from: 0, to: texts.count, by: 2).map { (texts[$0].text, .text(texts[$0 + 1])) })
    }

    static func trimmed(_ text: String) -> String {
        var text = text[...]
        while let first = text.first, first == " " || first == "\t" { text = text.dropFirst() }
        while let last = text.last, last == " " || last == "\t" { text = text.dropLast() }
        return String(text)
    }

    // MARK: - Queries, forms and cookies

    enum Presence {
        case absent
        case value(WrittenValue)
        /// It occurs more often than allowed.
        case repeated(Int, WrittenValue)
        /// It does not fit its style.
        case malformed(String)
    }

    /// The value in a query.
    /// - Parameter others: the names of other parameters, which are not members of this one.
    func query(_ query: QueryText, others: Set<String> = []) -> Presence {
        if style == .deepObject { return deepObject(query) }
        let decoded = QueryText.decoded
        if explode, isObject {
            let names = Set(shape.memberNames)
            let takesMore = shape.hasFurtherMembers
            var members: [(name: String, value: WrittenValue)] = []
            var taken: Set<String> = []
            for pair in query.pairs where names.contains(pair.name) || takesMore && !others.contains(pair.name) {
                guard taken.insert(pair.name).inserted else { continue }
                let values = query.values(pair.name).map(decoded)
                let isOne = values.count == 1 && !shape.member(pair.name).isList
                members.append((pair.name, isOne ? .text(values[0]) : .texts(values)))
            }
            if members.isEmpty { return .absent }
            return .value(.members(members))
        }
        let values = query.values(name)
        guard let first = values.first else { return .absent }
        if isList, values.count > 1 || explode { return .value(.texts(values.map(decoded))) }
        let read = value(first, separators, decoded, pairedBy: nil)
        guard let read else { return .malformed(String(decoding: first, as: UTF8.self)) }
        return values.count > 1 ? .repeated(values.count, read) : .value(read)
    }

    private var separators: [String] {
        switch style {
        case .spaceDelimited: ["%20", "+", " "]
        case .pipeDelimited: ["|", "%7C"]
        case .tabDelimited: ["%09", "\t"]
        default: [",", "%2C"]
        }
    }

    /// The members in brackets after the name: `filter[price][from]=1`, `ids[]=1`, `ids[0]=1`.
    private func deepObject(_ query: QueryText) -> Presence {
        var tree = BracketTree()
        var isPresent = false
        for pair in query.pairs where pair.name.hasPrefix(name) {
            let rest = pair.name.dropFirst(name.count)
            guard let path = BracketTree.path(rest) else { continue }
            isPresent = true
            tree.add(QueryText.decoded(pair.value), at: path[...])
        }
        return isPresent ? .value(tree.written(shape)) : .absent
    }
}

/// Values by the names in brackets behind a parameter's own.
struct BracketTree {
    private var texts: [WrittenText] = []
    private var children: [(name: String, tree: BracketTree)] = []
    private var places: [String: Int] = [:]

    /// The names in `[a][b]`; nil for anything else.
    static func path(_ text: Substring) -> [String]? {
        var names: [String] = []
        var rest = text
        while !rest.isEmpty {
            guard rest.first == "[", let close = rest.firstIndex(of: "]"), names.count < 16 else { return nil }
            names.append(String(rest[rest.index(after: rest.startIndex)..<close]))
            rest = rest[rest.index(after: close)...]
        }
        return names
    }

    mutating func add(_ text: WrittenText, at path: ArraySlice<String>) {
        guard let name = path.first else {
            texts.append(text)
            return
        }
        let rest = path.dropFirst()
        if let place = places[name] {
            children[place].tree.add(text, at: rest)
        } else {
            var tree = BracketTree()
            tree.add(text, at: rest)
            places[name] = children.count
            children.append((name, tree))
        }
    }

    func written(_ shape: SchemaShape) -> WrittenValue {
        if children.isEmpty { return texts.count == 1 && !shape.isList ? .text(texts[0]) : .texts(texts) }
        let isNumbered = children.allSatisfy { $0.name.isEmpty || Int($0.name) != nil }
        if isNumbered, !shape.isObject || shape.isList {
            let element = shape.element(0)
            return .list(
                texts.map { .text($0) }
                    + children.flatMap { child -> [WrittenValue] in
                        // `ids[]` occurs once per element.
                        if child.name.isEmpty, child.tree.children.isEmpty { return child.tree.texts.map { .text($0) } }
                        return [child.tree.written(element)]
                    })
        }
        return .members(children.map { ($0.name, $0.tree.written(shape.member($0.name))) })
    }
}
