import { el, replace } from "./dom.js";

const placeholder = (name, title) => ({
    name, title,
    mount(root) {
        replace(root, el("h1", {}, title), el("p", {}, "This view is not there yet."));
        return { update() {}, unmount() {} };
    },
});

export const faults = placeholder("faults", "Faults");
export const state = placeholder("state", "State");
export const data = placeholder("data", "Data");
export const scenarios = placeholder("scenarios", "Scenarios");
