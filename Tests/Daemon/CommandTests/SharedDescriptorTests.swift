#if os(Linux)
    import Glibc
    import SDPlatform
    import Synchronization
    import Testing

    @Suite struct SharedDescriptorTests {
        /// A thread with its own descriptor table keeps files and pipes but no sockets: a connection that other threads
        /// close is closed.
        ///
        /// In a process of its own: for a moment the thread does have the sockets and the files of all other tests, whose
        /// closing would go unnoticed.
        @Test func anEndedThreadKeepsNoSocketOpen() async {
            await #expect(processExitsWith: .success) { try Self.closeASocketBesideALeaver() }
        }

        private static func closeASocketBesideALeaver() throws {
            var pair: [Int32] = [0, 0]
            try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
            let hasLeft = try SystemCalls.makePipe()
            let mayEnd = try SystemCalls.makePipe()
            let (left, end) = (hasLeft.input.number, mayEnd.output.number)
            let thread = try SystemThread(name: "leaver") {
                SystemCalls.leaveSharedDescriptors()
                var byte: UInt8 = 1
                _ = write(left, &byte, 1)
                _ = try? SystemCalls.waitReadable(end, -1, milliseconds: 10_000)
            }
            var byte: UInt8 = 0
            #expect(try SystemCalls.waitReadable(hasLeft.output.number, -1, milliseconds: 10_000).first)
            close(pair[0])
            // The other end sees the end of the stream although the thread still runs.
            #expect(read(pair[1], &byte, 1) == 0)
            close(pair[1])
            mayEnd.wake()
            thread.join()
        }
    }
#endif
