import { el, replace } from "./dom.js";

const placeholder = (name, title) => ({
    name, title,
    mount(root) {
        replace(root, el("h1", {}, title), el("p", {}, "This view is not there yet."));
        return { update() {}, unmount() {} };
    },
});

export default placeholder("sessions", "Sessions");
export const report = placeholder("report", "Report");
