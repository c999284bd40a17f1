import SDBytes

extension NearestPatterns {
    /// The data of the request that each pattern is compared with.
    struct Asked {
        private let methodBit: MethodSet
        private let methodsPass: [Bool]?
        /// Whether nothing is known of the request's URL.
        let lacksURL: Bool
        let url: Subject
        let path: Subject
        /// Whether the URL is known and ASCII.
        var isASCII: Bool { !lacksURL && url.isASCII }

        /// - Parameter methodsPass: whether each pattern accepts the request's method; nil for a method with a bit of
        ///   its own, which is enough to tell.
        init(_ request: some MatchableRequest, _ views: RequestViews, methodsPass: [Bool]?) {
            methodBit = views.methodBit
            self.methodsPass = methodsPass
            lacksURL = request.omissions.contains(.url)
            url = Subject(views.url)
            path = views.hasQuery ? Subject(views.path) : url
        }

        /// Whether a row's method, or that of a row like it, may accept the request's.
        func mayPassMethod(of row: Row) -> Bool { row.methods.contains(methodBit) }

        func passesMethod(of row: Row) -> Bool {
            row.methods.contains(methodBit) && (methodsPass?[row.index] ?? true)
        }

        /// The URL or the path, whichever the rows of a group are measured by; nil for rows that are compared in
        /// different ways, and for a text that has no probe.
        func subject(of group: Row.Group) -> Subject? {
            if lacksURL { return nil }
            return switch group {
            case .urls: url.probe == nil ? nil : url
            case .paths, .templates: path.probe == nil ? nil : path
            case .expressions, .others: nil
            }
        }
    }

    /// The URL or the path of a request.
    struct Subject {
        let text: ArraySlice<UInt8>
        let isASCII: Bool
        let sketch: PathSketch
        /// The probe; nil for a text that is long or not ASCII.
        let probe: EditProbe?

        init(_ text: ArraySlice<UInt8>) {
            self.text = text
            isASCII = text.isASCII
            sketch = PathSketch(text)
            probe = EditProbe(text)
        }
    }

    /// The number of units with which a subject and one row after the other, in the order of their group, begin alike.
    struct SharedBeginning {
        private(set) var count = 0

        /// Goes on to the next row.
        @inline(__always)
        mutating func advance(to row: Row, _ subject: Span<UInt8>, in text: Span<UInt8>) {
            // Where the rows differ only behind it, it stays as it is.
            guard row.common <= count else { return }
            count = min(count, row.common)
            let range = row.range
            let most = min(range.count, subject.count)
            while count < most, text[range.lowerBound &+ count] == subject[count] { count &+= 1 }
        }
    }
}
