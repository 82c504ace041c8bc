"""The client's time-outs (rule M10). Retries are those of Tables, which knows how much time there is."""

from __future__ import annotations

import pytest

from feedward.adapters.dynamodb.store.client import dynamodb_client


def test_a_call_gives_up_within_the_time_that_a_url_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
    client = dynamodb_client(endpoint_url="http://127.0.0.1:9")
    config = client.meta.config
    client.close()
    assert 1 <= config.connect_timeout <= 2  # type: ignore[attr-defined]
    assert 3 <= config.read_timeout <= 5  # type: ignore[attr-defined]
    assert config.retries == {"mode": "standard", "total_max_attempts": 1}  # type: ignore[attr-defined]
    assert config.max_pool_connections >= 25  # type: ignore[attr-defined]
