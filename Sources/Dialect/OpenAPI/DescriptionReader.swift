import SDBasics
import SDJSON
import SDStubModel

/// Reads a description and collects its problems.
struct DescriptionReader {
    typealias Trouble = ModelProblem

    /// Returns another document; nil if it is missing.
    typealias Source = (String) -> Result<JSONValue, ModelProblem>?
    /// Returns the document of a URL.
    typealias RemoteSource = (String) -> RemoteDocument

    /// A value with its location.
    struct Node {
        var place: DocumentSet.Place
        var value: JSONValue

        /// A member that is present and not null.
        subscript(name: String) -> Node? {
            guard let member = value[name], !member.isNull else { return nil }
            return Node(place: place.appending(name), value: member)
        }
    }

    /// The maximum number of findings.
    static let maxFindings = 1_000
    /// The maximum number of other documents.
    static let maxDocuments = 1_000
    /// The maximum number of schema values to check: references can expand a short text.
    static let maxSchemaNodes = 1_000_000

    /// The maximum number of other values to read; each counts as often as it is referred to.
    static let maxValues = 10_000_000
    /// The maximum number of names searched for the nearest one.
    static let maxComparedNames = 100_000
    /// The maximum number of operations, including those of callbacks.
    static let maxOperations = 50_000

    let version: APIDescription.Version
    var documents: DocumentSet
    let file: Source
    let remote: RemoteSource?
    var findings: [APIDescription.Finding] = []
    private var known: Set<APIDescription.Finding> = []
    /// The problems of other documents, by name.
    var failed: [String: ModelProblem] = [:]
    /// The first error since it was last set to nil.
    var trouble: ModelProblem?

    /// Responses, parameters and other parts that several operations refer to.
    var shared = SharedParts()
    /// Schemas that were checked or are queued.
    var seenSchemas: Set<DocumentSet.Place> = []
    /// The problems of some of them.
    var brokenSchemas: [DocumentSet.Place: ModelProblem] = [:]
    /// For unknown keywords in schemas: the suggestion.
    var meantKeywords: [String: String?] = [:]
    /// Queued schemas.
    var waitingSchemas: [DocumentSet.Place] = []
    /// Schemas with a discriminator and without alternatives.
    var bases: [DocumentSet.Place] = []
    /// Schemas that include others by references in `allOf`.
    var descents: [(place: DocumentSet.Place, references: [String])] = []
    var schemaNodes = 0
    var values = 0
    var operationCount = 0
    /// References to an `$id` or `$anchor` that may come later.
    var waitingReferences: [(place: DocumentSet.Place, text: String)] = []
    /// The callbacks being read, to detect recursion.
    var openCallbacks: Set<DocumentSet.Place> = []
    /// The number of names searched for the nearest one.
    private var comparedNames = 0
    /// The names of the security schemes.
    var schemeNames: [String] = []
    /// Synthetic schemas for the inline schemas of version 2.0.
    var synthetic: [JSONValue] = []

    init(
        _ json: JSONValue, version: APIDescription.Version, named: String, file: @escaping Source,
        remote: RemoteSource?
    ) {
        self.version = version
        self.file = file
        self.remote = remote
        documents = DocumentSet(.init(name: named, json: json))
        if version == .v2 { _ = documents.add(.init(name: "", json: .array([]))) }
    }

    var root: Node { Node(place: .init(pointer: .root), value: documents.documents[0].json) }

    // MARK: Findings

    /// Records a problem once; an error also becomes `trouble`.
    mutating func report(
        _ place: DocumentSet.Place, _ message: String, expected: String? = nil, found: String? = nil,
        suggestion: String? = nil, isAboutName: Bool = false, isError: Bool = true
    ) {
        report(
            ModelProblem(
                pointer: place.pointer, isAboutName: isAboutName, message: message, expected: expected, found: found,
                suggestion: suggestion), in: place.document, isError: isError)
    }

    mutating func report(_ problem: ModelProblem, in document: Int, isError: Bool) {
        if isError, trouble == nil { trouble = problem }
        guard findings.count <= Self.maxFindings else { return }
        var finding = APIDescription.Finding(document: document, problem: problem, isError: isError)
        guard known.insert(finding).inserted else { return }
        if findings.count == Self.maxFindings {
            finding.problem = ModelProblem(pointer: problem.place, message: "there is more that is wrong")
        }
        findings.append(finding)
    }

    /// Reads something, and returns it with its first error.
    mutating func collectingFirstError<Value>(_ read: (inout DescriptionReader) -> Value) -> (Value, ModelProblem?) {
        let outer = trouble
        trouble = nil
        defer { trouble = outer }
        let value = read(&self)
        return (value, trouble)
    }

    // MARK: References

    /// The target of a node's `$ref`; the node itself without one. Nil if it cannot be resolved, which is reported.
    mutating func followed(_ node: Node) -> Node? {
        guard node.value["$ref"] != nil else { return node }
        guard let text = node.value["$ref"]?.stringValue else {
            report(
                node.place.appending("$ref"), "a reference is a text", expected: "such as #/components/schemas/Pet",
                found: node.value["$ref"]?.shortDescription)
            return nil
        }
        guard check(text, at: node.place), let next = documents.resolve(text, from: node.place) else { return nil }
        // In a chain, each document must be loaded before the next reference is followed.
        var place = next
        for _ in 0..<DocumentSet.longestChain {
            guard let value = documents.value(at: place) else { return nil }
            guard let further = value["$ref"]?.stringValue else { return Node(place: place, value: value) }
            guard check(further, at: place), let found = documents.resolve(further, from: place) else { return nil }
            place = found
        }
        report(node.place.appending("$ref"), "the reference leads in a circle", found: quoted(text))
        return nil
    }

