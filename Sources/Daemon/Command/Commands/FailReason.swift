public import SDBasics

/// What fails a verdict, for the commands that give one.
public struct VerdictOptions: Sendable, Equatable {
    /// The reasons that fail the command; nil if none were named.
    public var failOn: FailOn?
    /// Patterns of request paths to ignore, such as `/favicon.ico`.
    public var ignored: [String] = []
    /// Whether a session's inherited stubs count as unused or unmet.
    public var countsInherited = false

    /// Whether the only client, the command, has ended.
    public var hasCommandEnded = false

    /// Why the run's command failed: its exit status, or `overdue`; nil if it succeeded.
    public var commandFailure: String?

    /// The maximum time a verdict on webhooks waits for pending ones, in milliseconds.
    public static let longestWaitForWebhooks: Int64 = 10_000

    /// The maximum time after the command's end that a verdict waits for its disconnects to be seen, in milliseconds.
    public static let longestWaitForAnswers: Int64 = 250

    public init() {}

    /// Rejects patterns that cannot match a path.
    func check() throws(CommandLineError) {
        for text in ignored {
            guard let meant = IgnoredPath.meant(by: text) else { continue }
            throw .invalidValue(.option("--ignore"), found: text, expected: IgnoredPath.expected, nearest: meant)
        }
    }

    /// The query of a report, without the `?`. It always has `fail`, so that a bad verdict has its own status.
    /// - Parameters:
    ///   - format: the format of the report.
    ///   - workspace: the folder to which file names in annotations are relative; nil for the daemon's.
    public func query(_ format: ReportFormat, workspace: String? = nil) -> String {
        let reasons = (failOn ?? .usual).words.map(Self.escaped).joined(separator: ",")
        return
            (["format=\(format.rawValue)", "fail=\(reasons)"] + (countsInherited ? ["stubs=all"] : [])
            + (hasCommandEnded ? ["ended=true"] : []) + (commandFailure.map { ["command=\($0)"] } ?? [])
            + ignored.map { "ignore=\(Self.escaped($0))" }
            + (workspace.map { ["workspace=\(Self.escaped($0))"] } ?? [])).joined(separator: "&")
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "/"), UInt8(ascii: "*"):
                escaped.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                escaped += "%" + (digits.utf8.count == 1 ? "0" + digits : digits)
            }
        }
        return escaped
    }
}

extension OptionTable {
    /// The options of the commands that give a verdict.
    static let verdict: [Option] = [
        .custom(
            "fail-on", .list(.failReason), "REASONS", .verdict, commands: [.run, .report],
            "The reasons to fail. They are unmatched (a request that no stub matched), unused (a stub that matched "
                + "no request), unmet (a failed verification, or a stub with uses left), fault (an applied fault), "
                + "error (a stub or file that could not be served or loaded), webhook (one that could not be sent, or "
                + "was answered with 400 or more), aborted (a response that broke off), contract (a violation of an "
                + "OpenAPI document), slow>1s (a response that took longer; quote it in a shell), or none. "
                + "Without it, report fails for unmatched,error, and run for none."
        ) { settings, value in
            guard case .list(let names) = value else { return }
            settings.verdict.failOn = try? FailOn(reading: names.joined(separator: ","))
        },
        .list(
            "ignore", .text, "GLOB", \.verdict.ignored, .verdict, commands: [.run, .report],
            "Ignore requests with these paths, such as /favicon.ico or /assets/**; repeatable. * stands for anything "
                + "but a slash, ** for anything."),
    ]
}
