package import SDJSON
package import SDMatching
import SDPlatform
package import SDStubModel
package import SDTemplating
import SDWireValues

/// A stub's condition on the session's state: WireMock's custom matcher `state-matcher`. Its texts are templates with
/// access to the request.
package indirect enum StateCondition: Sendable {
    case has(context: Template, [Check])
    case hasNot(context: Template)
    case all([StateCondition])
    case any([StateCondition])
    case not(StateCondition)

    /// The name under which WireMock's extension is registered.
    static let matcherName = "state-matcher"

    /// A condition on an existing context.
    package enum Check: Sendable {
        case property(Template, StateMatcher)
        /// A property of the record at an index, which may be `first` or `last`.
        case record(Template, property: Template, StateMatcher)
        case hasProperty(Template, isWanted: Bool)
        case number(Subject, Comparison, Template)
    }

    package enum Subject: String, Sendable, CaseIterable {
        case updateCount, listSize

        package func value(_ context: StoredContext) -> Int {
            switch self {
            case .updateCount: context.updateCount
            case .listSize: context.list.count
            }
        }
    }

    package enum Comparison: String, Sendable, CaseIterable {
        case equalTo = "EqualTo"
        case lessThan = "LessThan"
        case moreThan = "MoreThan"

        package func holds(_ value: Int, _ wanted: Int) -> Bool {
            switch self {
            case .equalTo: value == wanted
            case .lessThan: value < wanted
            case .moreThan: value > wanted
            }
        }
    }

    /// Whether a matcher is a `state-matcher`.
    package static func isMeant(by matcher: CustomMatcher?) -> Bool { matcher?.name == matcherName }

    // MARK: - Parsing

    private static let counts: [(name: String, subject: Subject, comparison: Comparison)] =
        Subject.allCases.flatMap { subject in
            Comparison.allCases.map { (subject.rawValue + $0.rawValue, subject, $0) }
        }

    private static let names =
        ["hasContext", "hasNotContext", "property", "list", "hasProperty", "hasNotProperty", "and", "or", "not"]
        + counts.map(\.name)

    /// Parses the condition of a mapping; nil if it has none.
    /// - Throws: what is wrong with it.
    package static func read(_ mapping: borrowing StubMapping) throws(StubRefusal) -> StateCondition? {
        guard isMeant(by: mapping.request.customMatcher) else { return nil }
        var reader = StateReader(at: ["request", "customMatcher", "parameters"])
        let condition = read(mapping.request.customMatcher?.parameters ?? JSONObject(), &reader)
        guard let condition, reader.problems.isEmpty else { throw .unserved(mapping.id, reader.problems) }
        return condition
    }

    private static func read(_ object: JSONObject, _ reader: inout StateReader) -> StateCondition? {
        reader.check(object, known: names)
        let deciding = ["hasContext", "hasNotContext", "and", "or", "not"]
        if let first = deciding.first(where: { object[$0] != nil }) {
            // A check of a context may also check its content; no other combination has an effect.
            for name in object.keys where name != first && (first != "hasContext" || deciding.contains(name)) {
                reader.report("`\(name)` has no effect beside `\(first)`: `and` takes several", at: [name])
            }
        }
        if object["hasContext"] != nil {
            let context = reader.template(object["hasContext"], at: "hasContext")
            let checks = checks(object, &reader)
            return context.map { .has(context: $0, checks) }
        }
        if object["hasNotContext"] != nil {
            return reader.template(object["hasNotContext"], at: "hasNotContext").map { .hasNot(context: $0) }
        }
        for name in ["and", "or"] {
            guard let elements = object[name]?.arrayValue else { continue }
            var conditions: [StateCondition] = []
            for (index, element) in elements.enumerated() {
                reader.within([name, String(index)]) { reader in
                    if let condition = read(element.objectValue ?? JSONObject(), &reader) {
                        conditions.append(condition)
                    }
                }
            }
            return name == "and" ? .all(conditions) : .any(conditions)
        }
        if let inner = object["not"]?.objectValue {
            return reader.within(["not"]) { read(inner, &$0) }.map { .not($0) }
        }
        reader.report(
            "the state-matcher asks for nothing: expected `hasContext`, `hasNotContext`, `and`, `or` or `not`", at: [])
        return nil
    }

    private static func checks(_ object: JSONObject, _ reader: inout StateReader) -> [Check] {
        var checks: [Check] = []
        if let properties = object["property"] {
            reader.within(["property"]) { reader in
                for (name, matcher) in matchers(properties, &reader) { checks.append(.property(name, matcher)) }
            }
        }
        if let records = object["list"] {
            reader.within(["list"]) { reader in
                guard case .object(let records) = records else {
                    return reader.report("an object of indices was expected", at: [])
                }
                for record in records.members {
                    reader.within([record.key]) { reader in
                        guard let index = reader.template(.string(record.key), at: nil) else { return }
                        for (name, matcher) in matchers(record.value, &reader) {
                            checks.append(.record(index, property: name, matcher))
                        }
                    }
                }
            }
        }
        for (name, isWanted) in [("hasProperty", true), ("hasNotProperty", false)] where object[name] != nil {
            if let property = reader.template(object[name], at: name) {
                checks.append(.hasProperty(property, isWanted: isWanted))
            }
        }
        for (name, subject, comparison) in counts where object[name] != nil {
            if let number = reader.template(object[name], at: name) {
                checks.append(.number(subject, comparison, number))
            }
        }
        return checks
    }

    /// Properties with the matchers of their values.
    private static func matchers(
        _ json: JSONValue, _ reader: inout StateReader
    ) -> [(name: Template, matcher: StateMatcher)] {
        guard case .object(let object) = json else {
            reader.report("an object of properties and matchers was expected", at: [])
            return []
        }
        var matchers: [(name: Template, matcher: StateMatcher)] = []
        for member in object.members {
            reader.within([member.key]) { reader in
                guard let name = reader.template(.string(member.key), at: nil),
                    let matcher = StateMatcher(member.value, &reader)
                else { return }
                matchers.append((name, matcher))
            }
        }
        return matchers
    }

    // MARK: - Testing

    /// Whether the state satisfies the condition. False if a template cannot be rendered.
    package func holds(_ states: StateStore, _ environment: RenderEnvironment) -> Bool {
        switch self {
        case .has(let context, let checks):
            guard let name = Self.text(context, environment), let context = states[name] else { return false }
            return checks.allSatisfy { Self.holds($0, context, environment) }
        case .hasNot(let context):
            guard let name = Self.text(context, environment) else { return false }
            return states[name] == nil
        case .all(let conditions): return conditions.allSatisfy { $0.holds(states, environment) }
        case .any(let conditions): return conditions.contains { $0.holds(states, environment) }
        case .not(let condition): return !condition.holds(states, environment)
        }
    }

    /// Why the state does not satisfy the condition, as a clause; nil if it does.
    package func unmetReason(_ states: StateStore, _ environment: RenderEnvironment) -> String? {
        if holds(states, environment) { return nil }
        func named(_ context: Template) -> String {
            Self.text(context, environment).map { "\"\($0)\"" } ?? "whose name cannot be rendered"
        }
        switch self {
        case .has(let context, let checks):
            let isThere = Self.text(context, environment).map { states[$0] != nil } ?? false
            return isThere && !checks.isEmpty
                ? "the context \(named(context)) has other values" : "there is no context \(named(context))"
        case .hasNot(let context): return "there is a context \(named(context))"
        case .all(let conditions): return conditions.lazy.compactMap { $0.unmetReason(states, environment) }.first
        case .any: return "none of its alternatives holds"
        case .not: return "what it excludes is so"
        }
    }

    private static func text(_ template: Template, _ environment: RenderEnvironment) -> String? {
        do throws(StateProblem) {
            return try environment.text(of: template)
        } catch {
            return nil
        }
    }

    private static func holds(
        _ check: Check, _ context: StoredContext, _ environment: RenderEnvironment
    ) -> Bool {
        switch check {
        case .property(let name, let matcher):
            guard let name = text(name, environment) else { return false }
            return matcher.matches(context.properties[name], environment)
        case .record(let index, let name, let matcher):
            guard let index = text(index, environment), let name = text(name, environment),
                let record = record(at: index, of: context)
            else { return false }
            return matcher.matches(record[name], environment)
        case .hasProperty(let name, let isWanted):
            guard let name = text(name, environment) else { return false }
            return (context.properties[name] != nil) == isWanted
        case .number(let subject, let comparison, let number):
            guard let wanted = text(number, environment).flatMap({ Int($0) }) else { return false }
            return comparison.holds(subject.value(context), wanted)
        }
    }

    private static func record(at index: String, of context: StoredContext) -> JSONObject? {
        switch index {
        case "first": return context.list.first
        case "last", "-1": return context.list.last
        default:
            guard let place = Int(index), context.list.indices.contains(place) else { return nil }
            return context.list[place]
        }
    }
}