    /// Whether a reference can be resolved; reports it otherwise. Loads its document.
    /// - Parameter spot: the location of its text, if it is not the member `$ref`.
    mutating func check(
        _ text: String, at place: DocumentSet.Place, _ spot: DocumentSet.Place? = nil
    ) -> Bool {
        if documents.resolve(text, from: place) != nil { return true }
        let spot = spot ?? place.appending("$ref")
        switch DocumentReference.reading(text, in: documents.folderName(of: place.document)) {
        case .failure(let refusal):
            report(spot, refusal.message, expected: refusal.expected, found: quoted(text))
            return false
        case .success(let parts):
            guard load(parts.target, at: spot, text) else { return false }
            if documents.resolve(text, from: place) != nil { return true }
            if case .pointer(let tokens) = parts.fragment,
                let root = documents.root(of: parts.target, from: place.document)
            {
                loadDocuments(on: tokens, from: root)
                if documents.resolve(text, from: place) != nil { return true }
            }
            report(
                spot, "there is nothing at \(quoted(text))", expected: "the place of something in the document",
                suggestion: nearestTarget(of: text, parts, from: place))
            return false
        }
    }

    /// Loads the documents of references along a pointer.
    private mutating func loadDocuments(on tokens: [String], from root: DocumentSet.Place) {
        var place = root
        for token in tokens {
            // Each document must be loaded before the next reference is followed.
            for _ in 0..<DocumentSet.longestChain {
                guard let value = documents.value(at: place), value.child(token) == nil else { break }
                guard let text = value["$ref"]?.stringValue,
                    case .success(let parts) = DocumentReference.reading(
                        text, in: documents.folderName(of: place.document)),
                    load(parts.target, at: place.appending("$ref"), text),
                    let next = documents.resolve(text, from: place)
                else { return }
                place = next
            }
            place = place.appending(token)
        }
    }

    /// Whether `count` more names may be searched for the nearest one: with very many mistakes, not all get a
    /// suggestion.
    private mutating func mayCompare(_ count: Int) -> Bool {
        comparedNames += count
        return comparedNames <= Self.maxComparedNames
    }

    /// A similar reference that can be resolved and differs in the last token.
    private mutating func nearestTarget(
        of text: String, _ parts: DocumentReference, from place: DocumentSet.Place
    ) -> String? {
        guard case .pointer(let tokens) = parts.fragment, let last = tokens.last else { return nil }
        let start = String(text.prefix { $0 != "#" })
        let parent = start + "#" + JSONPointer(tokens.dropLast()).text
        guard let above = documents.resolve(parent, from: place),
            let members = documents.value(at: above)?.objectValue, mayCompare(members.count),
            let name = nearestName(to: last, among: members.keys)
        else { return nil }
        return start + "#" + JSONPointer(tokens.dropLast() + [name]).text
    }

    /// Loads the target document unless it is loaded; reports a failure.
    mutating func load(_ target: DocumentReference.Target, at spot: DocumentSet.Place, _ text: String) -> Bool {
        let name: String
        let source: RemoteSource
        switch documents.localised(target) {
        case .same: return true
        case .file(let path):
            name = path
            source = { [file] in RemoteDocument(file($0)) }
        case .url(let url):
            if documents.indices[url] != nil || documents.ids[url] != nil { return true }
            guard let remote else {
                report(
                    spot, "references to URLs are off",
                    expected: "a file beside the document; --openapi-remote reads URLs of documents in files",
                    found: quoted(text))
                return false
            }
            (name, source) = (url, remote)
        }
        if documents.indices[name] != nil { return true }
        let problem: ModelProblem
        if let known = failed[name] {
            problem = known
        } else if documents.documents.count + failed.count > Self.maxDocuments {
            report(spot, "too many documents", expected: "at most \(Self.maxDocuments)")
            return false
        } else {
            switch source(name) {
            case .read(let json):
                _ = documents.add(.init(name: name, json: json))
                return true
            case .kept(let json, let reason):
                _ = documents.add(.init(name: name, json: json))
                report(
                    spot, "\(quoted(name)) cannot be read again, and stays as it was: \(reason.message)",
                    expected: reason.expected, found: reason.found, isError: false)
                return true
            case .failed(let failure): problem = failure
            }
            failed[name] = problem
        }
        report(
            spot, "\(quoted(name)) cannot be read: \(problem.message)", expected: problem.expected,
            found: problem.found)
        return false
    }
}

extension DocumentSet.Place {
    func appending(_ token: String) -> DocumentSet.Place {
        DocumentSet.Place(document: document, pointer: pointer.appending(token))
    }

    func appending(_ index: Int) -> DocumentSet.Place { appending(String(index)) }
}

extension RemoteDocument {
    /// The outcome of reading a file.
    fileprivate init(_ file: Result<JSONValue, ModelProblem>?) {
        switch file {
        case .success(let json): self = .read(json)
        case .failure(let problem): self = .failed(problem)
        case nil: self = .failed(ModelProblem(pointer: .root, message: "there is no such document"))
        }
    }
}
