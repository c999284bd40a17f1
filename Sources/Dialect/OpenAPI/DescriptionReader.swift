import SDBasics
import SDJSON
import SDStubModel

/// Reads a description and gathers what is wrong in it.
struct DescriptionReader {
    typealias Trouble = ModelProblem

    /// Gives another document; nil if there is none.
    typealias Source = (String) -> Result<JSONValue, ModelProblem>?
    /// Gives the document of a URL.
    typealias RemoteSource = (String) -> RemoteDocument

    /// A value with its place.
    struct Node {
        var place: DocumentSet.Place
        var value: JSONValue

        /// A member that is not null, which counts as absent.
        subscript(name: String) -> Node? {
            guard let member = value[name], !member.isNull else { return nil }
            return Node(place: place.appending(name), value: member)
        }
    }

    /// The most findings that are kept.
    static let mostFindings = 1_000
    /// The most other documents that are read.
    static let mostDocuments = 1_000
    /// The most values in schemas that are looked at: a hostile document may have many more than its text shows.
    static let mostSchemaNodes = 1_000_000

    /// The most values that are read beside schemas, each as often as it is referred to.
    static let mostValues = 10_000_000
    /// The most names among which the nearest ones are searched.
    static let mostComparedNames = 100_000
    /// The most operations, those of callbacks among them.
    static let mostOperations = 50_000

    let version: APIDescription.Version
    var documents: DocumentSet
    let file: Source
    let remote: RemoteSource?
    var findings: [APIDescription.Finding] = []
    private var known: Set<APIDescription.Finding> = []
    /// What is wrong with other documents, by name.
    var failed: [String: ModelProblem] = [:]
    /// The first error since it was last set to nil.
    var trouble: ModelProblem?

    /// The answers, parameters and more that several operations refer to.
    var shared = SharedParts()
    /// Schemas that were looked at, or are to be.
    var seenSchemas: Set<DocumentSet.Place> = []
    /// What is wrong with some of them.
    var brokenSchemas: [DocumentSet.Place: ModelProblem] = [:]
    /// For names that are no keywords of schemas: what was probably meant.
    var meantKeywords: [String: String?] = [:]
    /// Schemas that were referred to and are still to be looked at.
    var waitingSchemas: [DocumentSet.Place] = []
    /// Schemas with a discriminator and without alternatives.
    var bases: [DocumentSet.Place] = []
    /// Schemas that include others by references in `allOf`.
    var descents: [(place: DocumentSet.Place, references: [String])] = []
    var schemaNodes = 0
    var values = 0
    var operationCount = 0
    /// References to names that schemas give themselves, which may stand further down.
    var waitingReferences: [(place: DocumentSet.Place, text: String)] = []
    /// The callbacks that are being read, of which one may have another.
    var openCallbacks: Set<DocumentSet.Place> = []
    /// The names among which the nearest ones were searched.
    private var comparedNames = 0
    /// The names of the schemes of security.
    var schemeNames: [String] = []
    /// What stands for schemas that version 2.0 spreads over parameters.
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

    /// Notes a problem once; an error becomes the trouble of what is being read.
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
        guard findings.count <= Self.mostFindings else { return }
        var finding = APIDescription.Finding(document: document, problem: problem, isError: isError)
        guard known.insert(finding).inserted else { return }
        if findings.count == Self.mostFindings {
            finding.problem = ModelProblem(pointer: problem.place, message: "there is more that is wrong")
        }
        findings.append(finding)
    }

    /// Reads something, and gives what was first wrong with it beside it.
    mutating func withTrouble<Value>(_ read: (inout DescriptionReader) -> Value) -> (Value, ModelProblem?) {
        let outer = trouble
        trouble = nil
        defer { trouble = outer }
        let value = read(&self)
        return (value, trouble)
    }

    // MARK: References

    /// The value to which `$ref` of a node leads; the node itself without one. Nil if it is broken, which is reported.
    mutating func followed(_ node: Node) -> Node? {
        guard node.value["$ref"] != nil else { return node }
        guard let text = node.value["$ref"]?.stringValue else {
            report(
                node.place.appending("$ref"), "a reference is a text", expected: "such as #/components/schemas/Pet",
                found: node.value["$ref"]?.shortDescription)
            return nil
        }
        guard check(text, at: node.place), let next = documents.resolve(text, from: node.place) else { return nil }
        // Chains: each document on the way has to be loaded before the next reference is followed.
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

    /// Whether a reference leads to something; otherwise that is reported. Its document is loaded.
    /// - Parameter spot: where its text stands, if that is not the member `$ref`.
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

    /// Loads the documents of references that stand in the way of a pointer.
    private mutating func loadDocuments(on tokens: [String], from root: DocumentSet.Place) {
        var place = root
        for token in tokens {
            // Each document on the way has to be there before the next reference is followed.
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

    /// Whether the nearest of so many names may be searched: where very much is wrong, not all that was meant is found.
    private mutating func mayCompare(_ count: Int) -> Bool {
        comparedNames += count
        return comparedNames <= Self.mostComparedNames
    }

    /// A reference that differs in its last part.
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

    /// Loads the document that is meant, if it is not there yet; what goes wrong is reported.
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
        } else if documents.documents.count + failed.count > Self.mostDocuments {
            report(spot, "too many documents", expected: "at most \(Self.mostDocuments)")
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
    /// What a file is.
    fileprivate init(_ file: Result<JSONValue, ModelProblem>?) {
        switch file {
        case .success(let json): self = .read(json)
        case .failure(let problem): self = .failed(problem)
        case nil: self = .failed(ModelProblem(pointer: .root, message: "there is no such document"))
        }
    }
}
