internal import SDCPlatform

extension SystemCalls {
    /// The arguments of the process, without the program's name. Unlike `CommandLine.arguments`, they do not need
    /// `/proc` on Linux, which a plain chroot lacks.
    public static let arguments: [String] = {
        var count: Int32 = 0
        guard let first = cp_arguments(&count) else { return Array(CommandLine.arguments.dropFirst()) }
        return (0..<Int(count)).dropFirst().compactMap { first[$0].map { String(cString: $0) } }
    }()
}
