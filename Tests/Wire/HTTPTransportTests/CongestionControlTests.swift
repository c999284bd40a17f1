#if os(Linux)
    import SDHTTPTransport
    import SDTestSupport
    import Testing

    @Suite struct CongestionControlTests {
        /// Whatever the system's own is, such as BBR, which paces.
        @Test func nothingPacesWithinOneMachine() throws {
            let server = try TestServer(limits: .patient) { request, reply in answerWithEcho(request, reply) }
            let client = try RawClient(port: server.port)
            try client.send(get("/"))
            _ = client.receive(until: "[a]")
            #expect(ProcessFacts.congestionControls(onConnectionsTo: server.port) == ["reno"])
        }
    }
#endif
