import SDFolders
import SDPlatform

// Saves one stub file again and again until it is killed. Each content states its own length, so that a reader can tell
// whether it is complete.
let store = StubFileWriter(folder: StubFolder(path: CommandLine.arguments.last ?? "."))
var round = 0
while true {
    let length = (round &* 7919) % 40_000
    let content = Array("\(length)\n".utf8) + [UInt8](repeating: 0x61 + UInt8(round % 26), count: length)
    try store.write("saved.json", content)
    if round == 0 { try SystemCalls.writeAll("saving\n".utf8, to: 1) }
    round += 1
}
