import SDCertificates
import SDCommand
import SDJSON
import SDPlatform

/// `stuntdouble ca`: shows the local authority's certificate, and adds it to or removes it from the machine's trust
/// stores.
enum AuthorityCommand {
    /// Runs the command.
    /// - Returns: the exit status: 1 if there is no authority, or a step failed or is left to the administrator.
    static func run(_ options: AuthorityOptions) -> Int32 {
        do throws(CertificateProblem) {
            let folder = try CertificateAuthority.folder(chosen: options.stateFolder)
            let path = CertificateAuthority.certificatePath(in: folder)
            let authority = try CertificateAuthority(folder: folder)
            for warning in authority.warnings { Console.info("warning: " + warning) }
            switch options.action {
            case .show, .path:
                let certificate = String(decoding: authority.certificate, as: UTF8.self)
                let text = options.action == .path ? "\(path)\n" : certificate
                return Console.print(["path": .string(path), "certificate": .string(certificate)], else: text)
            case .install: return change(try SystemTrust(certificatePath: path).installing())
            case .uninstall: return change(try SystemTrust(certificatePath: path).uninstalling())
            }
        } catch {
            Console.error(
                error.description, fix: "give --state-dir another folder, or see stuntdouble doctor --require authority"
            )
            return 1
        }
    }

    /// Announces and carries out the plans. Steps that need the administrator are listed at the end.
    private static func change(_ plans: [SystemTrust.Plan]) -> Int32 {
        var status: Int32 = 0
        var stores: [JSONValue] = []
        for plan in plans {
            let result = carryOut(plan)
            if result == "failed" { status = 1 }
            stores.append([
                "store": .string(plan.store), "result": .string(result),
                "steps": .array(plan.steps.map { .string($0.commandLine) }),
            ])
        }
        if Console.wantsJSON { Console.print(["stores": .array(stores)], else: "") }
        let left = plans.filter { isLeft($0) }.flatMap(\.steps).map { "sudo \($0.commandLine)" }
        guard !left.isEmpty else { return status }
        let message = "the system's certificates can be changed by the administrator only"
        Console.error(
            ConsoleError(
                message, fix: left.joined(separator: " && "),
                text: "stuntdouble: \(message):\n" + left.map { "    \($0)\n" }.joined()))
        return 1
    }

    private static func isLeft(_ plan: SystemTrust.Plan) -> Bool {
        plan.needsAdministrator && !plan.steps.isEmpty && !SystemCalls.isAdministrator
    }

    /// - Returns: the result: `done`, `unchanged`, `failed`, or `administrator` if only the administrator can do it.
    private static func carryOut(_ plan: SystemTrust.Plan) -> String {
        guard !plan.steps.isEmpty else {
            say("\(plan.store): nothing to do")
            return "unchanged"
        }
        if isLeft(plan) { return "administrator" }
        say("\(plan.store):")
        do throws(CertificateProblem) {
            for step in plan.steps {
                say("    \(step.commandLine)")
                try step.perform(isSilent: Console.wantsJSON)
            }
            return "done"
        } catch {
            Console.error(error.description, fix: "stuntdouble doctor --require certificates")
            return "failed"
        }
    }

    private static func say(_ line: String) {
        if !Console.wantsJSON { Console.print(line + "\n") }
    }
}
