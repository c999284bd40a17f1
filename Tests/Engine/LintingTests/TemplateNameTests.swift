import SDJSON
import SDStubModel
import Testing

@testable import SDLinting

/// What is found about the names in templates: each of these is valid, and prints nothing in silence without it.
@Suite struct TemplateNameTests {
    /// The findings about a template in a stub with the path `/users/{id}/orders/{orderId}`, which asks for `page`.
    private func findings(
        _ template: String, url: String = #""urlPathTemplate": "/users/{id}/orders/{orderId}""#,
        response: String = ""
    ) throws -> [LintFinding] {
        let body = JSONValue.string(template).compactText
        return StubLint.findings(
            in: try StubMapping(
                json: JSONValue(
                    parsing: #"{"request": {\#(url), "queryParameters": {"page": {"matches": "\\d+"}}}, "#
                        + #""response": {"body": \#(body), "transformers": ["response-template"]\#(response)}}"#)))
    }

    /// The template, and what was meant; an empty text where nobody can tell.
    @Test(arguments: [
        ("{{params.id}}", "request.path.id"), ("{{id}}", "request.path.id"), ("{{path.idd}}", "request.path.id"),
        ("{{query.page}}", "request.query.page"), ("{{headers.X}}", "request.headers.X"), ("{{body}}", "request.body"),
        ("{{page}}", "request.query.page"), ("{{pathParams.orderid}}", "request.path.orderId"),
        ("{{pathVariables.order_id}}", "request.path.orderId"), ("{{request.params.id}}", "request.path.id"),
        ("{{request.pathParameters.id}}", "request.path.id"), ("{{req.params.id}}", "request.path.id"),
        ("{{req.query.page}}", "request.query.page"), ("{{request.queryParams.page}}", "request.query.page"),
        ("{{request.header.X-Id}}", "request.headers.X-Id"), ("{{request.path.orderID}}", "request.path.orderId"),
        ("{{request.pathSegments.order}}", "request.path.orderId"), ("{{cookies.session}}", "request.cookies.session"),
        ("{{method}}", "request.method"), ("{{url}}", "request.url"), ("{{request.uri}}", "request.url"),
        ("{{request.quary.page}}", "request.query.page"), ("{{requst.path}}", "request.path"),
        ("{{body.name}}", "jsonPath request.body '$.name'"),
        ("{{request.body.items.0.name}}", "jsonPath request.body '$.items[0].name'"),
        ("{{request.json.name}}", "jsonPath request.body '$.name'"),
        ("{{jsonBody.user.name}}", "jsonPath request.body '$.user.name'"),
        ("{{payload}}", "request.body"), ("{{request.query.filter.name}}", "request.query.[filter.name]"),
        ("{{request.ip}}", "request.clientIp"), ("{{$guid}}", "randomValue type='UUID'"),
        ("{{uuid}}", "randomValue type='UUID'"),
        ("{{timestamp}}", "now format='unix'"), ("{{env.HOME}}", "systemValue key='HOME'"),
        ("{{state}}", "state 'NAME'"), ("{{jsonPath request.body $.name}}", "'$.name'"),
        ("{{random.uuid}}", "randomValue type='UUID'"), ("{{random.int}}", "randomInt"),
        ("{{faker.name.firstName}}", "random 'Name.firstName'"),
        ("{{upper now}}", "(now)"), ("{{jsonPath body '$.x'}}", "request.body"),
        ("{{#if query.page}}a{{/if}}", "request.query.page"), ("{{#each items}}{{name}}{{/each}}", ""),
        ("{{#if request.body}}{{id}}{{else}}b{{/if}}", "request.path.id"),
        ("{{#each request.query as |v k|}}{{k}}{{else}}{{queryx}}{{/each}}", "request.query"),
        ("{{now format=iso}}", ""), ("{{parameters.name}}", ""), ("{{response.body}}", ""),
        ("{{stream.index}}", ""), ("{{@root.params.id}}", "request.path.id"), ("{{username}}", ""),
        ("{{request.clientCertificate.subjct}}", "request.clientCertificate.subject"),
        ("{{request.parts.file.fileName}}", "request.parts.file.filename"),
        ("{{originalRequest.url}}", "request.url"), ("{{parameter.x}}", "parameters.x"),
    ])
    func namesThatNothingHasAreReported(template: String, suggestion: String) throws {
        let found = try findings(template)
        #expect(found.map(\.code) == [.unknownTemplateName])
        #expect(found.map { $0.suggestion ?? "" } == [suggestion])
        #expect(found.map(\.pointer.text) == ["/response/body"])
        #expect(found.allSatisfy { $0.expected != nil })
    }

    @Test(arguments: [
        "{{request.path.id}} {{path.orderId}} {{request.path}} {{request.path.[1]}} {{request.path.0}}",
        "{{request.pathSegments.1}} {{request.pathSegments.size}} {{path.id.length}}", "{{request.query.anything}}",
        "{{request.query.list.[1]}} {{request.query.list.first}} {{request.query.list.last}}",
        "{{request.query.[filter.name]}}", "{{request.headers.X-Any}} {{request.headers.Accept.0}}",
        "{{request.cookies.session}}", "{{request.body}} {{request.bodyAsBase64}} {{request.body.length}}",
        "{{request.method}} {{request.method.name}} {{request.getMethod}} {{request.id}} {{request.url}}",
        "{{request.requestLine.path}} {{request.scheme}} {{request.host}} {{request.port}} {{request.baseUrl}}",
        "{{request.clientIp}} {{request.clientCertificate.subject}}",
        "{{request.parts.a.body}} {{request.parts.a.headers.X}}",
        "{{now}} {{now format='yyyy'}} {{hostname}} {{jwt}} {{jwks}} {{randomValue}} {{randomInt}} {{date}}",
        "{{#each request.query as |value key|}}{{key}}={{value}}{{@index}}{{/each}}",
        "{{#each (jsonPath request.body '$.items')}}{{id}} {{name}} {{params.id}} {{this.x}} {{../y}} {{@key}} {{.}}{{/each}}",
        "{{#with (parseJson request.body)}}{{name}} {{headers.X}}{{/with}}",
        "{{#with request}}{{path}} {{query.page}}{{/with}}",
        "{{#assign 'total'}}5{{/assign}}{{total}}",
        "{{parseJson request.body 'order'}}{{order.id}} {{order.lines.0.sku}}",
        "{{#parseJson 'data'}}{\"a\": 1}{{/parseJson}}{{data.a}}",
        "{{formData request.body 'form' urlDecode=true}}{{form.name}}",
        "{{regexExtract request.body '(.*)-(.*)' 'parts'}}{{parts.0}}{{parts.1}}",
        "{{val request.query.a assign='a'}}{{a}}",
        "{{#assign (request.query.name)}}x{{/assign}}{{whatever}}",
        "{{state 'name'}} {{counter 'orders'}} {{data 'books'}} {{journal 'GET /a' 'body'}}",
        "{{lookup request.headers 'X'}} {{lookup parameters 'x'}} {{this}} {{this.request.url}} {{@root.request.url}}",
        "{{#*inline \"row\"}}{{name}} {{id}}{{/inline}}{{> row name='a'}}",
        "{{#partial \"p\"}}{{anything}}{{/partial}}{{#block \"p\"}}{{/block}}",
        "{{#eq request.query.a null}}none{{/eq}}", "{{! params.id }}{{!-- {{id}} --}}", "{{request.url}} \\{{id}}",
        "{{{{with request.url}}}}{{id}}{{{{/with}}}}",
        "{{#request.query.a}}{{b}}{{/request.query.a}}", "{{eq request.method.value 'GET' yes='a' no='b'}}",
        "{{#if (eq request.query.a.first 'b')}}{{request.body}}{{else if (contains request.url 'x')}}{{/if}}",
        "{{pickRandom 'a' 'b'}} {{math 1 '+' 2}} {{size request.query.a}} {{join (array 'a' 'b') ','}}",
        "{{request.path.toString}} {{request.query.toString}} {{request.path.id.length}}", "{{systemValue key='HOME'}}",
        "{{#unless request.headers.X}}a{{/unless}}", "{{~request.url~}} {{&request.url}}", "${{request.url}}",
        "a ${x} {y} #{z}",
    ])
    func namesThatAreThereAreNotReported(template: String) throws {
        #expect(try findings(template).map(\.problem.description) == [])
    }

    @Test func aMessageSaysWhoDoesNotHaveWhatAndWhereItStands() throws {
        let found = try findings("a\nb {{params.id}}\n{{path.name}} {{request.body.x}}")
        #expect(
            found.map(\.message) == [
                "at line 2, column 5: there is no `params`, so `params.id` is nothing",
                "at line 3, column 3: `path` has no `name`, so `path.name` is nothing",
                "at line 3, column 17: `request.body` is a text and has no `x`, so `request.body.x` is nothing",
            ])
        #expect(
            found.map(\.expected) == [
                "a name such as request.path.NAME, request.query.NAME, request.headers.NAME, request.body, parameters.NAME",
                "id, orderId", "jsonPath, which finds fields of a JSON body",
            ])
        #expect(found.map(\.suggestion) == ["request.path.id", nil, "jsonPath request.body '$.x'"])
    }

    /// The stub's path, a template, and what was meant.
    @Test(arguments: [
        (#""url": "/a""#, "{{params.id}}", "request.query.id"), (#""url": "/a""#, "{{id}}", ""),
        (#""urlPath": "/a""#, "{{path}}", "request.path"),
        (#""urlPathPattern": "/a/.*""#, "{{path.[1]}}", "request.path.1"),
        (#""url": "/a""#, "{{request.path.id}}", ""), (#""urlPathTemplate": "/a/{userId}""#, "{{id}}", ""),
        (#""urlPathTemplate": "/a/{userId}""#, "{{params.id}}", "request.path.userId"),
        (#""urlPathTemplate": "/a/{userId}""#, "{{path.id}}", "request.path.userId"),
        (#""urlPathTemplate": "/a/{userId}""#, "{{user_id}}", "request.path.userId"),
    ])
    func theVariablesAreThoseOfThePath(url: String, template: String, suggestion: String) throws {
        let found = try findings(template, url: url)
        #expect(found.map(\.code) == [.unknownTemplateName])
        #expect(found.map { $0.suggestion ?? "" } == [suggestion])
    }

    @Test func parametersAreThoseOfTheTransformer() throws {
        let parameters = #", "transformerParameters": {"name": "x", "list": [1]}"#
        #expect(
            try findings("{{parameters.name}} {{parameters.list.0}} {{parameters.size}}", response: parameters).isEmpty)
        let found = try findings("{{parameters.nme}}", response: parameters)
        #expect(found.map(\.suggestion) == ["parameters.name"])
    }

    /// Every text that is a template is looked at.
    @Test(arguments: [
        (#""response": {"jsonBody": {"a": [{"b": "x {{params.id}}"}]}, "template": true}"#, "/response/jsonBody/a/0/b"),
        (#""response": {"headers": {"X": "{{params.id}}"}, "template": true}"#, "/response/headers/X"),
        (#""response": {"statusMessage": "{{params.id}}", "template": true}"#, "/response/statusMessage"),
        (#""response": {"bodyFileName": "{{params.id}}.json", "template": true}"#, "/response/bodyFileName"),
        (#""response": {"status": "{{params.id}}"}"#, "/response/status"),
        (#""response": {"fixedDelayMilliseconds": "{{params.id}}"}"#, "/response/fixedDelayMilliseconds"),
        (#""response": {"proxyBaseUrl": "http://{{params.id}}", "template": true}"#, "/response/proxyBaseUrl"),
        (
            #""response": {"proxyBaseUrl": "http://a", "additionalProxyRequestHeaders": {"A": "{{params.id}}"}, "template": true}"#,
            "/response/additionalProxyRequestHeaders/A"
        ),
        (#""response": {"stream": [{"data": "{{params.id}}"}], "template": true}"#, "/response/stream/0/data"),
        (
            #""response": {"stream": {"name": "s", "events": [{"data": {"a": "{{params.id}}"}}]}, "template": true}"#,
            "/response/stream/events/0/data/a"
        ),
        (#""responses": [{"body": "a"}, {"body": "{{params.id}}", "template": true}]"#, "/responses/1/body"),
        (
            #""serveEventListeners": [{"name": "recordState", "parameters": {"context": "a", "state": {"b": "{{params.id}}"}}}]"#,
            "/serveEventListeners/0/parameters/state/b"
        ),
        (
            #""serveEventListeners": [{"name": "webhook", "parameters": {"url": "http://a/{{params.id}}"}}]"#,
            "/serveEventListeners/0/parameters/url"
        ),
        (
            #""serveEventListeners": [{"name": "webhook", "parameters": {"url": "http://a", "method": "PUT", "jsonBody": {"a": "{{params.id}}"}}}]"#,
            "/serveEventListeners/0/parameters/jsonBody/a"
        ),
    ])
    func allTemplatesAreLookedAt(members: String, place: String) throws {
        let found = StubLint.findings(
            in: try StubMapping(
                json: JSONValue(parsing: #"{"request": {"urlPathTemplate": "/users/{id}"}, \#(members)}"#)))
        #expect(found.map(\.code) == [.unknownTemplateName])
        #expect(found.map(\.pointer.text) == [place])
    }

    /// Names that are there in some places alone.
    @Test(arguments: [
        #""response": {"stream": [{"data": "{{stream.index}} {{stream.round}} {{request.url}}"}], "template": true}"#,
        #""serveEventListeners": [{"name": "recordState", "parameters": {"context": "{{path.id}}", "state": {"b": "{{response.body}} {{request.url}} {{jsonPath response.body '$.a'}}"}}}]"#,
        #""serveEventListeners": [{"name": "webhook", "parameters": {"url": "http://a/{{path.id}}", "method": "POST", "body": "{{response.status}} {{originalResponse.body}} {{originalRequest.path.id}} {{parameters.url}} {{parameters.x}}", "x": "y"}}]"#,
    ])
    func namesOfTheirPlacesAreThere(members: String) throws {
        let found = StubLint.findings(
            in: try StubMapping(
                json: JSONValue(parsing: #"{"request": {"urlPathTemplate": "/users/{id}"}, \#(members)}"#)))
        #expect(found.map(\.problem.description) == [])
    }

    // MARK: - Other syntax

    /// A body, and the expression that was meant.
    @Test(arguments: [
        ("${request.path}", "{{request.path}}"), ("a ${request.headers.X} b", "{{request.headers.X}}"),
        ("${path.id}", "{{path.id}}"), ("${params.id}", "{{request.path.id}}"), ("#{request.url}", "{{request.url}}"),
        ("<%= request.query.page %>", "{{request.query.page}}"), ("{\"id\": \"{id}\"}", "{{request.path.id}}"),
        ("/users/:id", "{{request.path.id}}"), ("{\"id\": \":id\"}", "{{request.path.id}}"),
        ("order $orderId", "{{request.path.orderId}}"), ("<b>$id</b>", "{{request.path.id}}"),
        ("[[id]]", "{{request.path.id}}"), ("{% id %}", "{{request.path.id}}"),
        ("{%request.url%}", "{{request.url}}"), ("${id}", "{{request.path.id}}"),
        ("${req.query.page}", "{{request.query.page}}"),
        ("${request.params.id}", "{{request.path.id}}"), ("{{request.url}} ${request.path}", "{{request.path}}"),
    ])
    func expressionsOfOtherToolsAreReported(body: String, meant: String) throws {
        let found = try findings(body)
        #expect(found.map(\.code) == [.otherTemplateSyntax])
        #expect(found.map(\.suggestion) == [meant])
    }

    @Test func expressionsOfOtherToolsAreReportedInHeadersAndJSONToo() throws {
        let found = StubLint.findings(
            in: try StubMapping(
                json: [
                    "response": [
                        "headers": ["Location": "${request.url}"],
                        "jsonBody": ["a": ["{{request.url}}", "${request.path}"]],
                        "transformers": ["response-template"],
                    ]
                ]))
        #expect(found.map(\.pointer.text) == ["/response/jsonBody/a/1", "/response/headers/Location"])
        #expect(
            found.map(\.message) == [
                "`${request.path}` is sent as it stands", "`${request.url}` is sent as it stands",
            ])
        #expect(found.map(\.expected) == ["an expression between {{ and }}", "an expression between {{ and }}"])
        #expect(found.map(\.suggestion) == ["{{request.path}}", "{{request.url}}"])
    }

    @Test(arguments: [
        "${name}", "${{request.url}}", "${json-unit.any-string}", "{name}", "{\"id\": {}}", "#{color}",
        "${items[0].id}",
        "${a.b}", "{\"$id\": \"x\"}", "query ($id: ID!)", "a:id", ":idx", "$ids", ":id:", "[[1], [2]]", "[[page]]",
        "{% if id %}", "12:id", "$$id",
        "function f() { return `${user.name} ${x}`; }", "{{{request.path.id}}}",
    ])
    func otherTextsAreNotReported(body: String) throws {
        #expect(try findings(body).map(\.problem.description) == [])
    }

    @Test func scriptsHaveTheirOwnExpressions() throws {
        let found = try findings(
            "`${params.id} ${request.url}`", response: #", "headers": {"Content-Type": "text/javascript"}"#)
        #expect(found.isEmpty)
    }

    // MARK: - Calls that fail

    @Test func aCallThatFailsIsTold() throws {
        let found = try findings("{{now offset='1 dy'}}")
        #expect(found.map(\.code) == [.failingHelper])
        #expect(
            found.map(\.message) == [
                "now: the offset is \"1 dy\", and has to be a number and a unit of seconds, minutes, hours, days, weeks, "
                    + "months and years, such as 8 seconds, so every request gets a 500"
            ])
        #expect(found.map(\.expected) == ["parameters that the helper takes"])
        #expect(found.map(\.suggestion) == ["offset='1 days'"])
    }

    /// The template, and what was meant; an empty text where nobody can tell.
    @Test(arguments: [
        ("{{now offset='-3 hour s'}}", "offset='-3 hours'"),
        ("{{date (parseDate request.query.d) offset='2 mnths'}}", "offset='2 months'"),
        ("{{now offset='5min'}}", "offset='5 minutes'"), ("{{now offset='tomorrow'}}", ""),
        ("{{#if (now offset='1 yer')}}{{/if}}", "offset='1 years'"), ("{{now timezone='Europe/Berln'}}", ""),
        ("{{random 'Name.frstName'}}", "name.firstname"), ("{{truncateDate (now) 'first day of mnth'}}", ""),
        ("{{now format='yyyy-bb'}}", ""), ("{{jsonPath '$.name'}}", "jsonPath request.body '$.name'"),
    ])
    func callsThatAlwaysFailAreReported(template: String, suggestion: String) throws {
        let found = try findings(template)
        #expect(found.map(\.code) == [.failingHelper])
        #expect(found.map { $0.suggestion ?? "" } == [suggestion])
    }

    /// The template, and what was meant.
    @Test(arguments: [
        ("{{now format='YYYY-MM-DD'}}", "yyyy-MM-dd"), ("{{now format='yyyy-mm-dd'}}", "yyyy-MM-dd"),
        ("{{date (parseDate request.query.d) format='DD.MM.YYYY'}}", "dd.MM.yyyy"),
        ("{{now format='HH:MM:ss'}}", "HH:mm:ss"),
        ("{{now format='%Y-%m-%d'}}", "yyyy-MM-dd"), ("{{now format='%Y-%m-%dT%H:%M:%S'}}", "yyyy-MM-dd'T'HH:mm:ss"),
        ("{{dateFormat (now) '%d. %B %y, %T'}}", "dd. MMMM yy, HH:mm:ss"),
        ("{{now + 1 day}}", "now offset='1 days'"), ("{{now - 2 weeks}}", "now offset='-2 weeks'"),
        ("{{now '+3 hours'}}", "now offset='3 hours'"), ("{{now -1 month}}", "now offset='-1 months'"),
        ("{{date + 90 min}}", "date offset='90 minutes'"),
        ("{{now format='HH:mm:SS'}}", "HH:mm:ss"), ("{{dateFormat (now) 'YYYY-MM-DD'}}", "yyyy-MM-dd"),
        ("{{randomValue type='GUID'}}", "type='UUID'"), ("{{randomValue type='alphanumeric'}}", "type='ALPHANUMERIC'"),
        ("{{randomValue type='NUMERC' length=5}}", "type='NUMERIC'"), ("{{now ofset='1 days'}}", "offset"),
        ("{{randomInt lower=1 uper=9}}", "upper"), ("{{jsonPath request.body '$.a' defualt='x'}}", "default"),
    ])
    func optionsThatMeanSomethingElseAreReported(template: String, suggestion: String) throws {
        let found = try findings(template)
        #expect(found.map(\.code) == [.helperOption])
        #expect(found.map(\.suggestion) == [suggestion])
    }

    @Test(arguments: [
        "{{now format='yyyy-MM-dd HH:mm:ss.SSS'}}", "{{now format=\"YYYY-'W'ww\"}}", "{{now format='D'}}",
        "{{now format='yyyyDDD'}}", "{{now format='yyyy 100%'}}", "{{date (now) format='yyyy'}}",
        "{{now format='HH:mm dd.MM.yy'}}", "{{now format=\"yyyy-MM-dd'T'HH:mm:ssZ\"}}", "{{now format='epoch'}}",
        "{{now format='mm:ss'}}", "{{now format='MM/yyyy'}}", "{{dateFormat (now) 'full'}}", "{{now format='YYYYww'}}",
        "{{randomValue type='UUID'}}", "{{randomValue length=5 type='NUMERIC' uppercase=true}}",
    ])
    func otherOptionsAreNotReported(template: String) throws {
        #expect(try findings(template).map(\.problem.description) == [])
    }

    @Test(arguments: [
        "{{now offset='1 day'}}", "{{now offset='-2 weeks' format='epoch'}}", "{{now offset=request.query.offset}}",
        "{{now timezone='Europe/Berlin' format='yyyy-MM-dd'}}", "{{random 'Name.firstName'}}", "{{range 1 1000000}}",
        "{{truncateDate (now) 'first day of month'}}", "{{jwt sub='ann'}}", "{{systemValue key='nope'}}",
        "{{state context='x'}}",
        "{{jsonPath request.body '$.['}}", "{{#jsonArrayAdd '[]'}}{\"a\": 1}{{/jsonArrayAdd}}",
        "{{#jsonMerge '{}'}}{}{{/jsonMerge}}", "{{math request.query.a '/' 0}}",
        "{{regexExtract request.body '(' default='x'}}",
    ])
    func callsThatMayWorkAreNotReported(template: String) throws {
        #expect(try findings(template).map(\.problem.description) == [])
    }

    // MARK: - Comparisons

    /// The template, what is said of it, and what was meant.
    @Test(arguments: [
        (
            "{{#if (eq request.query.role 'root')}}{{/if}}",
            "`request.query.role` is a list of values and never equals a text, so `eq` is always false",
            "eq request.query.role.first 'root'"
        ),
        (
            "{{#neq request.headers.X-A 'b'}}{{/neq}}",
            "`request.headers.X-A` is a list of values and never equals a text, so `neq` is always true",
            "neq request.headers.X-A.first 'b'"
        ),
        (
            "{{eq 'dark' request.cookies.[my theme]}}",
            "`request.cookies.[my theme]` is a list of values and never equals a text, so `eq` is always false",
            "eq 'dark' request.cookies.[my theme].first"
        ),
        (
            "{{eq request.path '/a'}}",
            "`request.path` is a list of segments and never equals a text, so `eq` is always false",
            "eq (trim request.path) '/a'"
        ),
        (
            "{{eq request.method 'GET'}}",
            "`request.method` is an object and never equals a text, so `eq` is always false",
            "eq request.method.value 'GET'"
        ),
        (
            "{{eq request.requestLine.method 'GET'}}",
            "`request.requestLine.method` is an object and never equals a text, so `eq` is always false",
            "eq request.requestLine.method.value 'GET'"
        ),
        (
            "{{eq @root.request.query.a 1}}",
            "`@root.request.query.a` is a list of values and never equals a number, so `eq` is always false",
            "eq @root.request.query.a.first '1'"
        ),
        (
            "{{eq request.query.a.[0] 1}}",
            "`request.query.a.[0]` is a text and never equals a number, so `eq` is always false",
            "eq request.query.a.[0] '1'"
        ),
        (
            "{{eq request.query.on true}}",
            "`request.query.on` is a list of values and never equals true or false, so `eq` is always false",
            "eq request.query.on.first 'true'"
        ),
        (
            "{{eq request.port '80'}}", "`request.port` is a number and never equals a text, so `eq` is always false",
            "eq request.port 80"
        ),
        (
            "{{eq request.query.id request.path.id}}",
            "`request.query.id` is a list of values and never equals a text, so `eq` is always false",
            "eq request.query.id.first request.path.id"
        ),
        (
            "{{gt request.query.page 3}}",
            "`request.query.page` is a list of values, which `gt` cannot compare with a number, so every request gets a "
                + "500",
            "gt (math request.query.page '+' 0) 3"
        ),
        (
            "{{lte request.path.id 3}}",
            "`request.path.id` is a text, which `lte` cannot compare with a number, so every request gets a 500",
            "lte (math request.path.id '+' 0) 3"
        ),
        (
            "{{#if request.query.role='root'}}{{/if}}",
            "`request.query.role='root'` is an option, and no condition", "if (eq request.query.role.first 'root')"
        ),
        (
            "{{#if request.query.page > 3}}{{/if}}", "there are no operators: `>` is a name here",
            "if (gt (math request.query.page '+' 0) 3)"
        ),
        (
            "{{#unless request.path.id <= 3}}{{/unless}}", "there are no operators: `<=` is a name here",
            "unless (lte (math request.path.id '+' 0) 3)"
        ),
        (
            "{{#if request.url}}{{else if 1 < request.port}}{{/if}}", "there are no operators: `<` is a name here",
            "if (lt 1 request.port)"
        ),
    ])
    func comparisonsThatNeverMatchAreReported(template: String, message: String, suggestion: String) throws {
        let found = try findings(template)
        #expect(found.map(\.code) == [.templateComparison])
        #expect(found.map(\.message) == [message])
        #expect(found.map(\.suggestion) == [suggestion])
        // What is suggested is right.
        let word = suggestion.prefix { $0 != " " }
        let isBlock = word == "if" || word == "unless"
        let meant = isBlock ? "{{#\(suggestion)}}{{/\(word)}}" : "{{\(suggestion)}}"
        #expect(try findings(meant).map(\.problem.description) == [])
    }

    @Test(arguments: [
        "{{eq request.query.a.first 'b'}}", "{{eq request.query.a null}}", "{{eq request.query.a request.query.b}}",
        "{{eq request.url '/a'}}", "{{eq request.path.id '7'}}", "{{eq request.port 80}}",
        "{{eq request.binary false}}", "{{eq request.query.size 2}}", "{{eq (size request.query.a) 2}}",
        "{{eq request.method.name 'GET'}}",
        "{{#each request.query.a}}{{#if (eq this 'b')}}{{/if}}{{/each}}", "{{gt 3 2}}", "{{gt request.body 'a'}}",
        "{{eq (jsonPath request.body '$.a') 1}}", "{{eq 'a' 'b'}}", "{{#if request.query.a}}{{/if}}",
    ])
    func comparisonsThatMayMatchAreNotReported(template: String) throws {
        #expect(try findings(template).map(\.problem.description) == [])
    }

    // MARK: - Many findings

    /// What stands a thousand times in a template, the number of findings, and the last of them.
    @Test(arguments: [
        ("{{nobody#.name}}", "and 980 more names that nothing has"),
        ("{{request.query.a.x#}}", "and 980 more names that nothing has"),
        ("{{request.nobody#}}", "and 980 more names that nothing has"),
        ("{{request.path.nobody#}}", "and 980 more names that nothing has"),
        ("{{now ofset#='1 day'}}", "and 980 more options without the effect that is meant"),
        ("{{eq request.query.a# 'b'}}", "and 980 more comparisons that never match"),
    ])
    func manyFindingsAreCounted(piece: String, last: String) throws {
        let found = try findings((0..<1_000).map { piece.replacing("#", with: String($0)) }.joined())
        #expect(found.count == 21)
        #expect(found.last?.message == last)
    }

    @Test func namesThatAreToldOrGivenDoNotCountAmongMany() throws {
        let names = (0..<1_000).map { "{{#assign 'a\($0)'}}{{/assign}}{{a\($0).b}}{{nobody}}" }.joined()
        #expect(try findings(names + "{{a1000}}").map(\.message).count == 2)
        let twenty = (0..<20).map { "{{nobody\($0)}}" }.joined()
        #expect(try findings(twenty + twenty).count == 20)
    }

    @Test func expressionsOfOtherToolsAreFewToo() throws {
        #expect(try findings((0..<1_000).map { "${request.query.a\($0)}" }.joined()).count == 20)
    }
}
