// Pages whose server-side calls are mocked for each test: Playwright's fixtures, see ../verify.py.
import { expect, test } from "stuntdouble-server/playwright";

const text = async (page, selector, wanted) => {
    await page.locator(selector).filter({ hasText: wanted }).waitFor();
    expect(await page.locator(selector).textContent()).toBe(wanted);
};

for (let n = 0; n < 6; n++) {
    test(`a page is rendered from this test's answer ${n}`, async ({ page, stuntdouble }) => {
        await stuntdouble.stub("GET /greeting", { json: { text: `Hello ${n}` } });
        await stuntdouble.stub("GET /later", { json: { text: `later ${n}` } });
        await stuntdouble.stub("GET /second", { json: { text: `Again ${n}` } });
        await page.goto("/");
        await text(page, "h1", `Hello ${n}`);
        await text(page, "#later", `later ${n}`);
        await page.click("a");
        await text(page, "h1", `Again ${n}`);
        await text(page, "#later", `later ${n}`);
        await stuntdouble.verify("GET /greeting", { count: 1 });
        await stuntdouble.verify("GET /second", { count: 1 });
        await stuntdouble.verify("GET /later", { count: 2 });
    });
}

test("wanted failure", async ({ page, stuntdouble }) => {
    await stuntdouble.stub("GET /later", { json: { text: "later" } });
    await stuntdouble.stub("GET /greetings", { json: { text: "never" } });
    await page.goto("/");
    await text(page, "h1", "the service answered 404");
});
