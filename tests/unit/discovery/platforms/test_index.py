"""The index leads to each family of rules that knows a host, and names nothing that none of its rules has."""

from __future__ import annotations

import importlib
import pkgutil

import pytest

from feedward.discovery import platforms
from feedward.discovery.platforms.index import FAMILIES, SOFTWARE, families_of
from feedward.discovery.platforms.table import rules_of


def files_with_rules() -> set[str]:
    names = {module.name for module in pkgutil.iter_modules(platforms.__path__)}
    return {name for name in names if hasattr(importlib.import_module(f"{platforms.__name__}.{name}"), "RULES")}


def hosts_of(family: str) -> set[str]:
    """The hosts of a family's rules; for a rule for all hosts below a domain, one of them."""
    return {f"name{host}" if host.startswith(".") else host for rule in rules_of(family) for host in rule.hosts}


def leads_to(domain: str, host: str) -> bool:
    return f".{domain}" in f".{host}" if domain.endswith(".") else f".{host}".endswith(f".{domain}")


def test_every_file_of_rules_is_in_the_index() -> None:
    assert set(FAMILIES) == files_with_rules()


@pytest.mark.parametrize("family", FAMILIES)
def test_every_host_of_a_family_leads_to_it(family: str) -> None:
    assert [host for host in hosts_of(family) if family not in families_of(host)] == []


@pytest.mark.parametrize("family", FAMILIES)
def test_every_domain_of_the_index_is_there_for_a_rule(family: str) -> None:
    hosts = hosts_of(family)
    assert [each for each in FAMILIES[family].split() if not any(leads_to(each, host) for host in hosts)] == []


def test_no_domain_is_in_the_index_twice() -> None:
    domains = [domain for each in FAMILIES.values() for domain in each.split()]
    assert len(domains) == len(set(domains))


def test_the_families_with_software_for_any_host_are_those_that_recognize_a_page_in_the_same_order() -> None:
    recognizing = [each for each in FAMILIES if any(rule.generators or rule.recognizes for rule in rules_of(each))]
    assert list(SOFTWARE) == recognizing


@pytest.mark.parametrize(
    ("host", "families"),
    [
        ("github.com", ("github",)),
        ("gist.github.com", ("github",)),
        ("notgithub.com", ()),
        ("github.com.example", ()),
        ("someone.blogspot.co.uk", ("blogs",)),
        ("blogspot.example", ("blogs",)),
        ("myblogspot.com", ()),
        ("gitlab.wordpress.com", ("code", "blogs")),
        ("example.org", ()),
        ("com", ()),
        ("", ()),
    ],
)
def test_a_host_leads_to_the_families_of_its_names(host: str, families: tuple[str, ...]) -> None:
    assert families_of(host) == families
