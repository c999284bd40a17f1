import SDCommand
import SDJSON
import SDPlatform

/// `stuntdouble version`.
enum Version {
    /// Prints the version; in JSON, also the binary's platform.
    static func print() -> Int32 {
        Console.print(
            [
                "name": "stuntdouble", "version": .string(Manual.version), "system": .string(system),
                "architecture": .string(architecture),
                "libraries": [
                    "linked": ["libevent", "libpcre2", "libyaml", "zlib"],
                    "openedWhenNeeded": ["libcrypto", "libssl", "libnghttp2", "libxml2", "libhiredis"],
                ],
            ],
            else: "stuntdouble \(Manual.version)\n")
    }

    private static var system: String {
        #if os(Linux)
            "linux"
        #elseif os(macOS)
            "macos"
        #else
            "other"
        #endif
    }

    private static var architecture: String {
        #if arch(x86_64)
            "x86_64"
        #elseif arch(arm64)
            "aarch64"
        #else
            "other"
        #endif
    }
}
