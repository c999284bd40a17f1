// The requests that the page knows: a ring of the newest, and of older ones those that went wrong.

export const RING = 10_000;
export const KEPT = 1_000;
const CUT = 500;

/** What a marker row in the list says: the daemon was restarted, a gap, a session's end. */
export class Marker {
    constructor(at, text, kind) { this.at = at; this.text = text; this.kind = kind; this.isMarker = true; }
}

const strings = new Map();
/** One copy of a string that many rows have. */
function shared(text) {
    if (text === undefined || text === null) return undefined;
    const found = strings.get(text);
    if (found !== undefined) return found;
    if (strings.size > 5000) strings.clear();
    strings.set(text, text);
    return text;
}
const objects = new Map();
function sharedObject(value, key) {
    if (!value) return undefined;
    const found = objects.get(key);
    if (found && JSON.stringify(found) === JSON.stringify(value)) return found;
    if (objects.size > 5000) objects.clear();
    objects.set(key, value);
    return value;
}

/** One request of the list. `stub`, `session` and short strings are shared between rows. */
export class Row {
    constructor(d) {
        this.id = d.id;
        this.sequence = d.sequence;
        this.at = d.at;
        this.method = shared(d.method);
        this.url = d.url ?? "";
        this.matched = d.wasMatched !== false;
        this.status = d.status;
        this.stub = sharedObject(d.stub, "stub " + d.stub?.id);
        this.session = sharedObject(d.session, "session " + d.session?.id);
        this.delayMs = d.delayMs;
        this.protocol = shared(d.protocol);
        this.host = shared(d.host);
        this.clientIp = shared(d.clientIp);
        this.type = shared(d.type);
        this.gate = shared(d.gate);
        this.proxied = d.proxied === true;
        this.ended = false;
        this.durationMs = undefined;
        this.size = undefined;
        this.cut = undefined;
        this.end = undefined;
        this.fault = undefined;
        this.faults = undefined;
        this.failure = undefined;
        this.isOld = false;
        this.isShown = false;
        if ("end" in d) this.finish(d);
    }

    /** Takes over what a `response` event says. */
    finish(d) {
        this.ended = d.end !== undefined && d.end !== null;
        if (d.status !== undefined) this.status = d.status;
        this.durationMs = d.durationUs !== undefined ? d.durationUs / 1000 : d.durationMs;
        this.size = d.bytesSent;
        this.cut = d.bodyBytesSent;
        this.end = shared(d.end);
        this.fault = shared(d.fault);
        this.faults = d.faults?.length ? d.faults : undefined;
        this.failure = shared(d.failure);
        if (d.type !== undefined) this.type = shared(d.type);
        if (d.proxied === true) this.proxied = true;
    }

    get isFailed() { return this.failure !== undefined; }
    get isFault() { return this.fault !== undefined || this.faults !== undefined || this.end === "faultApplied"; }
    get isSpecial() { return !this.matched || this.failure !== undefined || this.isFault; }
    get isOpen() { return !this.ended; }

    /** What the client got, in a word: a status, `reset`, `cut at 4 B`, `none`. */
    get answer() {
        const word = FAULTS[this.fault];
        if (word) return word;
        if (this.end === "faultApplied") {
            const isReset = this.faults?.some((f) => f.then === "rst");
            if (!this.size) return isReset ? "reset" : "none";
            return this.cut === undefined ? String(this.status) : `cut at ${this.cut} B`;
        }
        if (this.status === 0 || this.status === undefined) return this.isFault ? "none" : "";
        return String(this.status);
    }
}

const FAULTS = { CONNECTION_RESET_BY_PEER: "reset", EMPTY_RESPONSE: "none", MALFORMED_RESPONSE_CHUNK: "garbage", RANDOM_DATA_THEN_CLOSE: "garbage" };

/** What the faults that acted on a request are called. */
export function faultNames(row) {
    const list = (row.faults ?? []).map((f) => (typeof f === "string" ? f : [f.fault, f.name && `(${f.name})`].filter(Boolean).join(" ")));
    if (row.fault && !list.includes(row.fault)) list.push(row.fault);
    return list.join(", ");
}

