/// The names of keys and channels on the shared server. All have the same prefix, and the same slot of a cluster.
struct SharedKeys: Sendable {
    private let prefix: String

    /// A number derived from the shared name.
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
    /// Facts about the journal: its bytes, its last place, and the identity that distinguishes it from a lost one.
    var journalAbout: String { prefix + "journal-about" }
    /// The live replicas by id: the time of the last heartbeat, and the description.
    var members: String { prefix + "members" }
    /// The numbers of the live replicas.
    var numbers: String { prefix + "numbers" }
    /// The epoch of the shared data, a new one after each loss.
    var epoch: String { prefix + "epoch" }
    /// Facts about the log: the epoch in which it is complete, its last place, and the number of sessions created.
    var about: String { prefix + "about" }
    /// The replica that is restoring the log.
    var mending: String { prefix + "mending" }
    /// The replicas that have restored their data into an epoch.
    func restored(_ epoch: String) -> String { "\(prefix)restored:\(epoch)" }
    /// The channel of all replicas.
    var everybody: String { prefix + "all" }

    /// An answer too large for a message.
    /// - Parameters:
    ///   - token: identifies the question.
    ///   - id: the replica that answers.
    func answer(_ token: String, by id: String) -> String { "\(prefix)answer:\(token):\(id)" }

    /// The channel of one replica.
    func replica(_ id: String) -> String { replicas + id }

    /// The data of a session: the fields, the versions of their last changes, the identity, the lock, its queue, and
    /// the replica that knows most of a lost session.
    /// - Parameter key: the engine's name for the session's decisions.
    func data(_ key: String) -> [String] {
        ["fields", "versions", "about", "lock", "queue", "best"].map { "\(prefix)data:\(key):\($0)" }
    }

    /// The prefix of a replica's channel, before its id.
    var replicas: String { prefix + "to:" }

    /// The decisions of a session.
    /// - Parameters:
    ///   - key: the engine's name for them.
    ///   - epoch: the epoch; decisions of another one are void.
    func decisions(_ key: String, epoch: String) -> String { prefix + epoch + ":" + key }
}
