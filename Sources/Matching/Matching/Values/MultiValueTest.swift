import SDPlatform

/// A compiled matcher of a header or parameter, which may be repeated or missing.
package enum MultiValueTest: Sendable {
    /// Any value passes; a missing key counts as one value that is nil.
    case any(ValueTest)
    /// As many values as tests, where each test is passed by some value.
    case hasExactly([ValueTest])
    /// Each test is passed by some value.
    case includes([ValueTest])
    /// The number of values is in the range; an addition to WireMock.
    case count(ClosedRange<Int>)

    /// Whether the values pass. `forEach` calls its argument with each value in turn until that returns false.
    ///
    /// The values are visited once per test instead of collected: most keys have one value, and nothing is allocated.
    package func passes(
        _ views: inout RequestViews, forEach: ((ArraySlice<UInt8>) -> Bool) -> Void
    ) -> Bool {
        switch self {
        case .any(let test):
            return Self.someValuePasses(test, &views, missing: { test.passes(nil, &$0) }, forEach)
        case .includes(let tests):
            return Self.count(forEach) > 0 && Self.eachTestPasses(tests, &views, forEach)
        case .hasExactly(let tests):
            let count = Self.count(forEach)
            return count > 0 && count == tests.count && Self.eachTestPasses(tests, &views, forEach)
        case .count(let range):
            return range.contains(Self.count(forEach))
        }
    }

    private static func eachTestPasses(
        _ tests: [ValueTest], _ views: inout RequestViews, _ forEach: ((ArraySlice<UInt8>) -> Bool) -> Void
    ) -> Bool {
        for test in tests where !someValuePasses(test, &views, missing: { _ in false }, forEach) { return false }
        return true
    }

    private static func someValuePasses(
        _ test: ValueTest, _ views: inout RequestViews, missing: (inout RequestViews) -> Bool,
        _ forEach: ((ArraySlice<UInt8>) -> Bool) -> Void
    ) -> Bool {
        var isPresent = false
        var passed = false
        forEach { value in
            isPresent = true
            passed = test.passes(MatchValue(value), &views)
            return !passed
        }
        return isPresent ? passed : missing(&views)
    }

    private static func count(_ forEach: ((ArraySlice<UInt8>) -> Bool) -> Void) -> Int {
        var count = 0
        forEach { _ in
            count += 1
            return true
        }
        return count
    }
}

extension [QueryParameter] {
    /// Calls `body` with each value under `name`, in order, until it returns false.
    /// - Parameter budget: the budget for visiting names and values; nil if they are few.
    func forEachValue(of name: [UInt8], _ budget: WorkBudget? = nil, _ body: (ArraySlice<UInt8>) -> Bool) {
        func hasBudget(_ steps: Int) -> Bool {
            budget?.spend(steps, for: WorkBudget.Work("matchers", "of \(count) fields")) ?? true
        }
        guard hasBudget(2 * count) else { return }
        for parameter in self where parameter.name.equals(name[...]) {
            guard hasBudget(50) else { return }
            if !body(parameter.value) { return }
        }
    }
}
