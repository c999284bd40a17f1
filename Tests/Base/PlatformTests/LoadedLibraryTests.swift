import SDCLoading
import SDTestSupport
import Synchronization
import Testing

/// Libraries that are opened when they are needed, and what is said where one is missing.
@Suite struct LoadedLibraryTests {
    /// The mathematical functions of C, on Linux and on macOS.
    private static let mathematics = ["libnothing.so", "libm.so.6", "/usr/lib/libSystem.B.dylib"]

    /// A library with a table for its functions. It lives as long as the process, as those of the daemon do.
    ///
    /// `@unchecked Sendable`: the loader alone changes it, under its lock.
    private final class Library: @unchecked Sendable {
        private let library = UnsafeMutablePointer<loaded_library>.allocate(capacity: 1)
        private let table: UnsafeMutablePointer<UnsafeRawPointer?>

        init(
            files: [String], _ names: [String], renamed: [String] = [],
            prepare: (@convention(c) () -> UnsafePointer<CChar>?)? = nil
        ) {
            table = .allocate(capacity: names.count)
            table.initialize(repeating: nil, count: names.count)
            library.initialize(to: loaded_library())
            library.pointee.missing = Self.text("sums need a library")
            library.pointee.files = Self.list(files)
            library.pointee.names = Self.list(names)
            library.pointee.renamed = Self.list(renamed)
            library.pointee.table = UnsafeMutableRawPointer(table)
            library.pointee.prepare = prepare
        }

        /// What is wrong with the library. The first call opens it.
        var problem: String? { loaded_library_open(library).map { String(cString: $0) } }
        func hasFunction(_ index: Int) -> Bool { table[index] != nil }

        private static func text(_ string: String) -> UnsafePointer<CChar> {
            let copy = UnsafeMutablePointer<CChar>.allocate(capacity: string.utf8.count + 1)
            for (index, byte) in string.utf8.enumerated() { copy[index] = CChar(bitPattern: byte) }
            copy[string.utf8.count] = 0
            return UnsafePointer(copy)
        }

        private static func list(_ strings: [String]) -> UnsafePointer<UnsafePointer<CChar>?> {
            let list = UnsafeMutablePointer<UnsafePointer<CChar>?>.allocate(capacity: strings.count + 1)
            for (index, string) in strings.enumerated() { list[index] = text(string) }
            list[strings.count] = nil
            return UnsafePointer(list)
        }
    }

    @Test func theFirstFileThatIsThereIsOpened() {
        let library = Library(files: Self.mathematics, ["cos", "sin"])
        #expect(!library.hasFunction(0))
        #expect(library.problem == nil)
        #expect(library.hasFunction(0) && library.hasFunction(1))
    }

    @Test func aMissingLibraryIsSaidInItsSentence() {
        let library = Library(files: ["libnothing.so"], ["cos"])
        #expect(library.problem == "sums need a library")
        #expect(library.problem == "sums need a library", "the second call says the same")
    }

    @Test func aMissingFunctionIsNamed() {
        let library = Library(files: Self.mathematics, ["cos", "add_all", "sin"])
        #expect(library.problem == "sums need a library; the one found has no function add_all")
    }

    @Test(arguments: [["add_all", "cos"], ["cos", "add_all"], ["a", "b", "add_all", "cos"]])
    func aFunctionMayHaveTheNameOfAnotherVersion(renamed: [String]) {
        let library = Library(files: Self.mathematics, ["add_all", "cos"], renamed: renamed)
        #expect(library.problem == nil)
        #expect(library.hasFunction(0))
    }

    private static let count = Atomic<Int>(0)

    @Test func manyThreadsOpenALibraryOnce() async {
        let library = Library(files: Self.mathematics, ["cos"]) {
            LoadedLibraryTests.count.add(1, ordering: .relaxed)
            return nil
        }
        await withTaskGroup(of: String?.self) { group in
            for _ in 0..<16 { group.addTask { library.problem } }
            for await problem in group { #expect(problem == nil) }
        }
        #expect(Self.count.load(ordering: .relaxed) == 1)
    }

    @Test func aLibraryOfAnotherKindIsRefused() {
        let library = Library(files: Self.mathematics, ["cos"]) { UnsafePointer(LoadedLibraryTests.verdict) }
        #expect(library.problem == "sums need a library; the one found is too old")
    }

    nonisolated(unsafe) private static let verdict = {
        // Written once, before it is read.
        let text = UnsafeMutablePointer<CChar>.allocate(capacity: 16)
        for (index, byte) in ("is too old\0".utf8).enumerated() { text[index] = CChar(bitPattern: byte) }
        return text
    }()

    private static let hasCompiler = (try? compile("math.cos(1)")) == .exited(0)

    /// The compiler's verdict on a call of a function by the table.
    private static func compile(_ call: String) throws -> ChildProcess.Ending? {
        let program = """
            #include "loaded_library.h"
            #include <math.h>
            #define FUNCTIONS(X) X(cos)
            LOADED_TABLE(FUNCTIONS) math;
            double use(void) { return \(call); }
            """
        let command = "cc -fsyntax-only -I Sources/Base/CLoading/include -x c - <<'END'\n\(program)\nEND"
        let process = try ChildProcess(
            "/bin/sh", ["-c", command], folder: PackageFiles.root, outputsIn: TemporaryFolder())
        return process.wait(milliseconds: 60_000)
    }

    @Test(
        .enabled(if: hasCompiler, "a C compiler is not here"),
        arguments: [#"math.cos("1")"#, "math.cos(1, 2)", "math.tan(1)"])
    func aWrongCallDoesNotCompile(call: String) throws {
        #expect(try Self.compile(call) == .exited(1))
    }
}
