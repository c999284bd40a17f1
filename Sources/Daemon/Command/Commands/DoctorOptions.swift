/// The options of `stuntdouble doctor`.
public struct DoctorOptions: Sendable, Equatable {
    /// What a machine may have of what the daemon may need.
    public enum Part: String, Sendable, Hashable, CaseIterable {
        case https, http2, xml, shared, certificates, authority, watching
        case openFiles = "open-files"
        case port, random
    }

    /// The port that is to be free.
    public var port = ServeOptions().port
    /// The folder of the local authority; nil for the user's.
    public var stateFolder: String?
    /// The parts without which the machine will not do.
    public var required: Set<Part> = []
    public var notices: [String] = []
    var requiredNames: [String] = []

    public init() {}
}

extension OptionTable {
    /// The options of `stuntdouble doctor` alone.
    static let doctor: [Option] = [
        .list(
            "require", .word(DoctorOptions.Part.allCases.map(\.rawValue)), "PART", \.doctor.requiredNames, .questions,
            commands: [.doctor],
            "Fail without this part, which is optional otherwise; repeatable: \(DoctorOptions.names).")
    ]
}

extension DoctorOptions {
    /// The parts as a user would list them.
    static var names: String { Part.allCases.map(\.rawValue).joined(separator: ", ") }
}

extension CommandLineParser {
    func doctor(
        _ settings: Settings, _ operands: [String], _ scanner: ArgumentScanner, _ notices: [String]
    ) throws(CommandLineError) -> DoctorOptions {
        if let operand = operands.first { throw .unexpectedArgument(operand, command: .doctor) }
        var options = settings.doctor
        options.required = Set(options.requiredNames.compactMap(DoctorOptions.Part.init))
        options.requiredNames = []
        options.port = settings.serve.port
        options.stateFolder = settings.serve.stateFolder
        options.notices = notices
        return options
    }
}
