"""Pages whose server-side calls are mocked for each test: pytest-playwright, see ../verify.py."""

import pytest
from playwright.sync_api import Page, expect


@pytest.mark.parametrize("n", range(6))
def test_a_page_is_rendered_from_this_tests_answer(stuntdouble, page: Page, n: int):
    stuntdouble.stub("GET /greeting", json={"text": f"Hello {n}"})
    stuntdouble.stub("GET /later", json={"text": f"later {n}"})
    stuntdouble.stub("GET /second", json={"text": f"Again {n}"})
    page.goto("/")
    expect(page.locator("h1")).to_have_text(f"Hello {n}")
    expect(page.locator("#later")).to_have_text(f"later {n}")
    page.click("a")
    expect(page.locator("h1")).to_have_text(f"Again {n}")
    expect(page.locator("#later")).to_have_text(f"later {n}")
    stuntdouble.verify("GET /greeting", 1)
    stuntdouble.verify("GET /second", 1)
    stuntdouble.verify("GET /later", 2)


def test_wanted_failure(stuntdouble, page: Page):
    stuntdouble.stub("GET /later", json={"text": "later"})
    stuntdouble.stub("GET /greetings", json={"text": "never"})
    page.goto("/")
    expect(page.locator("h1")).to_have_text("the service answered 404")
