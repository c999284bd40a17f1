import SDJSON
import SDRegularExpressions

/// A parsed path: its origin, its steps, and the function at its end, if any.
struct PathQuery: Sendable {
    enum Origin: Sendable, Hashable {
        /// `$`: the document.
        case root
        /// `@`: the current value of a filter. At the start of a whole expression it is the document.
        case current
    }

    var origin: Origin
    var segments: [PathSegment]
    /// Jayway's `.length()` and similar functions, which can only end a path.
    var function: PathFunction?
    /// The key under which the result of a root query in a filter is cached for the next element; nil for other
    /// queries.
    var memo: Int?

    /// Whether the query is singular (RFC 9535, section 2.3.5.1).
    var isSingular: Bool {
        function == nil && segments.allSatisfy { $0.step != nil }
    }

    /// Whether the function at the end gets all values that `..` finds at once, as in Jayway. If not, it gets them one
    /// by one.
    var gathersForFunction: Bool {
        function != nil && segments.first?.descends == true
    }

    func isDefinite(in dialect: JSONPath.Dialect) -> Bool {
        if gathersForFunction { return true }
        let last = function == nil ? segments.count - 1 : segments.count
        return segments.enumerated().allSatisfy { place, segment in
            segment.step != nil || (place == last && dialect == .wireMock && !segment.descends && segment.names != nil)
        }
    }
}

struct PathSegment: Sendable {
    /// Whether the segment is `..`, which applies to the value and its descendants.
    var descends: Bool
    var selectors: [PathSelector]

    /// The one name or index, if the segment leads to at most one value.
    var step: PathSelector? {
        guard !descends, selectors.count == 1 else { return nil }
        switch selectors[0] {
        case .name, .index: return selectors[0]
        case .wildcard, .slice, .filter: return nil
        }
    }

    /// The names, if the segment is a list of two or more names.
    var names: [String]? {
        guard selectors.count > 1 else { return nil }
        var names: [String] = []
        for selector in selectors {
            guard case .name(let name) = selector else { return nil }
            names.append(name)
        }
        return names
    }
}

/// A selector of RFC 9535, section 2.3.
indirect enum PathSelector: Sendable {
    case name(String)
    case wildcard
    case index(Int)
    case slice(PathSlice)
    case filter(FilterCondition)
}

struct PathSlice: Sendable, Hashable {
    var start: Int?
    var end: Int?
    var step: Int?
}

/// A function at the end of a path.
struct PathFunction: Sendable {
    enum Argument: Sendable {
        case literal(JSONValue)
        case query(PathQuery)
    }

    /// The name as written. Jayway looks names up when it evaluates, so an unknown one is not an error of the
    /// expression.
    var name: String
    var arguments: [Argument]
}

/// A condition of RFC 9535, section 2.3.5, extended by Jayway's operators.
indirect enum FilterCondition: Sendable {
    case any([FilterCondition])
    case all([FilterCondition])
    case not(FilterCondition)
    case exists(PathQuery)
    case compare(FilterOperand, FilterOperator, FilterOperand)
    case test(FilterFunction)
}

indirect enum FilterOperand: Sendable {
    case literal(JSONValue)
    case query(PathQuery)
    case function(FilterFunction)
    case regex(JavaRegex)
}

enum FilterOperator: String, Sendable, CaseIterable {
    case equal = "=="
    case notEqual = "!="
    case lessOrEqual = "<="
    case greaterOrEqual = ">="
    case less = "<"
    case greater = ">"
    case identical = "==="
    case notIdentical = "!=="
    case matches = "=~"
    case isIn = "in"
    case isNotIn = "nin"
    case subsetOf = "subsetof"
    case anyOf = "anyof"
    case noneOf = "noneof"
    case allOf = "all"
    case size
    case empty
    case contains

    var isEquality: Bool { self == .equal || self == .notEqual }

    var isStandard: Bool {
        switch self {
        case .equal, .notEqual, .lessOrEqual, .greaterOrEqual, .less, .greater: true
        default: false
        }
    }
}

/// A function of RFC 9535 section 2.4.
struct FilterFunction: Sendable {
    enum Name: String, Sendable, CaseIterable {
        case length, count, match, search, value

        /// Whether the function is a test by itself, as opposed to a value to compare.
        var isTest: Bool { self == .match || self == .search }
        var takesNodes: Bool { self == .count || self == .value }
        var argumentCount: Int { isTest ? 2 : 1 }
    }

    var name: Name
    var arguments: [FilterOperand]
    /// The compiled second argument of `match` and `search`, if it is a valid literal.
    var pattern: JavaRegex?
}
