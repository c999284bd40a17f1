"use strict";
// What texts of errors do not show: the values of options such as `--admin-token`, and passwords in addresses.
const { edits } = require("./options.js");

const hidden = "…";
const secretOptions = [
    "admin-token", "admin-api-basic-auth", "proxy-via", "keystore-password", "key-manager-password", "truststore-password",
    "ca-keystore-password",
];
const secretName = /pass(?!thr)|pwd|token|auth|secret|credential/;
/** USER:PASSWORD@ of an address, or USER@ behind `//`. */
const user = /(\/\/)[^\s/?#@:]*(?:@|:\S*@)|(?<=^|[\s="'])(?!\w+:\/\/)[^\s/@:="']+:\S*@/g;

/** A command line without the values of options that are secret, and a text that may repeat them, such as a message. */
function withoutSecrets(words, text = "") {
    const values = [];
    let isValue = false;
    const shown = words.map((word) => {
        const [, name, equals, value] = /^([^=]*)(=?)(.*)$/s.exec(word);
        const wasValue = isValue;
        isValue = false;
        const isKnown = secretOptions.includes(name.replace(/^-+/, ""));
        if ((equals || word.startsWith("-")) && isSecret(name) && (isKnown || !wasValue)) {
            if (equals) values.push(value);
            else isValue = true;
            return equals ? `${name}=${hidden}` : name;
        }
        if (!wasValue) return withoutUsers(word);
        values.push(word);
        return hidden;
    });
    // The password alone, too.
    const passwords = values.map((value) => /:(.*)@/s.exec(value)?.[1] || /:(.*)/s.exec(value)?.[1]);
    // Not WireMock's default, which is no secret and a word.
    const hiding = [...values, ...passwords].filter((value) => value && value !== "password");
    for (const value of hiding.sort((a, b) => b.length - a.length)) {
        text = text.replace(new RegExp(`(?<![\\w-])${value.replace(/[^\w\s]/gu, "\\$&")}(?![\\w-])`, "g"), hidden);
    }
    return { shown: shown.join(" "), text: withoutUsers(text) };
}

/** A text without the users and passwords that addresses in it have. */
function withoutUsers(text) {
    return text.replace(user, (_, slashes = "") => `${slashes}${hidden}@`);
}

/** Whether it is, abbreviates or misspells an option with a secret. */
function isSecret(option) {
    const name = option.replace(/^-+/, "");
    if (name === "ca-keystore") return false;
    const plain = (word) => word.replace(/[-_]/g, "").toLowerCase();
    const given = plain(name);
    if (secretName.test(given)) return true;
    return given.length > 1 && secretOptions.map(plain).some((known) => known.startsWith(given) || edits(given, known) <= known.length / 6);
}

module.exports = { withoutSecrets, withoutUsers };
