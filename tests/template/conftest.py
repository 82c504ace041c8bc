"""The gate needs no account, but the translator wants to know a region's partition."""

from __future__ import annotations

import os

import pytest


@pytest.fixture(autouse=True, scope="session")
def _region() -> None:
    os.environ.setdefault("AWS_DEFAULT_REGION", "eu-central-1")
