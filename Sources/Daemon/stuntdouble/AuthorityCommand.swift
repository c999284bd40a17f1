import SDCertificates
import SDCommand
import SDJSON
import SDPlatform

/// `stuntdouble ca`: shows the certificate of the local authority, and has the machine trust it or cease to.
enum AuthorityCommand {
    /// Runs the command.
    /// - Returns: the exit status: 1 if there is no authority, or not all that was asked for could be done.
    static func run(_ options: AuthorityOptions) -> Int32 {
        for notice in options.notices { Console.note(notice) }
        do throws(CertificateProblem) {
            let folder = try CertificateAuthority.folder(chosen: options.stateFolder)
            let path = CertificateAuthority.certificatePath(in: folder)
            let authority = try CertificateAuthority(folder: folder)
            for warning in authority.warnings { Console.note("warning: " + warning) }
            switch options.action {
            case .show, .path:
                let certificate = String(decoding: authority.certificate, as: UTF8.self)
                let text = options.action == .path ? "\(path)\n" : certificate
                return Console.print(["path": .string(path), "certificate": .string(certificate)], else: text)
            case .install: return change(try SystemTrust(certificatePath: path).installing(), "--install", folder)
            case .uninstall: return change(try SystemTrust(certificatePath: path).uninstalling(), "--uninstall", folder)
            }
        } catch {
            say(error.description)
            return 1
        }
    }

    /// Says what is done, and does it. What only the administrator may do is said at the end, when the rest is done.
    private static func change(_ plans: [SystemTrust.Plan], _ option: String, _ folder: String) -> Int32 {
        var status: Int32 = 0
        var isLeft = false
        for plan in plans {
            guard !plan.steps.isEmpty else {
                print(Array("\(plan.store): nothing to do\n".utf8))
                continue
            }
            if plan.needsAdministrator, !SystemCalls.isAdministrator {
                isLeft = true
                continue
            }
            print(Array("\(plan.store):\n".utf8))
            do throws(CertificateProblem) {
                for step in plan.steps {
                    print(Array("    \(step.commandLine)\n".utf8))
                    try step.perform()
                }
            } catch {
                say(error.description)
                status = 1
            }
        }
        guard isLeft else { return status }
        let lines = plans.filter(\.needsAdministrator).flatMap(\.steps).map { "    sudo \($0.commandLine)\n" }.joined()
        say("the system's certificates can be changed by the administrator only:\n" + lines.dropLast())
        return 1
    }

    private static func print(_ bytes: [UInt8]) {
        try? SystemCalls.writeAll(bytes, to: 1)
    }

    private static func say(_ text: String) {
        Console.complain(text)
    }
}
