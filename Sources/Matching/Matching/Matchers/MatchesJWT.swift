import SDJSON
import SDPlatform
internal import SDStubModel

/// `matchesJwt`: claims and header of a token; the signature is ignored.
struct JWTTest: MatcherTest {
    /// A test of one claim or header field.
    struct Field: Sendable {
        enum Test: Sendable {
            case equal(JSONEquality)
            case test(ValueTest)
        }

        let name: String
        let test: Test
    }

    let claims: [Field]
    let header: [Field]

    func passes(_ value: MatchValue, _ views: inout RequestViews) -> Bool {
        guard views.budget.tryReserve(10 * value.text.count, for: WorkBudget.Work("token", "matchesJwt")),
            let token = JWTToken(value.text)
        else { return false }
        for field in claims where !passes(field, token.claim(field.name), &views) { return false }
        for field in header where !passes(field, token.headerField(field.name), &views) { return false }
        return true
    }

    private func passes(_ field: Field, _ value: JSONValue?, _ views: inout RequestViews) -> Bool {
        switch field.test {
        case .equal(let equality): return value.map { equality.matches($0, views.budget) } ?? false
        case .test(let test):
            guard let value, !value.isNull else { return test.passes(nil, &views) }
            // A list, such as of audiences, passes if one of its elements does.
            let budget = views.budget
            for element in value.arrayValue ?? [value]
            where test.passes(element.matchValue(budget), &views) {
                return true
            }
            return test.passes(value.matchValue(budget), &views)
        }
    }
}

extension JSONValue {
    fileprivate func matchValue(_ budget: WorkBudget) -> MatchValue {
        MatchValue(ParsedDocument(stringValue.map { Array($0.utf8)[...] } ?? compactBytes[...], json: self, budget))
    }
}

extension JWTTest {
    static func compile(
        _ matcher: ValueMatcher, at place: PatternPlace, depth: Int, _ compiler: inout PatternCompiler
    ) -> ValueTest? {
        let place = place.member("matchesJwt")
        guard case .object(let object) = matcher.operand else {
            compiler.refuse(.badOperand, place, "`matchesJwt` operand must be an object of `claims` and `header`")
            return nil
        }
        return .own(
            JWTTest(
                claims: fields(object["claims"], at: place.member("claims"), depth: depth, &compiler),
                header: fields(object["header"], at: place.member("header"), depth: depth, &compiler)))
    }

    /// The tests of fields. An operand that is an object starting with an operator is a matcher; any other is compared
    /// for equality.
    private static func fields(
        _ fields: JSONValue?, at place: PatternPlace, depth: Int, _ compiler: inout PatternCompiler
    ) -> [Field] {
        guard case .object(let object) = fields else { return [] }
        var tests: [Field] = []
        for member in object.members {
            let place = place.member(member.key)
            let isMatcher = member.value.objectValue?.members.contains {
                ValueMatcher.Operator(rawValue: $0.key) != nil
            }
            if isMatcher == true {
                if let test = compiler.nested(member.value, at: place, depth: depth) {
                    tests.append(.init(name: member.key, test: .test(test)))
                }
            } else if let equality = compiler.equality(member.value, at: place) {
                tests.append(.init(name: member.key, test: .equal(equality)))
            }
        }
        return tests
    }
}
