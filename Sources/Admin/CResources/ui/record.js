import { el, replace } from "./dom.js";

export default {
    name: "record", title: "Record",
    mount(root) {
        replace(root, el("h1", {}, "Record"), el("p", {}, "This view is not there yet."));
        return { update() {}, unmount() {} };
    },
};
