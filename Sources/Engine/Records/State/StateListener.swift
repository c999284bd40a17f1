package import SDJSON
import SDMatching
import SDPlatform
import SDRegularExpressions
import SDStubModel
package import SDTemplating
import SDWireValues

/// The changes that stubs make to the session's state when they answer: WireMock's listeners `recordState` and
/// `deleteState`. All of their texts are templates with access to the request and the response.
package struct StateListeners: Sendable {
    /// The names of the listeners.
    package static let names = ["recordState", "deleteState"]

    private var listeners: [Listener] = []

    package init() {}

    package var isEmpty: Bool { listeners.isEmpty }

    private enum Listener: Sendable {
        case record(context: Template, properties: StateRecord?, first: StateRecord?, last: StateRecord?)
        case delete(Deletion)
    }

    private enum Deletion: Sendable {
        case context(Template)
        case contexts([Template])
        case matching(Template)
        case first(of: Template)
        case last(of: Template)
        case index(Template, of: Template)
        case record(property: Template, value: Template, of: Template)
    }

    // MARK: - Parsing

    /// Parses a listener; problems are reported.
    package mutating func read(_ json: JSONValue, named name: String, _ reader: inout StateReader) {
        // Listeners act before the response is sent; one without that phase does nothing.
        if let phases = json["requestPhases"]?.arrayValue, !phases.contains(.string("BEFORE_RESPONSE_SENT")) { return }
        let listener: Listener? = reader.within(["parameters"]) { reader in
            guard case .object(let parameters)? = json["parameters"] else {
                reader.report("\(name) needs parameters: {\"context\": …}", at: [])
                return nil
            }
            return name == "recordState"
                ? Self.record(parameters, &reader) : Self.deletion(parameters, &reader)
        }
        if let listener { listeners.append(listener) }
    }

    private static func record(_ parameters: JSONObject, _ reader: inout StateReader) -> Listener? {
        reader.check(parameters, known: ["context", "state", "list"])
        let context = reader.template(parameters["context"], at: "context")
        let properties = parameters["state"].flatMap { state in
            reader.within(["state"]) { StateRecord(state, &$0) }
        }
        var first: StateRecord?
        var last: StateRecord?
        if let list = parameters["list"] {
            reader.within(["list"]) { reader in
                guard case .object(let list) = list else { return reader.report("`list` is no object", at: []) }
                reader.check(list, known: ["addFirst", "addLast"])
                first = list["addFirst"].flatMap { record in reader.within(["addFirst"]) { StateRecord(record, &$0) } }
                last = list["addLast"].flatMap { record in reader.within(["addLast"]) { StateRecord(record, &$0) } }
            }
        }
        return context.map { .record(context: $0, properties: properties, first: first, last: last) }
    }

    private static func deletion(_ parameters: JSONObject, _ reader: inout StateReader) -> Listener? {
        reader.check(parameters, known: ["context", "contexts", "contextsMatching", "list"])
        if let list = parameters["list"] {
            guard let context = reader.template(parameters["context"], at: "context") else { return nil }
            return reader.within(["list"]) { reader in listDeletion(list, of: context, &reader) }.map { .delete($0) }
        }
        if let contexts = parameters["contexts"]?.arrayValue {
            return reader.within(["contexts"]) { reader in
                var names: [Template] = []
                for (index, name) in contexts.enumerated() {
                    if let name = reader.template(name, at: String(index)) { names.append(name) }
                }
                return .delete(.contexts(names))
            }
        }
        if let expression = parameters["contextsMatching"] {
            return reader.template(expression, at: "contextsMatching").map { .delete(.matching($0)) }
        }
        return reader.template(parameters["context"], at: "context").map { .delete(.context($0)) }
    }

    private static func listDeletion(
        _ json: JSONValue, of context: Template, _ reader: inout StateReader
    ) -> Deletion? {
        guard case .object(let list) = json else {
            reader.report("`list` is no object", at: [])
            return nil
        }
        reader.check(list, known: ["deleteFirst", "deleteLast", "deleteIndex", "deleteWhere"])
        if list["deleteFirst"]?.boolValue == true { return .first(of: context) }
        if list["deleteLast"]?.boolValue == true { return .last(of: context) }
        if let index = list["deleteIndex"] {
            return reader.template(index, at: "deleteIndex").map { .index($0, of: context) }
        }
        guard let condition = list["deleteWhere"] else {
            reader.report("expected deleteFirst, deleteLast, deleteIndex or deleteWhere", at: [])
            return nil
        }
        return reader.within(["deleteWhere"]) { reader in
            guard let property = reader.template(condition["property"], at: "property"),
                let value = reader.template(condition["value"], at: "value")
            else { return nil }
            return .record(property: property, value: value, of: context)
        }
    }

    // MARK: - Running

    /// Applies the changes to the session's state, one listener after the other.
    /// - Throws: why one of them failed.
    package func run(_ session: any StateOwner, _ environment: RenderEnvironment) throws(StateProblem) {
        // As in WireMock, all changes of a context by one request count as one update.
        var updated: Set<String> = []
        for listener in listeners {
            switch listener {
            case .record(let context, let properties, let first, let last):
                let name = try Self.name(context, environment)
                let values = try properties?.render(environment)
                let head = try first?.render(environment)
                let tail = try last?.render(environment)
                let isFirst = updated.insert(name).inserted
                try session.changeState { states throws(StateProblem) in
                    try states.update(name) { context in
                        for member in values?.members ?? [] { context.properties[member.key] = member.value }
                        if let head { context.list.insert(head, at: 0) }
                        if let tail { context.list.append(tail) }
                        if isFirst { context.updateCount += 1 }
                    }
                }
            case .delete(let deletion): try Self.delete(deletion, session, environment)
            }
        }
    }

    private static func delete(
        _ deletion: Deletion, _ session: any StateOwner, _ environment: RenderEnvironment
    ) throws(StateProblem) {
        switch deletion {
        case .context(let context): _ = session.removeState(try name(context, environment))
        case .contexts(let contexts):
            var names: [String] = []
            for context in contexts { names.append(try environment.text(of: context)) }
            try session.changeState { for name in names { $0.remove(name) } }
        case .matching(let expression):
            let text = try environment.text(of: expression)
            guard let regex = try? JavaRegex(text) else {
                throw StateProblem("`contextsMatching` is no regular expression: \(text)")
            }
            let names = session.stateContexts.map(\.name).filter {
                regex.match(Array($0.utf8)[...], environment.budget) == .match
            }
            try session.changeState { for name in names { $0.remove(name) } }
        case .first(let context):
            try change(context, session, environment) { if !$0.isEmpty { $0.removeFirst() } }
        case .last(let context):
            try change(context, session, environment) { if !$0.isEmpty { $0.removeLast() } }
        case .index(let index, let context):
            // A text that is not an index of the list deletes nothing.
            let text = try environment.text(of: index)
            try change(context, session, environment) { list in
                guard let number = Int(text) else { return }
                let place = number < 0 ? list.count + number : number
                if list.indices.contains(place) { list.remove(at: place) }
            }
        case .record(let property, let value, let context):
            let (property, value) = (try environment.text(of: property), try environment.text(of: value))
            try change(context, session, environment) { list in
                let place = list.firstIndex { TemplateValue(plain: $0[property] ?? .null).text == value }
                if let place { list.remove(at: place) }
            }
        }
    }

    /// Changes the list of a context, if the context exists.
    /// - Throws: why the change fails: its name, or the limits.
    private static func change(
        _ context: Template, _ session: any StateOwner, _ environment: RenderEnvironment,
        _ change: (inout [JSONObject]) -> Void
    ) throws(StateProblem) {
        let name = try name(context, environment)
        try session.changeState { states throws(StateProblem) in
            guard states[name] != nil else { return }
            try states.update(name) { context in
                change(&context.list)
                context.updateCount += 1
            }
        }
    }

    private static func name(_ template: Template, _ environment: RenderEnvironment) throws(StateProblem) -> String {
        let name = try environment.text(of: template)
        guard name.contains(where: { !$0.isWhitespace }) else { throw StateProblem("the context has no name") }
        return name
    }
}

