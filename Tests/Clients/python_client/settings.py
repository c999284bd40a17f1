"""Checks of the resource GlobalSettings."""

from wiremock.client import GlobalSetting, GlobalSettings

from .checks import check, transport
from .mappings import add


@check("settings: a delay for all")
def delay(server):
    add("/a", "one")
    server.ask("update", GlobalSettings.update_global_settings, GlobalSetting(fixed_delay=120))
    server.ask("shown", transport, "get", "/settings")
    server.timed("late", 0.12, "/a")
    server.ask("no delay", GlobalSettings.update_global_settings, GlobalSetting(fixed_delay=0))
    server.ask("shown again", transport, "get", "/settings")
    server.serve("served", "/a")


@check("settings: nothing set")
def nothing(server):
    server.ask("update", GlobalSettings.update_global_settings, GlobalSetting())
    server.ask("shown", transport, "get", "/settings")
    server.ask("by the base class", GlobalSettings._retreive_one, None, None, {})


@check("settings: what is wrong")
def wrong(server):
    server.ask("a delay that is no number", GlobalSettings.update_global_settings, GlobalSetting(fixed_delay="long"))
    server.ask("an unknown setting", GlobalSettings.update_global_settings, {"slowness": 3})
    server.ask("shown", transport, "get", "/settings")


@check("settings: any dictionary")
def dictionary(server):
    server.ask("update", GlobalSettings.update_global_settings, {
        "fixedDelay": 5, "delayDistribution": {"type": "uniform", "lower": 1, "upper": 2}, "extended": {"mine": {"a": 1}}})
    server.ask("shown", transport, "get", "/settings")


@check("settings: a reset leaves them")
def reset(server):
    server.ask("update", GlobalSettings.update_global_settings, GlobalSetting(fixed_delay=7))
    server.ask("reset", transport, "post", "/reset")
    server.ask("shown", transport, "get", "/settings")
