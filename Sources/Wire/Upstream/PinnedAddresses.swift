/// The addresses that a call was given, as libcurl is told of them: under a name of their own, which stands for these
/// addresses and this order as long as the process runs, and which nobody but libcurl's own list knows. So a call reaches
/// no address but those that were judged, neither by another look at the name that was asked for, nor on a connection
/// that was made when that name led elsewhere.
struct PinnedAddresses {
    let name: String
    /// What libcurl has to be told, in lines that are ended by NUL; nil if it knows the name.
    let resolution: String?

    /// The names that libcurl knows, of one loop.
    struct Book {
        private var names: [String: String] = [:]
        private var count: UInt64 = 0
        private static let most = 500

        /// The name of some addresses. libcurl keeps what it was told, so it is to forget all when that is much.
        mutating func pin(_ addresses: [String], port: Int) -> PinnedAddresses {
            let list = addresses.map { $0.utf8.contains(0x3A) ? "[\($0)]" : $0 }.joined(separator: ",")
            let key = "\(port):\(list)"
            if let name = names[key] { return PinnedAddresses(name: name, resolution: nil) }
            var lines = ""
            if names.count >= Self.most {
                for (key, name) in names { lines += "-\(name):\(key.prefix { $0 != ":" })\0" }
                names = [:]
            }
            count += 1
            let name = "addresses-\(count).invalid"
            names[key] = name
            return PinnedAddresses(name: name, resolution: lines + "\(name):\(key)")
        }
    }
}
