/// The names of what is kept on the shared server. All begin alike, and stand on one machine of a cluster.
struct SharedKeys: Sendable {
    private let prefix: String

    /// A number that only servers of this name have.
    let hash: UInt64

    init(name: String) {
        prefix = "stuntdouble:{\(name)}:"
        // FNV-1a.
        hash = name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 } | 1
    }

    /// The stream of changes.
    var log: String { prefix + "log" }
    /// The stream of batches of requests.
    var journal: String { prefix + "journal" }
    /// The bytes of those batches.
    var journalBytes: String { prefix + "journal-bytes" }
    /// Who lives, by id: when it was last heard of, and what it says of itself.
    var members: String { prefix + "members" }
    /// The numbers of those who live.
    var numbers: String { prefix + "numbers" }
    /// Which run of the shared data this is.
    var epoch: String { prefix + "epoch" }
    /// The number of sessions that were begun.
    var issued: String { prefix + "issued" }
    /// The epoch in which the log is whole.
    var whole: String { prefix + "whole" }
    /// Who makes it whole.
    var mending: String { prefix + "mending" }
    /// The channel that all listen to.
    var everybody: String { prefix + "all" }

    /// The channel that one of them listens to.
    func replica(_ id: String) -> String { replicas + id }

    /// What requests put away in a session: the fields, the versions at which they changed, what tells them from those of
    /// another time, who is inside, and who waits.
    /// - Parameter key: the engine's name for the session's decisions.
    func data(_ key: String) -> [String] {
        ["fields", "versions", "about", "lock", "queue"].map { "\(prefix)data:\(key):\($0)" }
    }

    /// The part of the channel of a replica before its id.
    var replicas: String { prefix + "to:" }

    /// What was decided in a session.
    /// - Parameters:
    ///   - key: the engine's name for it.
    ///   - epoch: what was decided in another one means nothing.
    func decisions(_ key: String, epoch: String) -> String { prefix + epoch + ":" + key }
}
