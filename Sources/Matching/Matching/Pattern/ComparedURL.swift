import SDPlatform
import SDRegularExpressions

/// A request's URL, prepared for comparison with many patterns.
package struct ComparedURL {
    /// Whether the URL is unknown.
    let isUnknown: Bool
    let url: Text
    let path: Text

    package init(_ request: some MatchableRequest, _ views: RequestViews) {
        isUnknown = request.omissions.contains(.url)
        url = Text(views.url)
        path = views.hasQuery ? Text(views.path) : url
    }

    /// The whole URL, or its path.
    struct Text {
        private let bytes: ArraySlice<UInt8>
        private let isASCII: Bool
        /// Nil for a text that is long or not ASCII.
        private let probe: EditProbe?

        init(_ bytes: ArraySlice<UInt8>) {
            self.bytes = bytes
            isASCII = bytes.isASCII
            probe = EditProbe(bytes)
        }

        /// A lower bound of the distance to another text, from the lengths alone; 0 if they say nothing.
        func minDistance(to other: [UInt8]) -> Double {
            // The number of UTF-16 units of other texts is not known without decoding.
            guard bytes.count != other.count, isASCII, other[...].isASCII else { return 0 }
            return Double(abs(bytes.count - other.count)) / Double(max(bytes.count, other.count))
        }

        /// The distance to another text, equal to that of `RequestViews.editDistance` but faster; nil if only that can
        /// compute it.
        func distance(to other: [UInt8], _ views: inout RequestViews) -> Double? {
            guard let probe, !other.isEmpty, other.count <= EditDistance.exactLimit, other[...].isASCII,
                views.budget.spend((probe.count + other.count) / 8, for: WorkBudget.Work("comparison", "near misses"))
            else { return nil }
            return Double(probe.edits(to: other.span)) / Double(max(probe.count, other.count))
        }

        /// Whether it may match an expression whose matches all start with these bytes. An invalid character matches
        /// its replacement character.
        func mayMatch(beginning: [UInt8]) -> Bool { !isASCII || bytes.continues(with: beginning[...], at: 0) }
    }
}

extension URLTest {
    /// A lower bound of `distance`, at almost no cost.
    package func minDistance(_ compared: ComparedURL) -> Double {
        if compared.isUnknown { return restricts ? 1 : 0 }
        return switch self {
        case .url(let expected): compared.url.minDistance(to: expected)
        case .path(let expected): compared.path.minDistance(to: expected)
        case .urlPattern(let regex): compared.url.mayMatch(beginning: regex.literalPrefix) ? 0 : 1
        case .pathPattern(let regex): compared.path.mayMatch(beginning: regex.literalPrefix) ? 0 : 1
        case .template, .any: 0
        }
    }

    /// A faster `distance`.
    package func distance(_ views: inout RequestViews, _ compared: ComparedURL) -> Double {
        if minDistance(compared) == 1 { return 1 }
        let distance: Double? =
            switch self {
            case .url(let expected): compared.url.distance(to: expected, &views)
            case .path(let expected): compared.path.distance(to: expected, &views)
            case .template(let template) where !template.matches(views.path, views.budget):
                compared.path.distance(to: template.sample, &views)
            case .any, .urlPattern, .pathPattern, .template: nil
            }
        return distance ?? self.distance(&views)
    }
}
