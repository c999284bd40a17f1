extension StubSchema {
    /// The route shorthand.
    static let routes = #"""
        route = #routeResponse | [#routeResponse]+ -- What is answered: a response, or a list of which the first that matches answers.
        crud = #routeResource | #file | null -- A collection of records: the name of the file with them, or an object.
        routeResponse: A response of a route. Nothing is an empty 200.
          when: #when -- Further conditions, all of which must hold.
          name: text -- A label, shown in reports and in the response header Matched-Stub-Name.
          priority: int -- Lower numbers win; 5 if absent.
          status: 100..999 | `^[0-9]{3}$` | #template -- 200 if absent.
          statusMessage: text -- The words after the status.
          headers: #headers
          body: text -- A text; its Content-Type is text/plain unless headers says another.
          json: any -- Any value, sent as JSON. A text that is one expression, {{…}}, becomes its value.
          base64: text -- Bytes in Base64.
          file: #file -- A file below __files; its Content-Type is that of its extension.
          fallThrough: flag -- true: if the file is missing, the next matching route answers.
          template: boolean -- false: send {{…}} as it stands. true: render the content of the file, too.
          delay: #duration | #delays | #uniform | #lognormal | #gaussian | #exponential | #template -- The wait before the first byte: 120ms, {uniform: [50ms, 500ms]}, {median: 80ms, sigma: 0.4}, {firstByte: 100ms, perChunk: 20ms}.
          dribble: #dribble -- Sends the body in pieces.
          fault: @faults | #fault | [#fault]+ | null -- Breaks the connection in place of an answer, or changes the answer: {cutAfter: 50%, then: rst}.
          metadata: object | null -- An object of your own, for the admin API.
          scenario: #scenario -- The states in which the route answers, and to which it leads.
          capture: {text | {text}} -- Names and templates: values that are put into the session's state.
          cors: #cors
          webhook: string | #webhook -- A call to somebody else once the response was sent: a URL, or an object.
          webhooks: [string | #webhook] -- Several of them.
          hold: #hold
          stream: #stream
          early: #early -- Informational responses before this one, such as [103].
          trailers: #headers -- Header fields after the body.
          ranges: flag -- true: requests may ask for parts of the body.
          conditional: flag -- true: a client that has this version gets a 304.
          proxy: `^\s*[hH][tT][tT][pP][sS]?://` | #template | #proxy -- The server that the request is sent on to: a URL, or an object.
          times: 1.. | `^[0-9]+$` | null -- The number of requests to answer; then the next matching route answers.
          ttl: #duration | null -- How long the route exists, such as 30s.
          enabled: flag -- false: be listed, and never answer.
          sequence: [#routeEntry]+ | #routeSequence -- Several responses, one for each request; {per: path.id, responses: […]} for each value of a request.
          id: #uuid -- The id for the admin API; derived from the file's path, the key and the place in a list if absent.
          onEnd: @ends | null -- What follows the last of a sequence; repeatLast if absent.
          select: @selections | null -- random: draw from the sequence by weight.
          per: #sequenceKey | null -- Where requests have the value for each of which the sequence is kept.
          ^ body json base64 file stream
          / sequence: status statusMessage headers fallThrough template delay dribble fault hold early trailers ranges conditional proxy body json base64 file stream
          + {"dependentRequired": {"onEnd": ["sequence"], "select": ["sequence"], "per": ["sequence"]}}
          + {"if": {"properties": {"fallThrough": {"const": true}}, "required": ["fallThrough"]}, "then": {"required": ["file"]}}
        routeEntry < routeResponse: One response of a sequence.
          weight: 0.. | `^[0-9]+$` -- How often it is drawn, with select: random.
          ^ body json base64 file stream
        routeSequence: Several responses, and how they follow one another.
          onEnd: @ends | null -- What follows the last; repeatLast if absent.
          select: @selections | null -- random: draw from the responses by weight.
          per: #sequenceKey | null -- Where requests have the value for each of which the sequence is kept: path.id, query.page, header.X-User, cookie.sid, or a JSONPath of the body.
          responses: [#routeEntry]+ -- The responses.
          ! responses
        routeResource < routeResponse: A collection of records: a list, and each of its records, with all their methods.
          data: #records -- The records to begin with, or the name of a file with them.
          key: text -- The field with a record's key; id if absent.
          schema: #document -- The JSON Schema that records from clients must satisfy, or the name of its file.
          collection: text -- The name of the collection; that of the path if absent.
          cascade: flag -- true: who removes a record removes those that belong to it.
          write: flag -- true: what requests change is written to the file of data.
        defaults: Values for all routes of this file; a route's own take precedence.
          basePath: `^(/[^?#]*)?$` -- Put before the path of each route.
          headers: #headers -- Headers of each response that has none of that name.
          delay: #duration | #delays | #uniform | #lognormal | #gaussian | #exponential | #template -- The delay of each response that has none.
          conditional: flag -- true: a client that has the version of a response gets a 304.
          fallThrough: flag -- true: each route whose file is missing leaves the request to the next.
          cors: #cors
          redact: text | [text]+ -- Further names of secrets: of headers, parameters and members.
        dribble: Sends the body in pieces.
          chunks: 1.. -- The number of pieces.
          over: #duration -- The sum of the pauses.
          ! chunks over
        scenario: A state machine that routes share by its name.
          name: text
          from: text -- The state in which the route answers; in every state if absent. The first is Started.
          to: text -- The state to which the route moves the scenario.
          ! name
        proxy: The server that the request is sent on to.
          to: text -- The URL in front of path and query.
          removePrefix: text -- Taken from the beginning of the path.
          headers: #headers -- Added to the request.
          removeHeaders: text | [text] -- Not sent on.
          rewriteHost: flag -- true: answers name this server where they name the other one.
          ! to
        webhook: A call to somebody else once the response was sent. Its texts are templates.
          method: text -- POST with a body, otherwise GET, if absent.
          url: text
          headers: #headers
          body: text
          json: any
          base64: text
          file: text -- A file below __files.
          jsonBody: any
          base64Body: text
          bodyFileName: text
          multipart: [#webhookPart] | null -- The parts of a multipart/form-data body.
          delay: #delay -- The wait before it is sent.
          retry: 0..100 | #retry -- How often it is sent again if it failed.
          hmac: #hmac -- A header that signs the body.
          ! url
          *
        webhookPart: A part of the body.
          name: text
          fileName: text
          contentType: text
          body: text
          base64Body: text
          jsonBody: any
          bodyFileName: text
          ! name
        retry: How often it is sent again, and the wait before.
          times: 0..100
          backoff: 0.. | #duration -- The first wait; each later one is twice as long.
        hmac: A header that signs the body.
          secret: text
          algorithm: @algorithms | text
          header: text -- X-Signature if absent.
          format: 'hex' | 'base64'
          prefix: text -- What stands before the signature, such as sha256=.
          ! secret
        when: Conditions beside the route's key.
          method: @methods | string | [string]+ | #methodSet -- Only where the key says ANY.
          scheme: 'http' | 'https'
          host: #condition -- The host that the request was sent to, without the port.
          port: 1..65535 | `^[0-9]+$` -- The port that the request was sent to.
          clientIp: #condition -- The address that the request came from.
          headers: {#conditions} -- Names and values or matchers; names compare without regard to letter case.
          query: {#conditions} -- Names and values or matchers, beside those in the key.
          form: {#conditions} -- Names and values or matchers of a form.
          path: {#condition} -- The variables of the key and their values or matchers; ** are named 0, 1, ….
          cookies: {#condition} -- Names and values or matchers.
          basicAuth: #routeBasicAuth
          body: any -- A text, a matcher, JSON, or a list of these, all of which must hold.
          json: any -- This JSON, whatever the order of its members.
          jsonPath: any -- A path that finds something, a list of paths, or an object of paths and what they find.
          jsonSchema: any -- JSON that this schema allows.
          xml: string -- This XML.
          xPath: any -- An XPath that finds something, a list, or an object of paths and what they find.
          multipart: #part | [#part] -- Parts of the body.
          graphql: string | #graphql -- A GraphQL query, or an object.
          jwt: #jwt -- The claims and the header of the token in Authorization.
          custom: string | #customMatcher
          clientCertificate: #routeCertificate
        condition = text | #valueMatcher -- A value, or a matcher: {contains: json}.
        conditions = text | #multiValueMatcher | [text | #valueMatcher]+ -- A value, a matcher, or a list of several values.
        routeBasicAuth: A user of basic authentication.
          username: text
          password: text
          ! username password
        routeCertificate: What the client's certificate says.
          subject: #condition -- The name of its owner, as in RFC 2253: CN=alice,O=Example.
          issuer: #condition -- The name of the authority that issued it.
          serialNumber: #condition -- The serial number in hexadecimal digits.
          fingerprint: #condition -- The SHA-256 of its DER form in hexadecimal digits.
          notBefore: #condition -- The time from which it is valid.
          notAfter: #condition -- The time until which it is valid.
          alternativeNames: #conditions -- Its alternative names, each with its kind: DNS:alice.example.
          pem: #condition -- The certificate in PEM.
        part < when: A part of a multipart body.
          name: text -- The name of the part.
          file: text -- The name of its file.
          every: flag -- true: every part must be so.
          + {"minProperties": 1}
        """#
}
