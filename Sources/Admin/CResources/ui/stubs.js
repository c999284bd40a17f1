import { el, replace } from "./dom.js";

export default {
    name: "stubs", title: "Stubs",
    mount(root) {
        replace(root, el("h1", {}, "Stubs"), el("p", {}, "This view is not there yet."));
        return { update() {}, unmount() {} };
    },
};
