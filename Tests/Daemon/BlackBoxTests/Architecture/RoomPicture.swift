import SDTestSupport

/// The picture of the rooms in `docs/architecture.md`: boxes that stand on each other and beside each other. A room may
/// import from the rooms below it.
struct RoomPicture {
    struct Room: Sendable {
        let name: String
        /// Between its walls.
        let columns: Range<Int>
        /// On which its name stands, from 0.
        let line: Int
        var targets: [String] = []

        func isAbove(_ other: Room) -> Bool { line < other.line && columns.overlaps(other.columns) }
    }

    struct Misdrawn: Error {
        let line: String
    }

    private(set) var rooms: [Room] = []

    /// - Throws: `Misdrawn` where words stand outside of a box.
    init(_ text: String) throws {
        for (number, line) in text.split(separator: "\n").enumerated() {
            for (columns, content) in Self.cells(of: Array(line)) {
                if content.contains("─") {
                    let name = content.filter(\.isLetter)
                    if !name.isEmpty { rooms.append(Room(name: name, columns: columns, line: number)) }
                    continue
                }
                let words = content.split(separator: " ").map(String.init)
                if words.isEmpty { continue }
                guard let room = rooms.lastIndex(where: { $0.columns == columns }) else {
                    throw Misdrawn(line: String(line))
                }
                rooms[room].targets += words
            }
        }
    }

    func room(_ name: String) -> Room? { rooms.first { $0.name == name } }

    /// What stands between two walls of one line. A wall that ends here is none: the box below goes on under it.
    private static func cells(of line: [Character]) -> [(columns: Range<Int>, content: String)] {
        let walls = line.indices.filter { "│┌┐├┤┬┼└┘".contains(line[$0]) }
        return zip(walls, walls.dropFirst()).map { left, right in
            (left..<right, String(line[(left + 1)..<right]))
        }
    }
}
