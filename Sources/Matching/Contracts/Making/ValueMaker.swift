import SDFakeValues
import SDJSON
import SDJSONSchema
import SDOpenAPI
import SDPlatform
import SDStubModel

/// Generates values that satisfy schemas: equal for equal seeds, with optional members down to a level.
struct ValueMaker {
    /// How much to generate where a schema leaves it open. Too large a result is generated again with less.
    struct Measure {
        /// The depth down to which optional members are generated.
        var optionalLevels: Int
        /// Whether nested lists have a single item.
        var hasShortLists = false
        /// Whether recursive members are omitted.
        var endsAtRepetition = false
        /// Whether it is one level deeper than elsewhere, so that two list items differ.
        var isDeeper = false
    }

    /// The style of a value with respect to alternatives that it must not satisfy.
    enum Style: CaseIterable {
        /// With all members.
        case whole
        /// Without members that other alternatives require.
        case distinct
        /// With a member that violates other alternatives.
        case marked
        /// With required members only.
        case least
        /// Of another type than the likeliest.
        case other
        /// With all members, ignoring other alternatives, if validation accepts it.
        case lenient
    }

    let contract: Contract
    let schemas: SchemaFinder
    let wishes: AnswerPreferences
    let budget: WorkBudget
    /// Values of the request by parameter name.
    let echoes: Echoes
    /// The status of the answer; nil if the value is not for an answer.
    var status: Int?
    /// Whether it is a request, so that members of answers only are omitted; if not, those of requests only.
    let isRequest: Bool

    var measure: Measure
    /// The number of values that may still be generated.
    var credit = 0
    /// The number of alternatives that may still be tried.
    var attempts = 0
    /// The first thing that could not be generated.
    private(set) var failure: (reason: String, place: DocumentSet.Place?)?
    private var isOver = false

    /// The compiled expressions by text; nil for an invalid one.
    var compiled: [String: SchemaPattern?] = [:]
    private var shapes: [[DocumentSet.Place]: Shape] = [:]
    /// Cached size estimates.
    var sizes: [SizeKey: Int] = [:]
    /// The depth of the current size estimate.
    var sizeDepth = 0
    var scope: [APISchema] = []
    /// The locations of the components that enclose the current value.
    var around: [DocumentSet.Place] = []

    static let work = WorkBudget.Work("answer", "made from a schema")

    /// The maximum number of values in an answer, unless more items are requested or required.
    static let maxValues = 8_000
    /// The maximum number of required values in an answer.
    static let maxRequired = 200_000
    /// The maximum nesting of values.
    static let deepest = 40

    init(
        _ contract: Contract, wishes: AnswerPreferences, echoes: Echoes, isRequest: Bool = false, budget: WorkBudget
    ) {
        self.contract = contract
        schemas = SchemaFinder(description: contract.description)
        self.wishes = wishes
        self.echoes = echoes
        self.isRequest = isRequest
        self.budget = budget
        measure = Measure(optionalLevels: wishes.optionalLevels)
    }

    /// The maximum number of values in this answer.
    var largest: Int {
        let items = min(wishes.listLength?.upperBound ?? 0, Self.maxItems)
        return min(max(Self.maxValues, items * 100), Self.maxRequired)
    }

    // MARK: - Whole values

    /// A value that is valid against a schema.
    /// - Parameter item: the index among several values that should differ.
    mutating func value(
        of schema: APISchema, name: String = "", seed: UInt64, item: Int? = nil
    ) throws(ContractRefusal) -> JSONValue {
        var spot = ValueLocation(seed: seed)
        spot.name = name
        spot.owner = name
        if let item { spot = spot.item(item) }
        let measures = measures(for: schema)
        failure = nil
        for (index, next) in measures.enumerated() {
            measure = next
            // Required parts are generated completely, however large.
            credit = index == measures.count - 1 ? Self.maxRequired : largest
            attempts = 2_000
            isOver = false
            let made = make([schema], spot)
            if made == nil, isOver, !budget.isSpent, index == measures.count - 1 {
                note("The schema requires more than \(Self.maxRequired) values", schema.place)
            }
            guard let value = made, !isOver || index == measures.count - 1 else {
                if budget.isSpent { break }
                continue
            }
            if isValid(value, schema) { return value }
            let problem = contract.problems(of: value, schema: schema, direction: direction, most: 1, budget: budget)
                .first
            note(
                "What was made of the schema is not valid against it" + (problem.map { ": \($0)" } ?? ""), schema.place)
        }
        throw refusal(schema)
    }

