import SDJavaTime
import SDPlatform

/// A helper call without parameters and with constant options, prepared when its template is parsed: formats are
/// compiled, alphabets chosen. It needs only the time and random numbers.
struct PreparedCall: Sendable {
    fileprivate let kind: Kind
    /// The minimum time that it takes, in nanoseconds.
    fileprivate let cost: Int

    fileprivate enum Kind {
        /// `now` and `date`.
        case date(Zone?, DateOffset?, DateFormatOption)
        case randomText(RandomText)
        case randomInteger(RandomInteger)
        case uuid(uppercase: Bool)
    }

    /// - Returns: nil for other calls, and for one that fails: it then fails when it is rendered.
    init?(
        _ helper: NamedHelper?, _ parameters: [TemplateOperand], _ hash: [(name: String, value: TemplateOperand)]
    ) {
        guard let helper, helper.precedence == .always, parameters.isEmpty, let options = CallOptions(constants: hash),
            let kind = Self.kind(helper.name, options)
        else { return nil }
        self.kind = kind
        var cost = helper.reading.cost(of: options)
        if case .randomText(let text) = kind { cost += text.cost }
        self.cost = cost
    }

    private static func kind(_ helper: String, _ options: CallOptions) -> Kind? {
        switch helper {
        case "now", "date": try? date(options)
        case "randomValue" where options.text("type") == "UUID": .uuid(uppercase: options.isSet("uppercase"))
        case "randomValue": (try? RandomText(options)).map { .randomText($0) }
        case "randomInt": (try? RandomInteger(options)).map { .randomInteger($0) }
        default: nil
        }
    }

    private static func date(_ options: CallOptions) throws(DateTimeProblem) -> Kind {
        .date(
            try options.text("timezone").map { name throws(DateTimeProblem) in try Zone(legacyName: name) },
            try options.text("offset").map { text throws(DateTimeProblem) in try DateHelpers.offset(text) },
            try DateFormatOption(options.text("format")))
    }

    /// Whether its value is a number, which needs no quotes in JSON.
    var isNumber: Bool {
        if case .randomInteger = kind { true } else { false }
    }
}

extension Reading {
    /// The minimum time for parsing the texts of options, in nanoseconds; short ones cost nothing.
    fileprivate func cost(of options: CallOptions) -> Int {
        let ofByte =
            switch self {
            case .nothing: 0
            case .texts(let cost), .elements(let cost), .all(let cost): cost
            }
        return options.values.reduce(0) { sum, option in
            guard case .text(let text) = option.value, text.utf8.count >= 64 else { return sum }
            return sum + ofByte * text.utf8.count
        }
    }
}

extension RenderEnvironment {
    private func begin(_ call: PreparedCall, of helper: NamedHelper) throws(RenderError) {
        guard budget.spend(16, for: work) else { throw .outOfTime }
        work = helper.work
        if call.cost > 0, !tryReserve(call.cost) { throw .outOfTime }
    }

    /// Writes the output of a prepared call.
    /// - Returns: false if it has no value; then nothing is written.
    /// - Throws: `RenderError.outOfTime` if the budget does not suffice.
    func write(_ call: PreparedCall, of helper: NamedHelper, to output: inout [UInt8]) throws(RenderError) -> Bool {
        try begin(call, of: helper)
        let system = system
        switch call.kind {
        case .date(let zone, let offset, let form):
            guard let moment = DateHelpers.present(system.wallTime).moved(by: offset, in: zone) else { return false }
            form.write(moment, in: zone, to: &output)
        case .randomText(let text): text.write(system, to: &output)
        case .randomInteger(let integer): output.append(contentsOf: String(integer.sample(system)).utf8)
        case .uuid(let uppercase): RandomUUID.write(system, to: &output, uppercase: uppercase)
        }
        return true
    }

    /// The value of a prepared call; nil if it has none.
    /// - Throws: `RenderError.outOfTime` if the budget does not suffice.
    func value(of call: PreparedCall, of helper: NamedHelper) throws(RenderError) -> TemplateValue? {
        try begin(call, of: helper)
        let system = system
        switch call.kind {
        case .date(let zone, let offset, let form):
            guard let moment = DateHelpers.present(system.wallTime).moved(by: offset, in: zone) else { return nil }
            return .date(TemplateDate(moment, in: zone, rendered: form.text(moment, in: zone)))
        case .randomText(let text): return .text(text.text(system))
        case .randomInteger(let integer): return .int(integer.sample(system))
        case .uuid(let uppercase): return .text(RandomUUID.text(system, uppercase: uppercase))
        }
    }
}
