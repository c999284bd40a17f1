import SDBytes
import SDRegularExpressions

extension NearestPatterns {
    /// The condition on the URL, and the other data that decide a distance. Plain numbers, so that reading a row counts
    /// no reference.
    struct Row: Sendable {
        enum Kind: UInt8, Sendable {
            case any, url, path, template, urlPattern, pathPattern
        }

        /// How the distance of a row is found, where its URL does not pass.
        enum Group: UInt8, CaseIterable, Sendable {
            /// By the edits between the row's text and the request's URL.
            case urls
            /// By the edits between the row's text and the request's path.
            case paths, templates
            /// By the text alone: it is the largest, unless the URL begins with the text.
            case expressions
            /// In another way, or by more than the row.
            case others
        }

        private let number: UInt32
        private let start: UInt32
        private let length: UInt32
        private let prefix: UInt32
        let methods: MethodSet
        let kind: Kind
        let group: Group
        /// Whether the pattern has conditions on the method and the URL only.
        let isPlain: Bool
        let looksAtOrigin: Bool
        private let isASCII: Bool
        private var commonCount: UInt8 = 0

        /// Makes the row of the pattern at `index`, and adds its text to those of the others.
        init(_ pattern: CompiledPattern, at index: Int, _ text: inout [UInt8]) {
            kind =
                switch pattern.url {
                case .any: .any
                case .url: .url
                case .path: .path
                case .template: .template
                case .urlPattern: .urlPattern
                case .pathPattern: .pathPattern
                }
            methods = pattern.methods
            isPlain = pattern.conditions == nil
            looksAtOrigin = pattern.conditions?.all.looksAtOrigin ?? false
            let measure = pattern.url.measure
            isASCII = measure.text[...].isASCII
            let hasEdits = isASCII && !looksAtOrigin && !measure.text.isEmpty
            group =
                switch kind {
                case .url where hasEdits: .urls
                case .path where hasEdits: .paths
                case .template where hasEdits: .templates
                case .urlPattern where !looksAtOrigin, .pathPattern where !looksAtOrigin: .expressions
                default: .others
                }
            number = UInt32(index)
            start = UInt32(text.count)
            length = UInt32(measure.text.count)
            prefix = UInt32(measure.prefixCount)
            text += measure.text
        }

        /// The index of the pattern.
        var index: Int { Int(number) }

        /// The range in `text` of the text from which distances are measured; for an expression, of the beginning of
        /// all its matches.
        var range: Range<Int> { Range(uncheckedBounds: (Int(start), Int(start) &+ Int(length))) }

        /// The length of the text.
        var count: Int { Int(length) }

        /// The length of the beginning of all URLs that pass.
        var prefixCount: Int { Int(prefix) }

        /// The number of units with which the text of the row before this one, in the same group, begins too; at most
        /// 255.
        var common: Int { Int(commonCount) }

        /// Whether the condition is on path and query, rather than on the path alone.
        var isOfURL: Bool { kind == .url || kind == .urlPattern }
        var isExpression: Bool { kind == .urlPattern || kind == .pathPattern }
        private var isExact: Bool { kind == .url || kind == .path }

        /// Sets `common`.
        mutating func measureCommon(with before: Row, _ text: [UInt8]) {
            let text = text.span
            let most = min(length, before.length, 255)
            var common: UInt32 = 0
            while common < most, text[Int(start &+ common)] == text[Int(before.start &+ common)] { common &+= 1 }
            commonCount = UInt8(common)
        }

        /// Whether two rows of a group differ only in their texts, so that one limit holds for both.
        func isLike(_ other: Row) -> Bool {
            kind == other.kind && length == other.length && prefix == other.prefix && methods == other.methods
        }

        /// The number of units with which the texts of two rows of one length end alike.
        func commonEnd(with other: Row, atMost most: Int, _ text: [UInt8]) -> Int {
            let text = text.span
            var count = 0
            while count < most,
                text[range.upperBound &- 1 &- count] == text[other.range.upperBound &- 1 &- count]
            {
                count &+= 1
            }
            return count
        }

        /// Whether the subject begins with the beginning of all URLs that pass.
        func isPrefix(of subject: Span<UInt8>, in text: Span<UInt8>) -> Bool {
            let prefix = Int(prefix)
            guard prefix <= subject.count else { return false }
            let start = Int(start)
            for index in 0..<prefix where text[start &+ index] != subject[index] { return false }
            return true
        }

        /// A lower bound of the URL's distance.
        /// - Parameters:
        ///   - sketch: that of the row's text.
        ///   - other: that of the subject.
        func leastDistance(
            _ sketch: PathSketch, to subject: Span<UInt8>, _ other: PathSketch, isASCII: Bool, in text: Span<UInt8>
        ) -> Double {
            // An invalid character matches its replacement character.
            if !isExact, !isASCII || isPrefix(of: subject, in: text) { return 0 }
            if isExpression { return 1 }
            guard isASCII, self.isASCII else { return 0 }
            let longer = max(count, subject.count)
            let edits = max(longer - min(count, subject.count), sketch.leastEdits(to: other))
            return edits == 0 ? 0 : Double(edits) / Double(longer)
        }
    }
}

extension URLTest {
    /// The text by which the distance from a condition is measured, and the length of the beginning of all URLs that
    /// pass.
    fileprivate var measure: (text: [UInt8], prefixCount: Int) {
        switch self {
        case .any: return ([], 0)
        case .url(let text), .path(let text): return (text, text.count)
        case .urlPattern(let regex), .pathPattern(let regex):
            return (regex.literalPrefix, regex.literalPrefix.count)
        case .template(let template):
            guard case .literal(let literal) = template.tokens.first else { return (template.sample, 0) }
            return (template.sample, literal.count)
        }
    }
}
