import SDJSON
import SDShorthand
import SDStubModel

/// The comments of a stub file, assigned to what they describe, as lines: a stub has the comments above, beside and
/// inside it.
///
/// A format without comments stores them in the mapping's metadata, and those of the file under `meta` beside
/// `mappings`; WireMock ignores both.
struct StubComments {
    /// The comment at the top of the file.
    var head: [String] = []
    /// The comment at the end of the file.
    var end: [String] = []
    /// The comment of each stub, by its index in the file's stubs.
    private var byStub: [Int: [String]] = [:]

    static let key = "comment"
    static let endKey = "commentAtEnd"
    private static let own = "stuntdouble"

    subscript(stub: Int) -> [String] { byStub[stub] ?? [] }

    /// The start of the comment that names the file's schema for editors; it is not the author's.
    private static let modeline = "yaml-language-server:"

    /// A location to which comments can belong: a stub, or another top-level key.
    private struct Anchor {
        var position: TextPosition
        var stub: Int?
    }

    /// Reads the comments of a file without errors.
    init(of file: ParsedStubFile, _ document: JSONValue) {
        let text = CommentedText(file.bytes, file.format)
        let comments = text.comments.filter { !$0.text.hasPrefix(Self.modeline) }
        if !comments.isEmpty { take(comments, text.contentLines, Self.anchors(of: file, document)) }
        addMetadata(of: file, document)
    }

    /// The locations to which comments can belong, in order.
    private static func anchors(of file: ParsedStubFile, _ document: JSONValue) -> [Anchor] {
        let others = (document.objectValue?.keys ?? []).map { JSONPointer([$0]) }
        let map = file.map(of: file.origins.map(\.place) + file.origins.compactMap(\.routeKey) + others)
        var anchors: [Int: Anchor] = [:]
        func add(_ place: JSONPointer, _ stub: Int?) {
            guard let position = map.position(ofKeyAt: place) else { return }
            anchors[position.offset] = Anchor(position: position, stub: stub)
        }
        if !file.origins.contains(where: { $0.place.tokens.isEmpty }) {
            for other in others { add(other, nil) }
        }
        // The stubs of a route are in reverse order in the file.
        for (index, origin) in file.origins.enumerated() {
            if let key = origin.routeKey { add(key, index) }
        }
        for (index, origin) in file.origins.enumerated() { add(origin.place, index) }
        return anchors.values.sorted { $0.position.offset < $1.position.offset }
    }

    private mutating func take(_ comments: [FileComment], _ contentLines: Set<Int>, _ anchors: [Anchor]) {
        let lines = contentLines.sorted()
        let beginning = Self.beginning(comments, anchors)
        var former: FileComment?
        for comment in comments {
            let hasGap =
                comment.isAlone && former?.line != comment.line - 1 && !contentLines.contains(comment.line - 1)
            former = comment
            let inside = anchors.last {
                ($0.position.line, $0.position.column) < (comment.line, comment.column)
            }
            if comment.line < beginning {
                add(comment.text, to: nil, hasGap: hasGap)
            } else if comment.isAlone, let below = Self.first(after: comment.line, in: lines) {
                let next = anchors.first { $0.position.line == below && $0.position.column >= comment.column }
                add(comment.text, to: next ?? inside, hasGap: hasGap)
            } else if comment.isAlone, comment.column == 1 {
                if hasGap, !end.isEmpty { end.append("") }
                end.append(comment.text)
            } else {
                add(comment.text, to: inside, hasGap: false)
            }
        }
    }

    /// The line from which comments belong to the first stub: those above it, separated by a blank line, describe the
    /// file.
    private static func beginning(_ comments: [FileComment], _ anchors: [Anchor]) -> Int {
        guard let first = anchors.first else { return .max }
        var line = first.position.line
        for comment in comments.reversed() where comment.isAlone && comment.line == line - 1 { line -= 1 }
        return line
    }

    private mutating func add(_ text: String, to anchor: Anchor?, hasGap: Bool) {
        if let stub = anchor?.stub {
            if hasGap, byStub[stub] != nil { byStub[stub]?.append("") }
            byStub[stub, default: []].append(text)
        } else {
            if hasGap, !head.isEmpty { head.append("") }
            head.append(text)
        }
    }

    private static func first(after line: Int, in lines: [Int]) -> Int? {
        var (low, high) = (0, lines.count)
        while low < high {
            let middle = (low + high) / 2
            if lines[middle] > line { high = middle } else { low = middle + 1 }
        }
        return low < lines.count ? lines[low] : nil
    }

    // MARK: Metadata

    private mutating func addMetadata(of file: ParsedStubFile, _ document: JSONValue) {
        head += Self.lines(document["meta"]?[Self.key])
        end += Self.lines(document["meta"]?[Self.endKey])
        for (index, stub) in file.stubs.enumerated() {
            let lines = Self.lines(stub.metadata?[Self.own]?[Self.key])
            if !lines.isEmpty { byStub[index, default: []] += lines }
        }
    }

    private static func lines(_ value: JSONValue?) -> [String] {
        value?.stringValue?.split(separator: "\n" as Character, omittingEmptySubsequences: false).map { String($0) }
            ?? []
    }

    /// The comment as a metadata value; nil for none.
    static func json(_ lines: [String]) -> JSONValue? {
        lines.isEmpty ? nil : .string(lines.joined(separator: "\n"))
    }

    /// Removes the comment from a stub's metadata.
    static func remove(from stub: inout StubMapping) {
        guard case .object(var ours) = stub.metadata?[own], ours[key]?.stringValue != nil else { return }
        ours[key] = nil
        stub.metadata?[own] = ours.isEmpty ? nil : .object(ours)
        if stub.metadata?.isEmpty == true { stub.metadata = nil }
    }

    /// Adds a comment to the metadata of a mapping's JSON.
    static func add(_ lines: [String], to mapping: inout JSONObject) {
        guard let comment = json(lines) else { return }
        var metadata = mapping["metadata"]?.objectValue ?? JSONObject()
        var ours = metadata[own]?.objectValue ?? JSONObject()
        ours[key] = comment
        metadata[own] = .object(ours)
        mapping["metadata"] = .object(metadata)
    }
}
