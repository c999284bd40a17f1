// The search of the site, its menu on small screens, and the buttons that copy an example. No network but the index.
"use strict";

const root = document.documentElement.dataset.root;
const input = document.querySelector(".search input");
const results = document.querySelector(".results");
let chosen = -1;

function loadIndex() {
    loadIndex.promise ??= new Promise((resolve, reject) => {
        const script = document.createElement("script");
        script.src = `${root}/search-index.js`;
        script.onload = () => resolve(window.searchIndex.map(([url, title, heading, text]) => ({
            url, title, heading, text,
            words: [title, heading, text].map((part) => part.toLowerCase()),
        })));
        script.onerror = reject;
        document.head.append(script);
    });
    return loadIndex.promise;
}

// A term counts most in a title, then in a heading, then in the text; a whole word more than the beginning of one, and
// that more than a part. Every term must be there.
function score(entry, terms) {
    let total = 0;
    for (const term of terms) {
        let best = 0;
        entry.words.forEach((words, place) => {
            const at = words.indexOf(term);
            if (at < 0) return;
            const begins = at === 0 || !/[\p{L}\p{N}_]/u.test(words[at - 1]);
            const ends = !/[\p{L}\p{N}_]/u.test(words[at + term.length] ?? " ");
            const weight = [12, 9, 3][place] * (begins ? (ends ? 3 : 2) : 1);
            best = Math.max(best, weight + (place === 2 ? Math.min(words.split(term).length - 2, 4) : 0));
        });
        if (!best) return 0;
        total += best;
    }
    return entry.heading === entry.title ? total + 4 : total;
}

function marked(text, terms) {
    const span = document.createElement("span");
    const pattern = new RegExp(`(${terms.map((t) => t.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")})`, "ig");
    text.split(pattern).forEach((piece, index) => {
        if (index % 2 === 0) return span.append(piece);
        const mark = document.createElement("mark");
        mark.textContent = piece;
        span.append(mark);
    });
    return span;
}

function excerpt(entry, terms) {
    const places = terms.map((term) => entry.words[2].indexOf(term)).filter((at) => at >= 0);
    const from = Math.max(0, (places.length ? Math.min(...places) : 0) - 60);
    return (from ? "… " : "") + entry.text.slice(from, from + 180) + (entry.text.length > from + 180 ? " …" : "");
}

async function search() {
    const terms = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    chosen = -1;
    if (!terms.length) return (results.hidden = true);
    const entries = await loadIndex();
    const found = entries
        .map((entry) => ({ entry, points: score(entry, terms) }))
        .filter((hit) => hit.points)
        .sort((a, b) => b.points - a.points)
        .slice(0, 12);
    results.replaceChildren(...found.map(({ entry }) => {
        const link = document.createElement("a");
        link.href = `${root}/${entry.url}`;
        const where = document.createElement("div");
        where.className = "where";
        where.append(marked(entry.heading, terms));
        if (entry.heading !== entry.title) {
            const page = document.createElement("span");
            page.className = "page";
            page.textContent = ` · ${entry.title}`;
            where.append(page);
        }
        const text = document.createElement("div");
        text.className = "text";
        text.append(marked(excerpt(entry, terms), terms));
        link.append(where, text);
        return link;
    }));
    if (!found.length) {
        const nothing = document.createElement("p");
        nothing.textContent = "Nothing found.";
        results.append(nothing);
    }
    results.hidden = false;
}

function choose(step) {
    const links = [...results.querySelectorAll("a")];
    if (!links.length) return;
    chosen = (chosen + step + links.length) % links.length;
    links.forEach((link, index) => link.classList.toggle("chosen", index === chosen));
    links[chosen].scrollIntoView({ block: "nearest" });
}

input.addEventListener("input", search);
input.addEventListener("focus", () => input.value && search());
input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") choose(1);
    else if (event.key === "ArrowUp") choose(-1);
    else if (event.key === "Escape") { results.hidden = true; input.blur(); }
    else return;
    event.preventDefault();
});
document.querySelector(".search").addEventListener("submit", (event) => {
    event.preventDefault();
    (results.querySelectorAll("a")[Math.max(chosen, 0)])?.click();
});
document.addEventListener("click", (event) => {
    if (!event.target.closest(".search")) results.hidden = true;
    else if (event.target.closest(".results a")) results.hidden = true;
});
document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.target.matches("input, textarea")) return;
    event.preventDefault();
    input.focus();
});

const menu = document.querySelector(".menu");
menu.addEventListener("click", () => {
    menu.setAttribute("aria-expanded", document.querySelector("nav.pages").classList.toggle("open"));
});

// What a reader types: of a dialogue the commands without the prompt and the answers.
for (const example of document.querySelectorAll(".example")) {
    const button = document.createElement("button");
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
        const text = example.querySelector("code").textContent;
        const commands = text.split("\n").filter((line) => line.startsWith("$ ")).map((line) => line.slice(2));
        await navigator.clipboard.writeText(commands.length ? commands.join("\n") : text);
        button.textContent = "Copied";
        setTimeout(() => (button.textContent = "Copy"), 1500);
    });
    example.append(button);
}

// `?q=…` in the address of a page searches at once.
const query = new URLSearchParams(location.search).get("q");
if (query) { input.value = query; search(); }
