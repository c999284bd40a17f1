// Node's WebSocket against the checks; prints what it reports for each. Run with --experimental-websocket on a Node that has none yet.
//
//     node node_client.mjs SECONDS    with the addresses on standard input
import { readFileSync } from "node:fs";
import { checks } from "./checks.mjs";

const { base } = JSON.parse(readFileSync(0, "utf8"));
const said = await checks(base, Number(process.argv[2]) * 1000);
process.stdout.write(JSON.stringify(said), () => process.exit(0));
