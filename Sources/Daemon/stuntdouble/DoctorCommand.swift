import SDCommand
import SDJSON
import SDPlatform
import SDServing

/// `stuntdouble doctor`: reports what this machine has of the daemon's optional needs, and how to install the rest.
enum DoctorCommand {
    /// Runs the command.
    /// - Returns: the exit status: 0 if no required part is missing, otherwise 1.
    static func run(_ options: DoctorOptions) -> Int32 {
        for notice in options.notices { Console.info(notice) }
        if let invalid = options.shared.flatMap(ServeOptions.problem(ofShared:)) {
            return PrintedCommands.report(invalid)
        }
        let system = DistributionOfSystem.current
        let checks = LateLibrary.checks(system) + SystemChecks(options, system).all + SharedServerChecks(options).all
        let verdict = Verdict(checks, options)
        let printed = Console.print(verdict.json(system), else: verdict.text(system))
        return verdict.failed.isEmpty ? printed : 1
    }

    private struct Verdict {
        let checks: [DoctorCheck]
        let failed: [DoctorCheck]
        /// The command that installs all missing packages; nil if none is missing.
        let command: String?

        init(_ checks: [DoctorCheck], _ options: DoctorOptions) {
            self.checks = checks
            failed = checks.filter { $0.state == .failed || $0.state == .missing && options.required.contains($0.part) }
            var packages: [String] = []
            for package in checks.compactMap(\.package) where !packages.contains(package) { packages.append(package) }
            command = packages.isEmpty ? nil : DistributionOfSystem.current.installing(packages)
        }

        func json(_ system: DistributionOfSystem) -> JSONValue {
            var document: JSONObject = [
                "version": .string(Manual.version), "system": .string(system.name),
                "processor": .string(DoctorCheck.processor),
                "status": .string(failed.isEmpty ? "ok" : "failed"),
                "checks": .array(checks.map { $0.json(isFailed: failed.contains($0)) }),
            ]
            if let library = SystemCalls.cLibrary { document["cLibrary"] = .string(library) }
            if let command { document["fix"] = .string(command) }
            return .object(document)
        }

        func text(_ system: DistributionOfSystem) -> String {
            let path = (try? SystemCalls.linkTarget(of: "/proc/self/exe")).map { " (\($0))" } ?? ""
            let library = SystemCalls.cLibrary.map { ", " + $0 } ?? ""
            var text = "stuntdouble \(Manual.version)\(path)\n\(system.name), \(DoctorCheck.processor)\(library)\n\n"
            for check in checks { text += check.text(isFailed: failed.contains(check)) }
            func names(_ checks: [DoctorCheck]) -> String { checks.map(\.part.rawValue).joined(separator: ", ") }
            let missing = checks.filter { $0.state == .missing && !failed.contains($0) }
            text += failed.isEmpty ? "\nnothing essential is missing" : "\nmissing: " + names(failed)
            if !missing.isEmpty { text += "; optional, and not here: " + names(missing) }
            if let command { text += "\nfix: \(command)" }
            return text + "\n"
        }
    }
}