    private func refusal(_ schema: APISchema) -> ContractRefusal {
        if budget.isSpent {
            return ContractRefusal(
                .outOfBudget, message: "Making a value of this schema takes more work than a request may cause",
                place: schema.place)
        }
        return ContractRefusal(
            .cannotBeMade, message: failure?.reason ?? "No value was found that is valid against the schema",
            place: failure?.place ?? schema.place)
    }

    /// Records why something cannot be generated.
    mutating func note(_ reason: String, _ place: DocumentSet.Place?) {
        if failure == nil { failure = (reason, place) }
    }

    /// Restores the earlier reason after the failure of an optional part.
    mutating func restore(_ known: (reason: String, place: DocumentSet.Place?)?) { failure = known }

    // MARK: - Parts

    /// A value that satisfies all of several schemas; nil if none was found.
    mutating func make(_ list: [APISchema], _ spot: ValueLocation) -> JSONValue? {
        let shape = shape(of: list)
        return make(shape, spot)
    }

    /// The combined requirements of schemas.
    mutating func shape(of list: [APISchema]) -> Shape {
        if !scope.isEmpty { return ShapeReader(schemas: schemas, scope: scope, budget: budget).shape(of: list) }
        let key = list.map(\.place)
        if let known = shapes[key] { return known }
        let shape = ShapeReader(schemas: schemas, budget: budget).shape(of: list)
        shapes[key] = shape
        return shape
    }

    /// A value of a shape; nil if none was found.
    mutating func make(_ shape: Shape, _ spot: ValueLocation) -> JSONValue? {
        if let (reason, place) = shape.contradiction {
            note(reason, place)
            return nil
        }
        guard spend(), spot.nesting < Self.deepest else {
            if spot.nesting >= Self.deepest {
                note("The schema requires values within values without an end", shape.sources.first?.place)
            }
            return nil
        }
        let outerScope = scope
        let outerPlaces = around.count
        scope += shape.anchored
        around += shape.identities
        defer {
            scope = outerScope
            around.removeLast(around.count - outerPlaces)
        }
        if let shown = shown(shape, spot) { return shown }
        if shape.choices.isEmpty, shape.excluded.isEmpty { return plain(shape, spot, .whole) }
        for style in Style.allCases {
            if let value = decide(shape, spot, style) { return value }
            if isOver || attempts <= 0 || budget.isSpent { break }
        }
        note(
            "No alternative of the schema was found that is valid together with all that it says",
            shape.sources.first?.place)
        return nil
    }

    /// Spends one value of the credit.
    private mutating func spend() -> Bool {
        credit -= 1
        if credit >= 0, budget.spend(100, for: Self.work) { return true }
        isOver = true
        return false
    }

    /// A valid value shown by the schemas.
    private mutating func shown(_ shape: Shape, _ spot: ValueLocation) -> JSONValue? {
        if let echo = echoes.value(for: spot, shape.types), isValid(echo, shape) { return echo }
        guard wishes.source == .examples, spot.turn == 0 else { return nil }
        return shape.shown.prefix(8).first { !budget.isSpent && isValid($0, shape) }
    }

    // MARK: - Validity

    private var direction: Contract.Direction { isRequest ? .request : .response }

    /// Whether a value satisfies a schema.
    func isValid(_ value: JSONValue, _ schema: APISchema) -> Bool {
        contract.isValid(value, schema: schema, direction: direction, budget: budget)
    }

    /// Whether a value satisfies all schemas of a shape.
    func isValid(_ value: JSONValue, _ shape: Shape) -> Bool {
        guard shape.types.contains(ValueTypes(of: value)) else { return false }
        return shape.sources.allSatisfy { isValid(value, $0) }
    }
}
