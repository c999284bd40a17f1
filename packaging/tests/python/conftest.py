import os

import pytest


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    return {**browser_type_launch_args, "executable_path": os.environ["CHROMIUM"], "args": ["--no-sandbox"]}


@pytest.fixture(scope="session")
def base_url():
    return os.environ["APP"]
