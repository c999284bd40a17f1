public import SDBasics

/// What makes a verdict bad, for the commands that give one.
public struct VerdictOptions: Sendable, Equatable {
    /// The reasons for which the command fails; nil where none were named.
    public var failOn: FailOn?
    /// Patterns of the paths of requests that do not count, such as `/favicon.ico`.
    public var ignored: [String] = []
    /// Whether the stubs that a session inherits count among those that are unused or unmet.
    public var countsInherited = false

    /// Whether the command has ended that alone could read the answers.
    public var hasCommandEnded = false

    /// How the command of a run failed, as a report is asked: its status, or `overdue`; nil for one that did not.
    public var commandFailure: String?

    /// How long a verdict on webhooks waits for those that are still to be sent, in milliseconds.
    public static let longestWaitForWebhooks: Int64 = 10_000

    /// How long a verdict waits, once the command has ended, until the daemon has seen which clients left with it.
    public static let longestWaitForAnswers: Int64 = 250

    public init() {}

    /// Refuses patterns that match no path.
    func check() throws(CommandLineError) {
        for text in ignored {
            guard let meant = IgnoredPath.meant(by: text) else { continue }
            throw .invalidValue(.option("--ignore"), found: text, expected: IgnoredPath.expected, nearest: meant)
        }
    }

    /// The query for a report, after a `?`: `fail` is always there, so that a bad verdict has its own status.
    /// - Parameters:
    ///   - format: the form of the report.
    ///   - workspace: the folder from which annotations name files; nil for the daemon's.
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
            "What makes the exit status bad: unmatched (a request that nothing answered), unused (a stub that "
                + "answered nothing), unmet (a verification that did not hold, a stub that was to answer more "
                + "often), fault (a fault that acted), error (what could not be served or loaded), webhook (one "
                + "that could not be sent, or was answered with 400 or more), aborted (an answer that broke off), "
                + "contract (a request or an answer that an OpenAPI document does not allow), "
                + "slow>1s (an answer that took longer; a shell wants it quoted), or none. unmatched,error by "
                + "default."
        ) { settings, value in
            guard case .list(let names) = value else { return }
            settings.verdict.failOn = try? FailOn(reading: names.joined(separator: ","))
        },
        .list(
            "ignore", .text, "GLOB", \.verdict.ignored, .verdict, commands: [.run, .report],
            "Paths of requests that do not count, such as /favicon.ico or /assets/**; repeatable. * stands for anything but a "
                + "slash, ** for anything."),
    ]
}