/// A matcher of a value in the session's state, whose texts may be templates.
package struct StateMatcher: Sendable {
    private let source: Source

    private enum Source: Sendable {
        case compiled(CompiledMatcher, matchesNothing: Bool)
        case rendered(StateValue)
    }

    package init?(_ json: JSONValue, _ reader: inout StateReader) {
        guard let value = StateValue(json, &reader) else { return nil }
        if !value.isConstant {
            source = .rendered(value)
            return
        }
        do throws(StateMatcherProblem) {
            source = try Self.compile(json)
        } catch {
            reader.report(error.message, at: error.tokens)
            return nil
        }
    }

    private struct StateMatcherProblem: Error {
        let message: String
        var tokens: [String] = []
    }

    private static func compile(_ json: JSONValue) throws(StateMatcherProblem) -> Source {
        let matcher: ValueMatcher
        do throws(ModelProblems) {
            matcher = try ValueMatcher(json: json)
        } catch {
            let first = error.problems.first
            throw StateMatcherProblem(message: first?.message ?? "no matcher", tokens: first?.place.tokens ?? [])
        }
        do throws(PatternProblems) {
            return .compiled(try CompiledMatcher(matcher), matchesNothing: matcher.isAbsence)
        } catch {
            throw StateMatcherProblem(message: error.problems.first?.message ?? "no matcher")
        }
    }

    /// Whether a value matches.
    /// - Parameter value: nil for a missing value, which only `absent` matches.
    package func matches(_ value: JSONValue?, _ environment: RenderEnvironment) -> Bool {
        var source = source
        if case .rendered(let template) = source {
            guard let json = try? template.render(environment), let made = try? Self.compile(json) else { return false }
            source = made
        }
        guard case .compiled(let matcher, let matchesNothing) = source else { return false }
        guard let value, !value.isNull else { return matchesNothing }
        if matchesNothing { return false }
        let text = Array(TemplateValue(plain: value).text.utf8)
        return matcher.matches(text, now: environment.system.wallTime, environment.budget)
    }
}
