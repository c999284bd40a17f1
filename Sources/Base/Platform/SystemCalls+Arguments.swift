internal import SDCPlatform

extension SystemCalls {
    /// The arguments of the process, without the program's name. Unlike `CommandLine.arguments`, which Swift reads from
    /// `/proc` on Linux, they are there without it, as in a plain chroot.
    public static let arguments: [String] = {
        var count: Int32 = 0
        guard let first = cp_arguments(&count) else { return Array(CommandLine.arguments.dropFirst()) }
        return (0..<Int(count)).dropFirst().compactMap { first[$0].map { String(cString: $0) } }
    }()
}
