// Chromium's WebSocket, in a page, against the checks; prints what it reports for each, and the status of the answer that opened it.
//
//     node chromium_client.mjs SECONDS BINARY PROFILE-FOLDER [FLAG…]    with the addresses on standard input
//
// With a member `page` that address is shown first, so that the browser has a connection to the server already, which may be HTTP/2.
import { readFileSync } from "node:fs";
import { open } from "../chromium.mjs";
import { checks } from "./checks.mjs";

const [patience, binary, profile, ...flags] = process.argv.slice(2);
const { base, page: shown } = JSON.parse(readFileSync(0, "utf8"));
const page = await open(binary, profile, flags);
let status;
page.on("Network.webSocketHandshakeResponseReceived", ({ response }) => (status ??= response.status));
const error = shown && (await page.show(shown));
const said = error ? { "a text": error } : await page.value(`(${checks})(${JSON.stringify(base)}, ${Number(patience) * 1000})`);
process.stdout.write(JSON.stringify({ ...said, status }), () => process.exit(0));
