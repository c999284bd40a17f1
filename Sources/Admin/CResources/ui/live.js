import { el, replace } from "./dom.js";

export default {
    name: "live", title: "Live",
    mount(root) {
        replace(root, el("h1", {}, "Live"), el("p", {}, "This view is not there yet."));
        return { update() {}, unmount() {} };
    },
};
