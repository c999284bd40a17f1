// An application of which a browser test wants to fake the upstream: `GET /cart` asks the prices service.
//
//     UPSTREAM=http://localhost:8080 PORT=3000 node app.mjs
//
// What a test sent along (`baggage`, or the cookie `stuntdouble-session`) is kept for the time of each request, and put
// into each call that is made meanwhile. Only Node 18 or newer is needed.
import { AsyncLocalStorage } from "node:async_hooks";
import http from "node:http";

// --- the middleware: the same for Express, where it is `app.use(forwardBaggage)` ---
const current = new AsyncLocalStorage();

export function forwardBaggage(request, response, next) {
  const baggage = [request.headers.baggage].flat().filter(Boolean);
  const cookie = /(?:^|;\s*)stuntdouble-session=([^;]+)/.exec(request.headers.cookie ?? "");
  if (cookie && !baggage.some((list) => list.includes("stuntdouble-session="))) {
    baggage.push(`stuntdouble-session=${cookie[1]}`);
  }
  current.run(baggage.join(","), next);
}

// Its other half: `fetch` with what the current request brought.
export function fetchUpstream(url, options = {}) {
  const headers = new Headers(options.headers);
  const baggage = current.getStore();
  if (baggage) headers.append("baggage", baggage);
  return fetch(url, { ...options, headers });
}

// --- the application ---
async function cart(request, response) {
  // Something else in between, so that requests overlap.
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
  const answer = await fetchUpstream(`${process.env.UPSTREAM}/prices/apple`);
  response.writeHead(answer.status, { "content-type": "application/json" });
  response.end(await answer.text());
}

const server = http.createServer((request, response) => {
  forwardBaggage(request, response, () => {
    cart(request, response).catch((error) => response.writeHead(502).end(String(error)));
  });
});
server.listen(Number(process.env.PORT ?? 3000), "127.0.0.1", () => {
  console.log(`listening on ${server.address().port}`);
});
