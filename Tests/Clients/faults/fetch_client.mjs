// Node's fetch against a list of addresses on standard input; prints what it reports for each.
import { readFileSync } from "node:fs";

const patience = Number(process.argv[2]) * 1000;

function words(error) {
    if (error.name === "TimeoutError" || error.cause?.name === "TimeoutError") return "TimeoutError";
    const cause = error.cause ? `${error.cause.code ?? error.cause.name}` : "";
    return `${error.name}: ${error.message}` + (cause ? ` (${cause})` : "");
}

async function one(address) {
    const body = [];
    try {
        const answer = await fetch(address, { signal: AbortSignal.timeout(patience) });
        for await (const piece of answer.body) body.push(...piece);
        return { status: answer.status, body };
    } catch (error) {
        return { error: words(error), body };
    }
}

const addresses = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(await Promise.all(addresses.map(one))));
process.exit(0);
