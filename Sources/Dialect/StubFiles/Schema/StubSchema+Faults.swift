extension StubSchema {
    /// Faults of stubs and of sessions.
    static let faults = #"""
        fault: A fault: what happens to the answer, and when.
          status: 100..999 -- Answers with this status.
          kind: @faults -- Breaks the connection as WireMock does.
          neverAnswer: boolean -- true: nothing is sent.
          delay: #delay -- A further wait.
          cutAfter: 'nothing' | 'headers' | `^[0-9][0-9.]*%$` | 0.. | #chunkOfCut -- Where the answer ends: after a number of bytes, a part such as 50%, headers, or {chunk: 2}.
          corrupt: #corruption -- Changes a byte, or some of them.
          wrongLength: integer | `^[+-]?[0-9]+$` -- What is added to Content-Length, such as +5 or -1.
          duplicateHeader: string | #duplicatedHeader -- A header that is sent twice.
          garbagePrefix: string | 1..65536 -- A text, or a number of random bytes, before the answer.
          dropTrailers: boolean -- true: no trailers.
          bandwidth: #rate -- The rate at which the answer is sent.
          slice: #slice -- Sends the answer in pieces.
          stall: #stall -- Stops in the middle.
          slowClose: #duration -- Waits before the connection is closed.
          then: @cutEnds | #streamEnd -- What follows the last byte of an answer that is cut.
          probability: #share -- How often it acts.
          first: 1.. | #firstRequests -- Acts on the first requests only.
          between: [#duration] -- Acts between two times since the session began.
          quota: #quota -- Acts once a limit is reached; a 429 if nothing else is said.
          concurrency: 0..1000000 -- Acts on more answers at a time; a 503 if nothing else is said.
          + {"dependentRequired": {"then": ["cutAfter"]}}
          ^ status kind neverAnswer
        chunkOfCut: A chunk after which the answer ends.
          chunk: 0..
          ! chunk
        corruption: Which bytes change: one, or a part of them.
          byte: 0..
          rate: #share
          ^ byte rate
          + {"minProperties": 1}
        duplicatedHeader: A header that is sent twice, the second time with another value.
          name: string
          value: text
          ! name
        slice: Pieces of this size, and the wait between them.
          size: #size
          gap: #duration
          ! size gap
        stall: Stops after some bytes, for a time or for ever.
          after: #size
          for: 'forever' | #duration
          ! for
        streamEnd: An end that HTTP/2 has.
          resetStream: @http2Errors | 0..
          goAway: @http2Errors | 0..
          lastStream: 0..
          ^ resetStream goAway
          + {"minProperties": 1, "dependentRequired": {"lastStream": ["goAway"]}}
        firstRequests: The first requests, or the first with each value of a header.
          count: 1..
          perHeader: text
          ! count
        quota: A number of requests within a time.
          limit: 0..
          per: #duration
          ! limit per
        sessionFault < fault: A fault of a session: of the answers to some requests, or of connections.
          id: string
          name: text -- A label.
          request: #request
          route: `^\S+[ \t]+\S` -- The requests as the key of a route: GET /api/**.
          serverName: text -- The clients that ask for this server (SNI).
          readSlowly: #rate -- The rate at which requests are read.
          neverRead: boolean -- true: the body of the request is not read.
          refuseNext: 1..1000000 -- Resets that many connections.
          listener: 'down' | 'acceptAndStall' -- down: connections are refused. acceptAndStall: nothing on them is read.
          tls: @tlsFaults
          http2: @http2Faults
          ^ request route
        """#
}
