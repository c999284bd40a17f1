import SDPlatform

/// WireMock's distances of values, which rank near misses: from 0 (passes) to 1.
extension ValueTest {
    package func distance(_ value: MatchValue?, _ views: inout RequestViews) -> Double {
        switch self {
        case .and(let tests): return mean(tests.map { $0.distance(value, &views) })
        case .or(let tests): return tests.map { $0.distance(value, &views) }.min() ?? 1
        default: break
        }
        if passes(value, &views) { return 0 }
        guard let value else { return 1 }
        switch self {
        case .equalTo(let expected), .equalToIgnoringCase(let expected):
            return views.editDistance(expected[...], value.text)
        case .own(let test): return test.distance(value, &views)
        default: return 1
        }
    }
}

extension MultiValueTest {
    package func distance(_ values: [ArraySlice<UInt8>], _ views: inout RequestViews) -> Double {
        switch self {
        case .any(let test):
            guard !values.isEmpty else { return test.distance(nil, &views) }
            return nearest(test, values, &views)
        case .includes(let tests):
            guard !values.isEmpty else { return 1 }
            return mean(tests.map { nearest($0, values, &views) })
        case .hasExactly(let tests):
            guard !values.isEmpty else { return 1 }
            return mean([values.count == tests.count ? 0 : 1, mean(tests.map { nearest($0, values, &views) })])
        case .count(let range): return range.contains(values.count) ? 0 : 1
        }
    }

    private func nearest(_ test: ValueTest, _ values: [ArraySlice<UInt8>], _ views: inout RequestViews) -> Double {
        var least = 1.0
        for value in values where !views.isSpent { least = min(least, test.distance(MatchValue(value), &views)) }
        return least
    }
}

extension URLTest {
    package func distance(_ views: inout RequestViews) -> Double {
        if passes(&views) { return 0 }
        switch self {
        case .url(let expected): return views.editDistance(expected[...], views.url)
        case .path(let expected): return views.editDistance(expected[...], views.path)
        case .template(let template):
            return views.editDistance(template.sample[...], views.path)
        case .any, .urlPattern, .pathPattern: return 1
        }
    }
}

extension PathTemplate {
    /// The template with one character for each variable and wildcard; WireMock measures distances from this text.
    var sample: [UInt8] {
        var sample: [UInt8] = []
        sample.reserveCapacity(text.utf8.count)
        for token in tokens {
            if case .literal(let bytes) = token { sample += bytes } else { sample.append(UInt8(ascii: "*")) }
        }
        return sample
    }
}

extension RequestViews {
    /// `EditDistance.normalised`, at the budget's expense.
    mutating func editDistance(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Double {
        let columns = min(left.count, right.count, EditDistance.exactLimit) / 64 + 1
        let rows = min(max(left.count, right.count), EditDistance.exactLimit)
        let steps = (columns * rows + left.count + right.count) / 8
        guard budget.spend(steps, for: WorkBudget.Work("comparison", "near misses")) else { return 1 }
        return EditDistance.normalised(left, right, &edits)
    }
}

/// The mean of distances; 0 if there are none.
package func mean(_ distances: [Double]) -> Double {
    distances.isEmpty ? 0 : distances.reduce(0, +) / Double(distances.count)
}

extension [String] {
    /// The text nearest to passing; nil if there is none.
    func nearest(to test: ValueTest, _ views: inout RequestViews) -> String? {
        var nearest: (text: String, distance: Double)?
        for text in self {
            let distance = test.distance(MatchValue([UInt8](text.utf8)[...]), &views)
            if nearest.map({ distance < $0.distance }) ?? true { nearest = (text, distance) }
        }
        return nearest?.text
    }
}
