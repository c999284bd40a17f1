/// The options of `stuntdouble doctor`.
public struct DoctorOptions: Sendable, Equatable {
    public var notices: [String] = []

    public init() {}
}

extension OptionTable {
    /// The options of `stuntdouble doctor` alone.
    static let doctor: [Option] = []
}

extension CommandLineParser {
    func doctor(
        _ settings: Settings, _ operands: [String], _ scanner: ArgumentScanner, _ notices: [String]
    ) throws(CommandLineError) -> DoctorOptions {
        var options = settings.doctor
        options.notices = notices
        return options
    }
}
