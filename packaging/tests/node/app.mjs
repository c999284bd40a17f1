// A little application: a page that is rendered from what a service answers. It passes the caller's `baggage` on, and so the
// identity of the test that looks at the page.
//
//     UPSTREAM=http://127.0.0.1:8080 node app.mjs PORT-FILE
import { renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";

const page = (greeting) => `<!doctype html><title>Greetings</title><link rel=icon href=data:,>
<h1>${greeting}</h1><p id=later></p><a href=/second>second</a>
<script>fetch("/api/later").then((answer) => answer.text()).then((text) => document.getElementById("later").textContent = text)</script>`;

async function upstream(request, path) {
    const { baggage } = request.headers;
    const answer = await fetch(process.env.UPSTREAM + path, { headers: baggage ? { baggage } : {} });
    return answer.ok ? (await answer.json()).text : `the service answered ${answer.status}`;
}

const server = createServer(async (request, response) => {
    if (request.url === "/api/later") {
        response.end(await upstream(request, "/later"));
    } else {
        const greeting = await upstream(request, request.url === "/" ? "/greeting" : request.url);
        response.setHeader("Content-Type", "text/html; charset=utf-8").end(page(greeting));
    }
});
server.listen(0, "127.0.0.1", () => {
    const [file] = process.argv.slice(2);
    writeFileSync(`${file}.new`, String(server.address().port));
    renameSync(`${file}.new`, file);
});
