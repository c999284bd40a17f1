import { el, replace } from "./dom.js";
export default {
    name: "requests", title: "Requests",
    mount(root) {
        replace(root, el("h1", {}, "Requests"));
        return { update() {}, unmount() {} };
    },
};
