import Bytes
import RegularExpressions

/// A compiled matcher of one value: what `{"equalTo": "x"}` asks of a header, a parameter or a part of the path.
indirect enum ValueTest: Sendable {
    case equalTo([UInt8])
    case equalToIgnoringCase(String)
    case contains([UInt8])
    case doesNotContain([UInt8])
    case matches(JavaRegex)
    case doesNotMatch(JavaRegex)
    case absent
    case anything
    case and([ValueTest])
    case or([ValueTest])
    case not(ValueTest)

    /// Whether the value passes; nil is the one value of a thing that is not there.
    func passes(_ value: ArraySlice<UInt8>?, _ views: inout RequestViews) -> Bool {
        switch self {
        case .equalTo(let expected): return value?.equals(expected[...]) ?? false
        case .equalToIgnoringCase(let expected): return value.map { CaseFolding.equals($0, expected) } ?? false
        case .contains(let part): return value?.contains(part[...]) ?? false
        case .doesNotContain(let part): return !(value?.contains(part[...]) ?? false)
        case .matches(let regex): return value.map { views.match(regex, $0) } ?? false
        case .doesNotMatch(let regex): return !(value.map { views.match(regex, $0) } ?? false)
        case .absent: return value == nil
        case .anything: return true
        case .and(let tests):
            for test in tests where !test.passes(value, &views) { return false }
            return true
        case .or(let tests):
            for test in tests where test.passes(value, &views) { return true }
            return false
        case .not(let test): return !test.passes(value, &views)
        }
    }
}

/// A compiled matcher of a header or parameter, which may come several times or not at all.
enum MultiValueTest: Sendable {
    /// Some value passes; a missing key counts as one value that is nil.
    case any(ValueTest)
    /// As many values as tests, and each test is passed by some value.
    case hasExactly([ValueTest])
    /// Each test is passed by some value.
    case includes([ValueTest])

    /// Whether the values pass. `forEach` calls its argument with one value after the other until that returns false.
    ///
    /// Walks the values once a test rather than gathering them: most keys have one value, and nothing is allocated.
    func passes(
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
            passed = test.passes(value, &views)
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
