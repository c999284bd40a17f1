// Asks for a URL through a proxy as undici does, and prints the body: node_client.mjs PROXY-PORT CA-FILE URL. An absolute target for http,
// CONNECT for https; fetch by itself takes HTTP_PROXY from Node 24 on (NODE_USE_ENV_PROXY=1).
import fs from "node:fs";
import http from "node:http";
import tls from "node:tls";

const [port, authority, url] = process.argv.slice(2);
const target = new URL(url);

function print(answer) {
    answer.setEncoding("utf8");
    answer.on("data", (text) => process.stdout.write(text));
    answer.on("end", () => process.exit(0));
}

function fail(reason) {
    process.stdout.write(String(reason));
    process.exit(1);
}

if (target.protocol === "http:") {
    http.get({ host: "127.0.0.1", port, path: url, headers: { host: target.host } }, print).on("error", fail);
} else {
    const place = `${target.hostname}:${target.port || 443}`;
    const connect = http.request({ host: "127.0.0.1", port, method: "CONNECT", path: place });
    connect.on("connect", (answer, socket) => {
        if (answer.statusCode !== 200) fail(`CONNECT: ${answer.statusCode}`);
        const secured = tls.connect({ socket, servername: target.hostname, ca: fs.readFileSync(authority) }, () => {
            http.get({ createConnection: () => secured, path: target.pathname, headers: { host: target.host } }, print);
        });
        secured.on("error", fail);
    });
    connect.on("error", fail);
    connect.end();
}
