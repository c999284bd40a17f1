import SDJSON

/// A document and a patch, separated by a NUL. Whatever they are, applying ends; a patch that fails changes nothing,
/// one that succeeds gives a document that can be written and read, and the same one each time.
func fuzz(_ input: [UInt8]) {
    let (first, second) = input.halves
    guard let document = try? JSONValue(parsing: first), let json = second.flatMap({ try? JSONValue(parsing: $0) })
    else { return }
    let merged = document.merged(with: json)
    require((try? JSONValue(parsing: merged.compactBytes)) == merged, "a merged document can be read")
    require(merged.merged(with: json) == merged, "a merge patch twice is a merge patch once")
    guard let patch = try? JSONPatch(json) else { return }
    // So much work at most: what a single patch may do must not depend on the clock.
    var steps = 2_000_000
    func draw(_ count: Int) -> Bool {
        steps -= count
        return steps > 0
    }
    let text = document.compactBytes
    let patched = try? patch.apply(to: document, draw: draw)
    require(document.compactBytes == text, "the document stays as it was")
    guard let patched else { return }
    let written = patched.compactBytes
    require((try? JSONValue(parsing: written)) != nil, "a patched document can be read")
    let again = try? patch.apply(to: document)
    require(again?.compactBytes == written, "a patch does the same each time")
}
