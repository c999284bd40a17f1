extension StubSchema {
    /// Mappings in WireMock's form, with our additions, and what both forms have in common.
    static let mappings = #"""
        flag = `^\s*([Tt]rue|TRUE|[Ff]alse|FALSE)?\s*$` | boolean | integer | null
        int = `^\s*-?[0-9]*\s*$` | number | null
        duration = `^\s*[0-9][0-9.eE+-]*\s*(ms|s|m|h)\s*$` -- A duration with its unit: 120ms, 1.5s, 2m or 1h.
        size = `^\s*[0-9][0-9.eE+-]*\s*([KMG]iB|[kKMG]B|[kKMG]?bit|B)\s*$` | 0.. -- A number of bytes, or a size with its unit: 3KB, 64KiB.
        rate = `^\s*[0-9][0-9.eE+-]*\s*([KMG]iB|[kKMG]B|[kKMG]?bit|B)/s\s*$` -- A rate with its unit: 500B/s, 3KB/s, 1MiB/s, 2Mbit/s.
        share = `^[0-9][0-9.]*%$` | number -- A number from 0 to 1, or a percentage such as 5%.
        template = `\{\{` -- A template, {{…}}.
        file = `^(?!/)(?!(.*/)?\.\.(/|$)).+$` -- A path below __files.
        headers = {text | [text]} | null -- Names and values; several values of one name are a list.
        method = @methods | string | #methodSet | null
        cors = boolean | #corsPolicy | string | [string]+ | null -- What pages of other origins may do with the answers: true, false, an origin, a list of them, or an object.
        distribution = #fixed | #typedUniform | #typedLognormal | #typedGaussian | #typedExponential | null
        delay = #duration | #uniform | #lognormal | #gaussian | #exponential | #distribution
        templatedInt = #int | #template
        hold = #holdOptions | text -- The name of a gate at which the response waits until a test releases it, or an object.
        stream = #streamOptions | [#event]+ | null -- Events or pieces that are sent in place of a body.
        early = #earlyResponse | 100..199 | [#earlyResponse | 100..199] | null
        records = {object} | [object] | boolean | #file
        document = object | boolean | #file
        collection: Several stub mappings. Among equal priorities the last one wins.
          $schema: any
          mappings: [#element] | null -- Mappings in WireMock's form; each may also be an object of routes.
          meta: any
          uuid: any
          cors: #cors
          ! mappings
          + {"patternProperties": {"^(x-|\\.)": true}}
        mapping: A stub mapping in WireMock's form: the requests that it answers, and its answer.
          id: #uuid -- The id for the admin API; derived from the file's path and the place in it if absent.
          uuid: #uuid -- The same as id.
          name: text -- A label, shown in reports and in the response header Matched-Stub-Name.
          request: #request
          response: #response
          persistent: flag -- Whether the mapping is saved to disk when it is added or edited.
          priority: int -- Lower numbers win; 5 if absent.
          scenarioName: text -- The scenario that it belongs to.
          requiredScenarioState: text -- The state of the scenario in which it answers; in every state if absent. The first is Started.
          newScenarioState: text -- The state to which it moves the scenario.
          metadata: object | null -- An object of your own, for the admin API.
          postServeActions: [#action] | object | null -- Actions after the answer, such as webhooks of WireMock 2.
          serveEventListeners: [#listener] | null -- Listeners, such as {name: webhook, parameters: {…}}.
          insertionIndex: int -- The position in the order of insertion, in saved files.
          times: 1.. | `^[0-9]+$` | null -- The number of requests to answer; then the next matching mapping answers.
          timesLeft: any -- What is left of times; shown and never read.
          ttl: #duration | null -- How long the mapping exists, such as 30s.
          enabled: flag -- false: be listed, and never answer.
          responses: [#response] | [#weighedResponse]+ | null -- Several responses, one for each request, in place of response.
          onEnd: @ends | null -- What follows the last of the responses; repeatLast if absent.
          select: @selections | null -- random: draw from the responses by their weight.
          per: #sequenceKey | null -- Where requests have the value for each of which the responses are given in turn: path.id, query.page, header.X-User, cookie.sid, or a JSONPath of the body.
          resource: #resource -- A collection of records that is served in place of a response.
          cors: #cors
          $schema: any
          / responses: resource
          + {"patternProperties": {"^(x-|\\.)": true}}
        sequenceKey = `^((path|query|headers?|cookies?)\..+|\$[.\[].+)$`
        uuid = `^\s*([0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})?\s*$` | null
        action: An action: its name and parameters.
          name: text
          parameters: object | null
        listener: A listener: its name, the phases in which it acts, and its parameters.
          name: 'webhook' | 'recordState' | text
          requestPhases: [@phases] | null
          parameters: object | null
        request: Conditions, all of which must hold for the stub to answer.
          scheme: 'http' | 'https' | text
          host: #valueMatcher -- The host that the request was sent to, without the port.
          port: int -- The port that the request was sent to.
          clientIp: #valueMatcher -- The address that the request came from. An addition to WireMock.
          url: text -- Path and query, exactly.
          urlPattern: text -- A regular expression for path and query.
          urlPath: text -- The path, exactly, with any query.
          urlPathPattern: text -- A regular expression for the path.
          urlPathTemplate: text -- A template of the path: /users/{id}.
          method: #method
          headers: {#multiValueMatcher} | null -- Names and matchers; names compare without regard to letter case.
          pathParameters: {#valueMatcher} | null -- Variables of urlPathTemplate and matchers.
          queryParameters: {#multiValueMatcher} | null -- Names and matchers.
          formParameters: {#multiValueMatcher} | null -- Names and matchers of a form, application/x-www-form-urlencoded.
          cookies: {#valueMatcher} | null -- Names and matchers.
          basicAuth: #basicAuth
          basicAuthCredentials: #basicAuth
          bodyPatterns: [#bodyMatcher] | null -- Matchers of the body, all of which must hold.
          customMatcher: #customMatcher
          multipartPatterns: [#multipartPattern] | null
          clientCertificate: #clientCertificate
        methodSet: Several methods, or all but some.
          oneOf: [string]+
          noneOf: [string]
          ^ oneOf noneOf
        basicAuth: A user of basic authentication.
          username: text
          password: text
        customMatcher: A matcher that an extension provides.
          name: text
          parameters: object | null
        clientCertificate: What the client's certificate says. An addition to WireMock.
          subject: #valueMatcher -- The name of its owner, as in RFC 2253: CN=alice,O=Example.
          issuer: #valueMatcher -- The name of the authority that issued it.
          serialNumber: #valueMatcher -- The serial number in hexadecimal digits.
          fingerprint: #valueMatcher -- The SHA-256 of its DER form in hexadecimal digits.
          notBefore: #valueMatcher -- The time from which it is valid.
          notAfter: #valueMatcher -- The time until which it is valid.
          alternativeNames: #multiValueMatcher -- Its alternative names, each with its kind: DNS:alice.example.
          pem: #valueMatcher -- The certificate in PEM.
        multipartPattern: Conditions for a part of a multipart body.
          name: text -- A label; nothing is compared with it.
          fileName: text -- The file name; compared beside headers or bodyPatterns.
          matchingType: @matchingTypes | null -- ALL: every part must satisfy the pattern. ANY: one of them.
          headers: {#multiValueMatcher} | null
          bodyPatterns: [#bodyMatcher] | null
        response: An answer.
          status: #templatedInt -- 200 if absent. A template of a number is an addition to WireMock.
          statusMessage: text -- The words after the status.
          body: text
          jsonBody: any -- JSON, sent in compact form.
          base64Body: text -- Bytes in Base64.
          bodyFileName: text -- The path of a file below __files.
          headers: #headers
          additionalProxyRequestHeaders: #headers -- Added to a request that is sent on.
          removeProxyRequestHeaders: [text] | null -- Taken away from a request that is sent on.
          fixedDelayMilliseconds: #templatedInt -- The wait before the first byte.
          delayDistribution: #distribution -- A wait that is drawn for each response.
          chunkedDribbleDelay: #chunkedDribbleDelay
          proxyBaseUrl: text -- The server that the request is sent on to.
          proxyUrlPrefixToRemove: text -- Taken from the beginning of the path before the request is sent on.
          delays: #delays
          fault: @faults | #fault | [#fault]+ | null -- Breaks the connection in place of an answer, or changes the answer.
          transformers: [text] | null -- response-template makes the response a template.
          transformerParameters: object | null -- Values that a template finds under parameters.
          template: flag -- Whether the response is a template, whatever the transformers say. An addition to WireMock.
          fromConfiguredStub: flag
          hold: #hold
          stream: #stream
          early: #early -- Informational responses before this one, such as [103].
          trailers: #headers -- Header fields after the body.
          ranges: flag -- true: requests may ask for parts of the body.
          conditional: flag -- true: a client that has this version gets a 304.
          fallThrough: flag -- true: if the body file is missing, the next matching stub answers.
        weighedResponse < response: One of several responses.
          weight: 0.. | `^[0-9]+$` -- How often it is drawn, with select: random.
        chunkedDribbleDelay: Sends the body in pieces.
          numberOfChunks: int
          totalDuration: int -- The sum of the pauses in milliseconds.
          ! numberOfChunks totalDuration
        delays: The wait before the first byte, and the one before each chunk of the body.
          firstByte: #delay
          perChunk: #delay
          + {"minProperties": 1}
        fixed: A wait of the same length each time.
          type: 'fixed'
          milliseconds: int
          ! type
        typedUniform: A wait between two bounds, in milliseconds.
          type: 'uniform'
          lower: int
          upper: int
          ! type
        typedLognormal: A wait like those of real servers: its median in milliseconds, and sigma, its spread.
          type: 'lognormal'
          median: number | string | null
          sigma: number | string | null
          maxValue: number | string | null
          ! type
        typedGaussian: A normal distribution of waits, in milliseconds.
          type: 'gaussian'
          mean: number
          standardDeviation: number
          maxValue: number
          ! type mean standardDeviation
        typedExponential: Many short waits and few long ones, by their mean in milliseconds.
          type: 'exponential'
          mean: number
          maxValue: number
          ! type mean
        uniform: A wait between two bounds.
          uniform: [#duration] -- The shortest and the longest wait: [50ms, 500ms].
          ! uniform
        lognormal: A wait like those of real servers: many near the median, a few much longer.
          median: #duration
          sigma: number -- The spread, such as 0.4.
          max: #duration
          ! median sigma
        gaussian: A normal distribution of waits.
          gaussian: [#duration] -- The mean and the standard deviation: [200ms, 50ms].
          max: #duration
          ! gaussian
        exponential: Many short waits and few long ones.
          exponential: #duration -- The mean.
          max: #duration
          ! exponential
        holdOptions: Waits at a gate.
          gate: text -- The name of the gate.
          timeout: #duration -- The time after which it waits no longer.
          onTimeout: 'answer' | 'fail' | @faults | 200..999 -- What happens then: the answer, a reset, a fault, or another status.
          ! gate
          + {"dependentRequired": {"onTimeout": ["timeout"]}}
        streamOptions: A stream with a name under which tests push events, or with several rounds.
          name: text -- The name under which events are pushed.
          events: [#event]+
          repeat: 1.. | 'forever' -- The number of rounds.
          + {"anyOf": [{"required": ["events"]}, {"required": ["name"]}]}
        event: A server-sent event, a piece of a body, or a wait, with the wait before it.
          after: #duration -- The wait before it.
          comment: text
          event: text -- The type of the event.
          id: text
          retry: 0.. | #duration -- The time after which a reader comes back.
          data: any -- A text, or JSON.
          chunk: text -- A piece that is sent as it is.
          base64: text -- A piece in Base64.
          hold: #hold
          / chunk: base64 hold comment event id retry data
          / base64: hold comment event id retry data
          / hold: comment event id retry data
        earlyResponse: An informational response.
          status: 100..199
          headers: #headers
        corsPolicy: What pages of other origins may do with the answers.
          origins: string | [string]+ -- The origins of the pages, such as https://app.example or http://localhost:*; * for any.
          credentials: flag -- true: pages may send cookies.
          expose: string | [string]+ -- The response headers that pages may read; all if absent.
        resource: A collection of records behind two paths, /users and /users/{key}.
          name: text -- The name of the collection.
          path: `^/` -- The path of the whole collection.
          key: text -- The field with a record's key; id if absent.
          data: #records | null -- The records to begin with, or the name of a file with them.
          schema: #document | null -- The JSON Schema that records from clients must satisfy, or the name of its file.
          cascade: flag -- true: who removes a record removes those that belong to it.
          write: flag -- true: what requests change is written to the file of data.
          ! name path
        """#
}
