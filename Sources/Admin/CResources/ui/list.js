// A virtual list: as many elements as fit into the window, however long the list is.

import { el, icon } from "./dom.js";

const OVERSCAN = 6;

/**
 * A grid of rows of one height. `columns()` are `{name, title, class}`; `paint(node, item, index)` fills a row's element, whose
 * `cells` is a map by column. The grid has one tab stop; the row in focus is its active descendant.
 * Calls back: `onActive(item, why)`, `onOpen(item)`, `onPick(item, event)`, `onMenu(item, anchor)`, `onAway()` when the reader has left
 * the end, `onEnd()` when it has come back.
 */
export function makeGrid({ label, columns, paint, height, onActive, onOpen, onPick, onMenu, onAway, onEnd }) {
    let items = [];
    let pool = [];
    let active = null, activeIndex = -1;
    let isFollowing = false, lastTop = 0, isQueued = false;
    let shownColumns = [];

    const head = el("div", { class: "grid-head", role: "row", "aria-rowindex": 1 });
    const space = el("div", { class: "grid-space", role: "rowgroup" });
    const grid = el("div", { class: "grid", role: "grid", "aria-label": label, tabindex: 0, "aria-multiselectable": "true" },
        el("div", { role: "rowgroup", class: "grid-headgroup" }, head), space);

    const headHeight = () => head.offsetHeight;
    const viewHeight = () => grid.clientHeight - headHeight();

    function setColumns() {
        shownColumns = columns();
        head.replaceChildren(...shownColumns.map((c) => el("div", { role: "columnheader", title: c.hint, class: `cell ${c.name} ${c.class ?? ""}` },
            el("span", { class: c.isTitleHidden ? "offscreen" : "" }, c.title))));
        space.replaceChildren();
        pool = [];
        draw();
    }

    function makeRow() {
        const cells = {};
        const node = el("div", { class: "grid-row", role: "row" });
        for (const c of shownColumns) node.append(cells[c.name] = el("div", { role: "gridcell", class: `cell ${c.name} ${c.class ?? ""}` }));
        node.cells = cells;
        node.cache = {};
        node.index = -1;
        space.append(node);
        return node;
    }

    function draw() {
        isQueued = false;
        if (!grid.isConnected) return;
        const h = height();
        const total = items.length * h;
        const wanted = `${total}px`;
        if (space.style.height !== wanted) space.style.height = wanted;
        if (isFollowing) {
            grid.scrollTop = grid.scrollHeight;
            lastTop = grid.scrollTop;
        }
        const top = grid.scrollTop;
        const fit = Math.ceil(viewHeight() / h) + 1;
        const size = fit + 2 * OVERSCAN;
        const first = Math.max(0, Math.min(Math.floor(top / h) - OVERSCAN, items.length - size));
        const last = Math.min(items.length, first + size);
        while (pool.length < Math.min(size, items.length)) pool.push(makeRow());
        const seen = new Set();
        const byIndex = pool.length || 1;
        for (let i = first; i < last; i++) {
            const node = pool[i % byIndex];
            seen.add(node);
            if (node.index !== i || node.item !== items[i]) {
                node.index = i;
                node.item = items[i];
                node.id = `row-${i}`;
                node.setAttribute("aria-rowindex", i + 2);
                node.style.transform = `translateY(${i * h}px)`;
            } else if (node.h !== h) {
                node.style.transform = `translateY(${i * h}px)`;
            }
            node.h = h;
            if (node.hidden) node.hidden = false;
            paint(node, items[i], i);
            const isActive = i === activeIndex;
            if (node.isActive !== isActive) { node.isActive = isActive; node.classList.toggle("active", isActive); }
        }
        for (const node of pool) if (!seen.has(node) && !node.hidden) { node.hidden = true; node.index = -1; node.item = null; node.removeAttribute("id"); }
        const count = items.length + 1;
        if (grid.rowCount !== count) { grid.rowCount = count; grid.setAttribute("aria-rowcount", count); }
        const descendant = activeIndex >= first && activeIndex < last ? `row-${activeIndex}` : null;
        if (grid.descendant !== descendant) {
            grid.descendant = descendant;
            if (descendant) grid.setAttribute("aria-activedescendant", descendant); else grid.removeAttribute("aria-activedescendant");
        }
    }

    function queue() {
        if (isQueued) return;
        isQueued = true;
        requestAnimationFrame(draw);
    }

    grid.addEventListener("scroll", () => {
        const atEnd = grid.scrollTop + grid.clientHeight >= grid.scrollHeight - 4;
        if (atEnd && !isFollowing) onEnd?.();
        else if (isFollowing && grid.scrollTop < lastTop - 2 && !atEnd) { isFollowing = false; onAway?.(); }
        queue();
    }, { passive: true });
    grid.addEventListener("wheel", (e) => {
        if (e.deltaY < 0 && isFollowing && grid.scrollTop > 0) { isFollowing = false; onAway?.(); }
    }, { passive: true });
    const itemOf = (e) => e.target.closest?.(".grid-row")?.item;
    grid.addEventListener("click", (e) => {
        const item = itemOf(e);
        if (!item) return;
        setActive(items.indexOf(item), "click");
        onPick?.(item, e);
    });
    grid.addEventListener("contextmenu", (e) => {
        const item = itemOf(e);
        if (!item || !onMenu) return;
        e.preventDefault();
        setActive(items.indexOf(item), "menu");
        onMenu(item, { getBoundingClientRect: () => ({ left: e.clientX, bottom: e.clientY, top: e.clientY }), focus: () => grid.focus() });
    });
    const observer = new ResizeObserver(() => { draw(); });
    observer.observe(grid);

    function reveal(index) {
        const h = height();
        const top = index * h, bottom = top + h;
        if (top < grid.scrollTop) grid.scrollTop = top;
        else if (bottom > grid.scrollTop + viewHeight()) grid.scrollTop = bottom - viewHeight();
    }

    function setActive(index, why) {
        if (index < 0 || index >= items.length) return;
        activeIndex = index;
        active = items[index];
        if (why !== "menu") { isFollowing = false; onAway?.(); }
        if (why !== "click") reveal(index);
        onActive?.(active, why);
        draw();
    }

    return {
        element: grid,
        get items() { return items; },
        get active() { return active; },
        get activeIndex() { return activeIndex; },
        get isFollowing() { return isFollowing; },
        get top() { return grid.scrollTop; },
        set top(value) { grid.scrollTop = value; queue(); },
        setColumns, draw, queue, reveal,
        /** Shows a list. `grew`: it is the one of before with more at its end. */
        setItems(list, grew) {
            const before = items;
            items = list;
            if (!grew) {
                const h = height();
                // What is in sight stays where it is, even if rows above it have gone.
                if (!isFollowing && before.length) {
                    const firstIndex = Math.floor(grid.scrollTop / h);
                    const offset = grid.scrollTop - firstIndex * h;
                    let anchor = -1;
                    for (let i = firstIndex; i < Math.min(before.length, firstIndex + 60) && anchor < 0; i++) {
                        anchor = lookUp(list, before[i], i);
                        if (anchor >= 0) { space.style.height = `${list.length * h}px`; grid.scrollTop = (anchor - (i - firstIndex)) * h + offset; }
                    }
                }
                activeIndex = active ? list.indexOf(active) : -1;
                if (activeIndex < 0) active = null;
            }
            draw();
        },
        follow(value) {
            const wasFollowing = isFollowing;
            isFollowing = value;
            if (value && !wasFollowing) draw();
        },
        move(by) {
            if (!items.length) return;
            const page = Math.max(1, Math.floor(viewHeight() / height()) - 1);
            const from = activeIndex >= 0 ? activeIndex : by === Infinity || by < 0 ? items.length : Math.max(-1, Math.ceil(grid.scrollTop / height()) - 1);
            const step = by === "page" ? page : by === "-page" ? -page : by;
            const to = step === Infinity ? items.length - 1 : step === -Infinity ? 0 : from + step;
            setActive(Math.max(0, Math.min(items.length - 1, to)), "key");
        },
        setActive, open() { if (active) onOpen?.(active); },
        clearActive() { active = null; activeIndex = -1; draw(); },
        rowNode: () => pool.find((n) => n.index === activeIndex && !n.hidden),
        stop() { observer.disconnect(); },
    };
}

function lookUp(list, item, near) {
    if (!item) return -1;
    // Rows leave at the front, so that the index can only have shrunk, mostly.
    for (let i = Math.min(near, list.length - 1), stop = Math.max(0, i - 1200); i >= stop; i--) if (list[i] === item) return i;
    return list.indexOf(item);
}

/** What is marked in a row, `[icon, word]`; null where all is well. */
export function markOf(row) {
    if (row.isMarker) return null;
    if (!row.matched) return ["unmatched", "unmatched"];
    if (row.isFailed) return ["failed", "failed"];
    if (row.isFault) return ["fault", "fault"];
    if (!row.ended && !row.isOld) return row.gate ? ["held", "held"] : ["open", "open"];
    if (row.status >= 500) return ["failed", "server error"];
    if (row.status >= 400) return ["client", "client error"];
    if (row.status >= 300 && row.status !== 304) return ["redirect", "redirect"];
    return null;
}

const icons = new Map();
/** A copy of an icon, made from one that is kept. */
export function markIcon(name) {
    if (!icons.has(name)) icons.set(name, icon(name));
    return icons.get(name).cloneNode(true);
}
