import Foundation
import SDPlatform
import Synchronization
import Testing

@testable import SDServing

/// Lines for a reader that may not read them.
@Suite struct LineWriterTests {
    private let pipe = Foundation.Pipe()
    private let writer: LineWriter

    init() {
        writer = LineWriter(descriptor: pipe.fileHandleForWriting.fileDescriptor) { "lost \($0)\n" }
    }

    /// Reads until the line `last` has arrived.
    private func read(until last: String) -> [String] {
        var text = ""
        while !text.hasSuffix(last + "\n") {
            let data = pipe.fileHandleForReading.availableData
            if data.isEmpty { break }
            text += String(decoding: data, as: UTF8.self)
        }
        return text.split(separator: "\n").map(String.init)
    }

    /// Reads until the line `last` has arrived, while `body` writes.
    private func read(until last: String, while body: () -> Void) throws -> [String] {
        let lines = Mutex<[String]>([])
        let thread = try SystemThread(name: "reader") { [self] in
            let read = read(until: last)
            lines.withLock { $0 = read }
        }
        body()
        thread.join()
        return lines.withLock { $0 }
    }

    @Test func unreadLinesAreBoundedAndTheirLossIsReported() throws {
        let line = String(repeating: "x", count: 999) + "\n"
        // More than fits into the pipe and the buffer for waiting lines.
        let count = 4 * LineWriter.room / 1_000
        for _ in 0..<count { writer.write(line) }
        let lines = try read(until: "last") {
            writer.flush(milliseconds: 30_000)
            writer.write("last\n")
        }
        let notices = lines.filter { $0.hasPrefix("lost ") }
        let lost = notices.compactMap { Int($0.dropFirst("lost ".count)) }.reduce(0, +)
        #expect(lost > 0)
        #expect(lines.count - notices.count - 1 + lost == count)
        #expect(lines.dropLast().allSatisfy { $0.count == 999 || $0.hasPrefix("lost ") })
    }

    @Test(.timeLimit(.minutes(30))) func flushingEndsEvenIfNobodyReads() throws {
        for _ in 0..<200 { writer.write(String(repeating: "x", count: 999) + "\n") }
        let clock = ContinuousClock()
        let began = clock.now
        writer.flush(milliseconds: 100)
        #expect(clock.now - began >= .milliseconds(90))
        // The pipe must not be closed, and its number reused, while there are lines for it.
        let lines = try read(until: "last") { writer.write("last\n") }
        #expect(lines.count == 201)
    }

    @Test func anOversizedLineIsWrittenAlone() throws {
        let lines = try read(until: "last") {
            writer.write(String(repeating: "y", count: 2 * LineWriter.room) + "\n")
            writer.flush(milliseconds: 30_000)
            writer.write("last\n")
        }
        #expect(lines.map(\.count) == [2 * LineWriter.room, 4])
    }

    /// The first line is written at once; further ones are counted, and the count is written after a second or at the
    /// log's end.
    @Test func repeatedEventsAreCounted() {
        for number in 1...500 { writer.write(cause: "a") { "a\(number)+\($0)\n" } }
        writer.write(cause: "b") { "b+\($0)\n" }
        writer.flush(milliseconds: 30_000)
        writer.write("last\n")
        let lines = read(until: "last")
        #expect(lines.first == "a1+0")
        #expect(lines.filter { $0 == "b+0" }.count == 1)
        let counts = lines.filter { $0.hasPrefix("a") }.compactMap { $0.split(separator: "+").last.flatMap { Int($0) } }
        // Each line stands for itself, or for all since the previous one. A slow machine may need more than a second
        // for them.
        #expect(counts.reduce(0) { $0 + max($1, 1) } == 500)
        #expect(counts.count <= 10)
    }

    /// The count is written without another line or an end.
    @Test func theCountIsWrittenWithinAboutASecond() {
        let isCounted = (1...5).contains { attempt in
            for _ in 1...3 { writer.write(cause: "\(attempt)") { "\(attempt)+\($0)\n" } }
            var lines: [String] = []
            // Each line stands for itself, or for all since the previous one.
            while lines.reduce(0, { $0 + max(Int($1.suffix(1)) ?? 0, 1) }) < 3 {
                let data = pipe.fileHandleForReading.availableData
                lines += String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
            }
            // A slow machine may need more than a second for the three.
            return lines == ["\(attempt)+0", "\(attempt)+2"]
        }
        #expect(isCounted)
    }
}
