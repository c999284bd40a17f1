public import SDJSON

extension DocumentSet {
    /// The maximum length of a chain of references.
    static let longestChain = 64

    /// The target of a reference such as `#/components/schemas/Pet`; nil if it does not exist, or its document is not
    /// loaded.
    /// - Parameter place: the location of the reference.
    public func resolve(_ reference: String, from place: Place) -> Place? {
        var steps = Self.longestChain
        return resolve(reference, from: place, &steps)
    }

    /// The value at a location and its final location, with `$ref` followed to its end. Nil if it does not exist, a
    /// reference cannot be resolved, or references form a cycle.
    public func target(of place: Place) -> (place: Place, value: JSONValue)? {
        var steps = Self.longestChain
        return target(of: place, &steps)
    }

    /// - Parameter steps: how many references may still be followed, including those along pointers.
    private func target(of place: Place, _ steps: inout Int) -> (place: Place, value: JSONValue)? {
        guard var value = value(at: place) else { return nil }
        var place = place
        while let reference = value["$ref"]?.stringValue {
            guard steps > 0 else { return nil }
            steps -= 1
            guard let next = resolve(reference, from: place, &steps), let found = self.value(at: next) else {
                return nil
            }
            place = next
            value = found
        }
        return (place, value)
    }

    private func resolve(_ reference: String, from place: Place, _ steps: inout Int) -> Place? {
        if let named = resolveByID(reference, from: place, &steps) { return named }
        guard documents.indices.contains(place.document),
            case .success(let parts) = DocumentReference.reading(reference, in: folderName(of: place.document)),
            let root = root(of: parts.target, from: place.document)
        else { return nil }
        switch parts.fragment {
        case .anchor(let name): return anchors[root.document]?[name]
        case .pointer(let tokens): return descend(tokens, from: root, &steps)
        }
    }

    /// The target of a reference inside a schema with an `$id`, to which the reference is relative.
    private func resolveByID(_ reference: String, from place: Place, _ steps: inout Int) -> Place? {
        guard !ids.isEmpty, let base = base(of: place),
            case .success(let parts) = DocumentReference.reading(reference, in: base.url)
        else { return nil }
        let document = String(reference.prefix { $0 != "#" })
        let root = document.isEmpty ? base.root : ids[DocumentReference.url(document, from: base.url)]
        guard let root else { return nil }
        switch parts.fragment {
        // Anchors are unique within a document.
        case .anchor(let name): return anchors[root.document]?[name]
        case .pointer(let tokens): return descend(tokens, from: root, &steps)
        }
    }

    /// The innermost enclosing schema with an `$id`, and its URL.
    func base(of place: Place) -> (url: String, root: Place)? {
        guard documents.indices.contains(place.document) else { return nil }
        var value = documents[place.document].json
        var found: (url: String, root: Place)?
        for depth in 0...place.pointer.tokens.count {
            if let id = value["$id"]?.stringValue {
                let text = String(id.prefix { $0 != "#" })
                let url = DocumentReference.isURL(text) ? text : DocumentReference.url(text, from: found?.url ?? "")
                let root = JSONPointer(Array(place.pointer.tokens.prefix(depth)))
                found = (url, Place(document: place.document, pointer: root))
            }
            guard depth < place.pointer.tokens.count, let child = value.child(place.pointer.tokens[depth]) else {
                return found
            }
            value = child
        }
        return found
    }

    /// Follows a pointer, including references along it, which some documents rely on.
    private func descend(_ tokens: [String], from root: Place, _ steps: inout Int) -> Place? {
        guard var value = value(at: root) else { return nil }
        let costOfWay = Self.longestChain / 8
        var place = root
        for token in tokens {
            if let member = value.child(token) {
                place.pointer.tokens.append(token)
                value = member
                continue
            }
            // With endless references along the pointer, each attempt would follow the longest chain.
            guard value["$ref"] != nil, steps >= costOfWay else { return nil }
            steps -= costOfWay
            guard let found = target(of: place, &steps), let member = found.value.child(token)
            else { return nil }
            place = Place(document: found.place.document, pointer: found.place.pointer.appending(token))
            value = member
        }
        return place
    }

    /// The root of a document, or of the schema with this URL as its `$id`.
    func root(of target: DocumentReference.Target, from document: Int) -> Place? {
        switch localised(target) {
        case .same: Place(document: document, pointer: .root)
        case .file(let path): indices[path].map { Place(document: $0, pointer: .root) }
        case .url(let url): indices[url].map { Place(document: $0, pointer: .root) } ?? ids[url]
        }
    }

    /// Maps a URL to a local file, by the `$self` of the main document.
    func localised(_ target: DocumentReference.Target) -> DocumentReference.Target {
        guard case .url(let url) = target, let base, indices[url] == nil, ids[url] == nil, url.hasPrefix(base),
            case .success(let parts) = DocumentReference.reading(String(url.dropFirst(base.count)), in: ""),
            case .file = parts.target
        else { return target }
        return parts.target
    }

    /// Registers the `$self` of a document, by which others can refer to it.
    mutating func noteName(of index: Int) {
        guard let url = documents[index].json["$self"]?.stringValue, DocumentReference.isURL(url) else { return }
        let whole = String(url.prefix { $0 != "#" })
        indices[whole] = index
        guard index == 0, let slash = whole.lastIndex(of: "/") else { return }
        base = String(whole[...slash])
    }

    /// The base of relative references in a document; empty for the main document, whose folder is the root.
    func folderName(of document: Int) -> String {
        let name = documents[document].name
        return document == 0 && !DocumentReference.isURL(name) ? "" : name
    }

    /// Adds a document and returns its index.
    mutating func add(_ document: Document) -> Int {
        documents.append(document)
        indices[document.name] = documents.count - 1
        noteName(of: documents.count - 1)
        return documents.count - 1
    }
}

extension JSONValue {
    /// The member or element for a token of a pointer.
    func child(_ token: String) -> JSONValue? {
        switch self {
        case .object(let object): object[token]
        case .array: self[JSONPointer([token])]
        default: nil
        }
    }
}
