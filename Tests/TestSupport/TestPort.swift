/// Ports for servers that are told one.
public enum TestPort {
    /// A port that nobody listens on, and that the system gives to nobody who asks for any (Linux: 32768 and up;
    /// macOS: 49152 and up). Each call gives another one.
    public static func free() -> UInt16 {
        while true {
            let port = UInt16.random(in: 20_000..<32_000)
            guard given.withLock({ $0.insert(port).inserted }) else { continue }
            if (try? RawClient(port: port)) == nil { return port }
        }
    }

    private static let given = Locked<Set<UInt16>>([])
}