/// Names with templates as values.
struct StateRecord: Sendable {
    private let members: [(name: String, value: StateValue)]

    /// - Returns: nil if the value is invalid, which is reported.
    package init?(_ json: JSONValue, _ reader: inout StateReader) {
        guard case .object(let object) = json else {
            reader.report("names and values were expected, not \(json.shortDescription)", at: [])
            return nil
        }
        var members: [(name: String, value: StateValue)] = []
        for member in object.members {
            reader.within([member.key]) { reader in
                if let value = StateValue(member.value, &reader) { members.append((member.key, value)) }
            }
        }
        self.members = members
    }

    /// - Throws: why a value cannot be rendered.
    package func render(_ environment: RenderEnvironment) throws(StateProblem) -> JSONObject {
        var object = JSONObject()
        for (name, value) in members { object[name] = try value.render(environment) }
        return object
    }
}

/// A value whose texts are templates. Numbers and booleans become texts, as in WireMock.
indirect enum StateValue: Sendable {
    case template(Template)
    case constant(JSONValue)
    case list([StateValue])
    case object([(name: String, value: StateValue)])

    package init?(_ json: JSONValue, _ reader: inout StateReader) {
        switch json {
        case .string:
            guard let template = reader.template(json, at: nil) else { return nil }
            self = template.isPlain ? .constant(json) : .template(template)
        case .number(let number): self = .constant(.string(number.text))
        case .bool(let value): self = .constant(.string(value ? "true" : "false"))
        case .null: self = .constant(.null)
        case .array(let elements):
            var values: [StateValue] = []
            for (index, element) in elements.enumerated() {
                guard let value = reader.within([String(index)], { StateValue(element, &$0) }) else { return nil }
                values.append(value)
            }
            self = .list(values)
        case .object(let object):
            var members: [(name: String, value: StateValue)] = []
            for member in object.members {
                guard let value = reader.within([member.key], { StateValue(member.value, &$0) }) else { return nil }
                members.append((member.key, value))
            }
            self = .object(members)
        }
    }

    /// Whether the value has nothing to render.
    package var isConstant: Bool {
        switch self {
        case .template: false
        case .constant: true
        case .list(let elements): elements.allSatisfy(\.isConstant)
        case .object(let members): members.allSatisfy(\.value.isConstant)
        }
    }

    package func render(_ environment: RenderEnvironment) throws(StateProblem) -> JSONValue {
        switch self {
        case .template(let template): return .string(try environment.text(of: template))
        case .constant(let value): return value
        case .list(let elements):
            var rendered: [JSONValue] = []
            for element in elements { rendered.append(try element.render(environment)) }
            return .array(rendered)
        case .object(let members):
            var object = JSONObject()
            for (name, value) in members { object[name] = try value.render(environment) }
            return .object(object)
        }
    }
}

extension RenderEnvironment {
    /// Renders a template.
    /// - Throws: why it cannot be rendered.
    package func text(of template: Template) throws(StateProblem) -> String {
        do throws(RenderError) {
            return String(decoding: try template.render(self), as: UTF8.self)
        } catch {
            throw StateProblem(error.message)
        }
    }
}
