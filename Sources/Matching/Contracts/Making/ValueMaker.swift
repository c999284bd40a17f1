import SDFakeValues
import SDJSON
import SDJSONSchema
import SDOpenAPI
import SDPlatform
import SDStubModel

/// Makes values that are valid against schemas: the same for the same seed, with the members that need not be there
/// down to some level.
struct ValueMaker {
    /// How much is made where a schema leaves it open. What comes out too large is made again with less.
    struct Measure {
        /// Down to which level members are made that need not be there.
        var optionalLevels: Int
        /// Whether lists within lists have a single item.
        var hasShortLists = false
        /// Whether what contains itself is left out.
        var endsAtRepetition = false
        /// Whether it is a level deeper than elsewhere, so that two items of a list differ.
        var isDeeper = false
    }

    /// What a value is like where there are alternatives that must not be satisfied.
    enum Style: CaseIterable {
        /// With everything.
        case whole
        /// Without what other alternatives require.
        case distinct
        /// With something that other alternatives refuse.
        case marked
        /// With what is required only.
        case least
        /// Of another type than the first that comes to mind.
        case other
        /// With everything, and without regard to other alternatives, if the contract says that it is valid.
        case lenient
    }

    let contract: Contract
    let schemas: SchemaFinder
    let wishes: AnswerWishes
    let budget: WorkBudget
    /// Values of the request by the names of its parameters.
    let echoes: Echoes
    /// The status of the answer that is made; nil for something else.
    var status: Int?
    /// Which members are left out: those that are only for the other direction.
    let isRequest: Bool

    var measure: Measure
    /// The values that may still be made.
    var credit = 0
    /// The attempts at alternatives that may still be made.
    var attempts = 0
    /// What could not be made first.
    private(set) var failure: (reason: String, place: DocumentSet.Place?)?
    private var isOver = false

    /// The expressions by their texts; nil for one that does not compile.
    var compiled: [String: SchemaPattern?] = [:]
    private var shapes: [[DocumentSet.Place]: Shape] = [:]
    /// What was estimated.
    var sizes: [SizeKey: Int] = [:]
    /// How many values are around the one that is being estimated.
    var sizeDepth = 0
    var scope: [APISchema] = []
    /// The places of the components that the value being made is within.
    var around: [DocumentSet.Place] = []

    static let work = WorkBudget.Work("answer", "made from a schema")

    /// The most values of an answer, as long as nobody wants more items, and no more are required.
    static let mostValues = 8_000
    /// The most values of an answer that are made because all of them are required.
    static let mostRequired = 200_000
    /// The most values around one.
    static let deepest = 40

    init(
        _ contract: Contract, wishes: AnswerWishes, echoes: Echoes, isRequest: Bool = false, budget: WorkBudget
    ) {
        self.contract = contract
        schemas = SchemaFinder(description: contract.description)
        self.wishes = wishes
        self.echoes = echoes
        self.isRequest = isRequest
        self.budget = budget
        measure = Measure(optionalLevels: wishes.optionalLevels)
    }

    /// The most values of an answer.
    var largest: Int {
        let items = min(wishes.listLength?.upperBound ?? 0, Self.mostItems)
        return min(max(Self.mostValues, items * 100), Self.mostRequired)
    }

    // MARK: - Whole values

    /// A value that is valid against a schema.
    /// - Parameter item: which of several values that are to differ.
    mutating func value(
        of schema: APISchema, name: String = "", seed: UInt64, item: Int? = nil
    ) throws(ContractRefusal) -> JSONValue {
        var spot = Spot(seed: seed)
        spot.name = name
        spot.owner = name
        if let item { spot = spot.item(item) }
        let measures = measures(for: schema)
        failure = nil
        for (index, next) in measures.enumerated() {
            measure = next
            // What is required is made to the end, however much it is.
            credit = index == measures.count - 1 ? Self.mostRequired : largest
            attempts = 2_000
            isOver = false
            let made = make([schema], spot)
            if made == nil, isOver, !budget.isSpent, index == measures.count - 1 {
                note("The schema requires more than \(Self.mostRequired) values", schema.place)
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

    /// Remembers why something cannot be made.
    mutating func note(_ reason: String, _ place: DocumentSet.Place?) {
        if failure == nil { failure = (reason, place) }
    }

    /// Forgets what could not be made, where it was not needed.
    mutating func restore(_ known: (reason: String, place: DocumentSet.Place?)?) { failure = known }

    // MARK: - Parts

    /// A value that satisfies all of some schemas; nil if none was found.
    mutating func make(_ list: [APISchema], _ spot: Spot) -> JSONValue? {
        let shape = shape(of: list)
        return make(shape, spot)
    }

    /// What schemas say together.
    mutating func shape(of list: [APISchema]) -> Shape {
        if !scope.isEmpty { return ShapeReader(schemas: schemas, scope: scope, budget: budget).shape(of: list) }
        let key = list.map(\.place)
        if let known = shapes[key] { return known }
        let shape = ShapeReader(schemas: schemas, budget: budget).shape(of: list)
        shapes[key] = shape
        return shape
    }

    /// A value of a shape; nil if none was found.
    mutating func make(_ shape: Shape, _ spot: Spot) -> JSONValue? {
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

    /// Takes a value from what may be made.
    private mutating func spend() -> Bool {
        credit -= 1
        if credit >= 0, budget.draw(100, for: Self.work) { return true }
        isOver = true
        return false
    }

    /// A value that the schemas show, if it is valid.
    private mutating func shown(_ shape: Shape, _ spot: Spot) -> JSONValue? {
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

    /// Whether a value satisfies all that a shape is made of.
    func isValid(_ value: JSONValue, _ shape: Shape) -> Bool {
        guard shape.types.contains(ValueTypes(of: value)) else { return false }
        return shape.sources.allSatisfy { isValid(value, $0) }
    }
}
