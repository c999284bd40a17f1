import SDCertificates
import SDCommand
import SDPlatform
import SDUpstream

/// What the daemon needs of the system besides libraries.
struct SystemChecks {
    private let options: DoctorOptions
    private let system: DistributionOfSystem

    init(_ options: DoctorOptions, _ system: DistributionOfSystem) {
        self.options = options
        self.system = system
    }

    var all: [DoctorCheck] { [certificates, authority, port, openFiles, watching, random] }

    private var certificates: DoctorCheck {
        let purpose = "calls to other servers by HTTPS"
        if let path = Upstream.trustedCertificates {
            return DoctorCheck(part: .certificates, state: .fine, found: path, purpose: purpose, path: path)
        }
        let package = system.package(of: .certificates)
        return DoctorCheck(
            part: .certificates, state: .missing, found: "no file with the certificates that the system trusts",
            purpose: purpose, advice: package.map { system.installing([$0]) }, package: package)
    }

    /// Reads the existing authority; creates nothing.
    private var authority: DoctorCheck {
        let purpose = "HTTPS clients that check certificates"
        func check(_ state: DoctorCheck.State, _ found: String, _ advice: String?, path: String? = nil) -> DoctorCheck {
            DoctorCheck(
                part: .authority, state: state, found: found, purpose: purpose, advice: advice, path: path)
        }
        do throws(CertificateProblem) {
            let folder = try CertificateAuthority.folder(chosen: options.stateFolder)
            var existing = folder
            while !SystemCalls.exists(existing), existing != SystemCalls.parent(of: existing) {
                existing = SystemCalls.parent(of: existing)
            }
            let path = CertificateAuthority.certificatePath(in: folder)
            guard SystemCalls.exists(path) else {
                guard SystemCalls.isWritable(existing) else {
                    return check(
                        .missing, "there is no local authority, and none can be made: \(existing) cannot be written",
                        "name a folder with --state-dir")
                }
                return check(.note, "none yet in \(folder); the first HTTPS start makes one", nil)
            }
            let isTrusted = try SystemTrust(certificatePath: path).uninstalling().contains { !$0.steps.isEmpty }
            return isTrusted
                ? check(.fine, "\(path), which this machine trusts", nil, path: path)
                : check(
                    .note, "\(path), which this machine does not trust",
                    "stuntdouble ca --install, or give clients that file",
                    path: path)
        } catch {
            return check(.missing, error.description, nil)
        }
    }

    private var port: DoctorCheck {
        let purpose = "the daemon, which listens there by default"
        guard let problem = SystemCalls.listeningProblem(port: options.port) else {
            return DoctorCheck(part: .port, state: .fine, found: "\(options.port) is free", purpose: purpose)
        }
        let holder = SystemCalls.listener(onPort: options.port).map { " by \($0)" } ?? ""
        guard SystemCalls.listeningProblem(port: 0) == nil else {
            return DoctorCheck(
                part: .port, state: .failed, found: "no port of 127.0.0.1 can be listened on: \(problem.reason)",
                purpose: purpose)
        }
        return DoctorCheck(
            part: .port, state: .missing, found: "\(options.port) is taken\(holder): \(problem.reason)",
            purpose: purpose,
            advice: "--port 0 takes a free one")
    }

    private var openFiles: DoctorCheck {
        let purpose = "connections, and files of stubs and bodies"
        // The daemon does this first, so the soft limit does not matter.
        SystemCalls.raiseDescriptorLimit()
        guard let limit = SystemCalls.descriptorLimit else {
            return DoctorCheck(part: .openFiles, state: .fine, found: "no limit", purpose: purpose)
        }
        let state: DoctorCheck.State = limit < 64 ? .failed : limit < 1_024 ? .missing : .fine
        return DoctorCheck(
            part: .openFiles, state: state, found: "\(limit) files and connections at a time", purpose: purpose,
            advice: state == .fine ? nil : "ulimit -n 65536, or LimitNOFILE=65536 of systemd")
    }

    private var watching: DoctorCheck {
        let purpose = "stubs that are served as soon as their file is saved"
        #if os(Linux)
            let limits = ["max_user_watches", "max_user_instances"].map { Self.number("/proc/sys/fs/inotify/\($0)") }
            guard let watches = limits[0], let instances = limits[1] else {
                return DoctorCheck(
                    part: .watching, state: .note, found: "/proc/sys/fs/inotify cannot be read", purpose: purpose)
            }
            let isEnough = watches >= 1_024 && instances >= 16
            return DoctorCheck(
                part: .watching, state: isEnough ? .fine : .missing,
                found: "\(watches) folders can be watched, by \(instances) programs", purpose: purpose,
                advice: isEnough
                    ? nil
                    : "sysctl fs.inotify.max_user_watches=65536 fs.inotify.max_user_instances=128, or --no-watch")
        #else
            return DoctorCheck(part: .watching, state: .fine, found: "the system tells of changes", purpose: purpose)
        #endif
    }

    private var random: DoctorCheck {
        let purpose = "keys, identifiers, random delays and values"
        var bytes: [UInt8] = []
        if let file = try? SystemCalls.open("/dev/urandom", .read) {
            bytes = SystemCalls.readPart(file.number, 0..<16)
        }
        return bytes.count == 16
            ? DoctorCheck(part: .random, state: .fine, found: "/dev/urandom", purpose: purpose, path: "/dev/urandom")
            : DoctorCheck(
                part: .random, state: .missing, found: "/dev/urandom cannot be read", purpose: purpose,
                advice: "give the container or chroot a /dev")
    }

    private static func number(_ path: String) -> Int? {
        guard let file = try? SystemCalls.open(path, .read) else { return nil }
        // The kernel returns such a number in one read or not at all.
        let bytes = SystemCalls.readPart(file.number, 0..<32)
        return Int(String(decoding: bytes.filter { (0x30...0x39).contains($0) }, as: UTF8.self))
    }
}
