"""A tenant's name and its end (rules TN3, TN11)."""

from __future__ import annotations

import pytest

from feedward.access.tenant import Tenant, going, tenant_name
from feedward.errors import InvalidInput


@pytest.mark.parametrize("name", ["a", "acme", "acme-2", "0", "-", "a" * 64])
def test_a_name_has_small_letters_digits_and_hyphens(name: str) -> None:
    assert tenant_name(name) == name


@pytest.mark.parametrize("name", ["", "a" * 65, "_self", "Acme", "a b", "a#b", "a/b", "ä", "a\n", "٣"])
def test_any_other_name_is_refused(name: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        tenant_name(name, "tenant")
    assert refused.value.field == "tenant"


def test_the_mark_of_a_deletion_keeps_its_first_time() -> None:
    tenant = Tenant(tenant_id="acme", created_at=1)
    marked = going(tenant, now=5)
    assert (tenant.is_gone, marked.is_gone, marked.deleting_since) == (False, True, 5)
    assert going(marked, now=9) == marked
