// What llhttp, the HTTP parser inside node, makes of a request: an independent opinion for our own parser.
//
//     python3 generate.py --count 10000 --seed 1 | node --no-deprecation llhttp.mjs
//
// Standard input: one request (or several, pipelined) a line, in base64; each line is a connection of its own, and an
// empty line one that says nothing.
// Standard output: one JSON object a line, in the same order:
//
//   complete    how many messages ended
//   messages    of each, complete or not, whose head ended: method, url, versionMajor, versionMinor, headers and
//               trailers as [name, value] pairs in wire order, body (base64, without chunk framing), keepAlive, upgrade
//   incomplete  true when bytes of an unfinished message are left and none of them is wrong
//   error       null, or { code, reason, offset }: llhttp's name of the error, its sentence, and the offset of the byte
//   consumed    bytes taken; fewer than given only after an error or an upgrade
//
// Header names, values and targets are byte strings: each character of the JSON text stands for the byte of its value.
// llhttp is at its strictest (no leniency flag). It differs from a mock server's parser by design in these points:
// it knows a fixed list of methods; after a message with `upgrade` it reads no further; bytes after a message that
// closes the connection are the error HPE_CLOSED_CONNECTION; trailing blanks of a value are cut.

import { createInterface } from 'node:readline'

const { HTTPParser, methods, allMethods } = process.binding('http_parser')

const methodNames = allMethods ?? methods
const onMessageBegin = HTTPParser.kOnMessageBegin | 0
const onHeaders = HTTPParser.kOnHeaders | 0
const onHeadersComplete = HTTPParser.kOnHeadersComplete | 0
const onBody = HTTPParser.kOnBody | 0
const onMessageComplete = HTTPParser.kOnMessageComplete | 0

// Beyond every request that is compared here, so that node's own limit on heads is never met.
const maximumHeadBytes = 64 * 1024 * 1024

function pairs(flat) {
    const result = []
    for (let i = 0; i + 1 < flat.length; i += 2) result.push([flat[i], flat[i + 1]])
    return result
}

function parse(bytes) {
    const messages = []
    let begun = 0
    let complete = 0
    let current = null
    // llhttp hands out long heads in portions, and their target with the first one.
    let early = []
    let earlyURL = ''

    const parser = new HTTPParser()
    parser.initialize(HTTPParser.REQUEST, {}, maximumHeadBytes, HTTPParser.kLenientNone)

    parser[onMessageBegin] = () => {
        begun += 1
        current = null
        early = []
        earlyURL = ''
    }
    parser[onHeaders] = (headers, url) => {
        if (current) {
            current.trailers.push(...pairs(headers))
        } else {
            early.push(...headers)
            earlyURL += url
        }
    }
    parser[onHeadersComplete] = (
        versionMajor, versionMinor, headers, method, url, _status, _text, upgrade, keepAlive,
    ) => {
        current = {
            method: methodNames[method],
            url: headers === undefined ? earlyURL : url,
            versionMajor,
            versionMinor,
            headers: pairs(headers === undefined ? early : headers),
            trailers: [],
            body: [],
            keepAlive,
            upgrade,
        }
        messages.push(current)
        return 0
    }
    parser[onBody] = (chunk) => {
        current.body.push(Buffer.from(chunk))
    }
    parser[onMessageComplete] = () => {
        complete += 1
    }

    const outcome = parser.execute(bytes)
    parser.close()
    const failed = outcome instanceof Error
    const consumed = failed ? outcome.bytesParsed : outcome
    return {
        complete,
        messages: messages.map((message) => ({ ...message, body: Buffer.concat(message.body).toString('base64') })),
        incomplete: !failed && begun > complete,
        error: failed ? { code: outcome.code, reason: outcome.reason, offset: outcome.bytesParsed } : null,
        consumed,
    }
}

for await (const line of createInterface({ input: process.stdin })) {
    process.stdout.write(JSON.stringify(parse(Buffer.from(line, 'base64'))) + '\n')
}