/** Builds the store. One a page: `rows`. */
export function makeRows() {
    let list = [];
    let byId = new Map();
    /** Rows that have not ended, by id: also those that the list has dropped. */
    let open = new Map();
    /** How many rows at the front are older than the ring. */
    let front = 0;
    let seconds = [], skips = [];
    let second = 0, skipped = 0;
    const endedSessions = new Set();
    const durations = new Float64Array(2000);
    let durationCount = 0;
    const listeners = new Set();
    let isScheduled = false;
    const store = {
        /**
         * All rows and markers, the oldest first. Changes in place: `generation` grows when rows come before others or many leave, `removed`
         * is the number of those that the ring has dropped, which have `isGone`.
         */
        get list() { return list; },
        generation: 0, removed: 0, received: 0, receivedUnmatched: 0, unmatched: 0, unmatchedOwn: 0, held: 0, rate: 0, p95: null, isEmptied: false, skippedRate: 0, day: null,
        find: (id) => byId.get(id) ?? open.get(id),
        /** The requests that have not ended. */
        get open() { return open; },
        onChange(fn) { listeners.add(fn); return () => listeners.delete(fn); },
        changed() {
            if (isScheduled) return;
            isScheduled = true;
            schedule(() => { isScheduled = false; for (const fn of [...listeners]) fn(); });
        },
        request(d) {
            const known = store.find(d.id);
            if (known) return known;
            const row = new Row(d);
            const day = new Date(row.at).toDateString();
            if (store.day && store.day !== day) push(new Marker(row.at, day, "day"));
            store.day = day;
            push(row);
            byId.set(row.id, row);
            if (!row.ended) open.set(row.id, row);
            store.received++;
            second++;
            if (!row.matched) { store.unmatched++; store.receivedUnmatched++; }
            if (list.length >= RING + front + CUT) trim();
            return row;
        },
        response(d) {
            const row = byId.get(d.id) ?? open.get(d.id);
            if (!row) return;
            row.finish(d);
            if (row.ended) open.delete(row.id);
            // How long somebody held it says nothing of how fast it was.
            if (row.durationMs !== undefined && row.gate === undefined) durations[durationCount++ % durations.length] = row.durationMs;
            store.onFinish?.(row);
        },
        /** Rows of before the stream, the newest first. */
        older(items) { insert(items.map((d) => new Row(d))); },
        marker(text, kind, at = Date.now()) { push(new Marker(at, text, kind)); store.changed(); },
        gap(d) { store.marker(`Some requests are missing here: ${d.reason}${d.requestsUpTo ? `, up to #${d.requestsUpTo}` : ""}`, "gap"); },
        dropped(d) { const n = d.count ?? d.requests ?? d.dropped ?? 0; second += n; skipped += n; },
        session(d) {
            if (d.change !== "ended" || endedSessions.has(d.id)) return;
            endedSessions.add(d.id);
            for (const [id, row] of open) if (row.session?.id === d.id) open.delete(id);
            store.marker(`session ${d.name ?? d.id} ended${d.verdict ? `: ${d.verdict}` : ""}`, d.verdict === "failed" ? "failed" : "session");
        },
        /** The journal was emptied: what is listed is gone from the daemon. */
        emptied(d) {
            if (!list.length) return;
            const own = d.session?.id;
            list = list.filter((r) => !r.isMarker && r.session?.id !== own);
            recount();
            store.generation++;
            store.isEmptied = true;
            store.changed();
        },
        restarted(at) {
            for (const row of list) row.isOld = true;
            open = new Map();
            durationCount = 0;
            const d = new Date(at);
            push(new Marker(at, `daemon restarted ${String(d.getHours()).padStart(2, "0")}:${String(d.getMinutes()).padStart(2, "0")}`, "restart"));
            recount();
            store.generation++;
            store.changed();
        },
        /** Forgets all, as if the page were new. */
        clear() {
            list = [];
            byId = new Map();
            open = new Map();
            front = 0;
            seconds = [];
            skips = [];
            second = skipped = durationCount = 0;
            Object.assign(store, { received: 0, receivedUnmatched: 0, unmatched: 0, isEmptied: false, isLoaded: false, day: null });
            store.generation++;
        },
        /** Once a second: rates, percentiles, and how many are held; with `isOwn` only what belongs to no session counts. */
        tick(isOwn) {
            seconds.push(second);
            skips.push(skipped);
            second = skipped = 0;
            if (skips.length > 5) skips.shift();
            if (seconds.length > 5) seconds.shift();
            store.rate = seconds.reduce((a, b) => a + b, 0) / seconds.length;
            store.skippedRate = skips.reduce((a, b) => a + b, 0) / skips.length;
            const n = Math.min(durationCount, durations.length);
            store.p95 = n ? durations.slice(0, n).sort()[Math.min(n - 1, Math.floor(n * 0.95))] : null;
            store.held = 0;
            for (const row of open.values()) if (row.gate && !(isOwn && row.session)) store.held++;
            if (isOwn) store.unmatchedOwn = list.reduce((n, row) => n + (row.matched === false && !row.session ? 1 : 0), 0);
        },
    };

    function push(row) { list.push(row); }

    function insert(fresh) {
        const added = fresh.filter((row) => !byId.has(row.id)).map((row) => open.get(row.id) ?? row);
        if (!added.length) return;
        for (const row of added) {
            byId.set(row.id, row);
            if (!row.ended) open.set(row.id, row);
        }
        list = [...list, ...added].sort((a, b) => (a.at ?? 0) - (b.at ?? 0) || (a.sequence ?? 0) - (b.sequence ?? 0));
        recount();
        store.generation++;
        store.changed();
    }

    // Drops ordinary rows from the front, and of the others all but the newest.
    function trim() {
        const dropped = list.slice(0, list.length - RING);
        const stay = dropped.filter((row) => row.isMarker || row.isSpecial || row.gate && open.has(row.id)).slice(-KEPT);
        const stays = new Set(stay);
        for (const row of dropped) {
            if (stays.has(row)) continue;
            row.isGone = true;
            if (row.isMarker) continue;
            byId.delete(row.id);
            if (!row.gate) open.delete(row.id);
            if (!row.matched) store.unmatched--;
        }
        list.splice(0, dropped.length, ...stay);
        front = stay.length;
        store.removed += dropped.length - stay.length;
    }

    function recount() {
        front = 0;
        const live = new Map();
        let unmatched = 0;
        for (const row of list) {
            if (row.isMarker) continue;
            live.set(row.id, row);
            if (!row.matched) unmatched++;
        }
        byId = live;
        store.unmatched = unmatched;
    }

    return store;
}

const schedule = typeof requestAnimationFrame === "function" ? (fn) => requestAnimationFrame(fn) : (fn) => setTimeout(fn, 16);

export const rows = makeRows();
