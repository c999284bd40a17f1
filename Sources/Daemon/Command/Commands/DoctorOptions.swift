/// The options of `stuntdouble doctor`.
public struct DoctorOptions: Sendable, Equatable {
    /// The optional parts of a machine that the daemon may need.
    public enum Part: String, Sendable, Hashable, CaseIterable {
        case https, http2, xml, shared, certificates, authority, watching
        case openFiles = "open-files"
        case port, random
        case sharedServer = "shared-server"
        case sharedMemory = "shared-memory"
        case sharedRights = "shared-rights"
    }

    /// The port that must be free.
    public var port = ServeOptions().port
    /// The local authority's folder; nil for the user's.
    public var stateFolder: String?
    /// The server that replicas share; nil for none.
    public var shared: String?
    /// The name that the replicas share.
    public var sharedName = ServeOptions.usualSharedName
    /// The parts that must be present.
    public var required: Set<Part> = []
    public var notices: [String] = []
    var requiredNames: [String] {
        get { required.map(\.rawValue) }
        set { required = Set(newValue.compactMap(Part.init)) }
    }

    public init() {}
}

extension OptionTable {
    /// The options that only `stuntdouble doctor` has.
    static let doctor: [Option] = [
        .list(
            "require", .word(DoctorOptions.Part.allCases.map(\.rawValue)), "PART", \.doctor.requiredNames, .questions,
            commands: [.doctor],
            "Fail without this part, which is optional otherwise; repeatable: \(DoctorOptions.names).")
    ]
}

extension DoctorOptions {
    /// The parts as a comma-separated list.
    static var names: String { Part.allCases.map(\.rawValue).joined(separator: ", ") }
}

extension CommandLineParser {
    func doctor(_ settings: Settings, _ operands: [String]) throws(CommandLineError) -> DoctorOptions {
        try refuse(operands, of: .doctor)
        var options = settings.doctor
        var serve = settings.serve
        try serve.checkReplicas()
        (options.port, options.stateFolder) = (serve.port, serve.stateFolder)
        (options.shared, options.sharedName, options.notices) = (serve.shared, serve.sharedName, serve.notices)
        return options
    }
}
