"""The canonicalize function, and the API's health and description: decode, call one service, encode."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any

from aws_lambda_powertools.event_handler.api_gateway import APIGatewayHttpResolver, Response
from aws_lambda_powertools.utilities.typing import LambdaContext

from feedward import __version__, bootstrap
from feedward.http.api import create_api, instance_of, json_response, log_fault
from feedward.http.body import json_object
from feedward.http.canonicalize_request import decode_request
from feedward.http.canonicalize_response import encode_answer
from feedward.http.openapi import openapi_document
from feedward.observability import logger, record_canonicalizations
from feedward.services.canonicalize_batch import BATCH_S, canonicalize_urls

Handler = Callable[[Mapping[str, Any], LambdaContext], Any]
RESERVE_S = 2.0  # of the function's time, to encode and send the answer


def make_handler(build_services: Callable[[], bootstrap.Services]) -> Handler:
    """A Lambda handler over the services that `build_services` makes, once, when they are first needed."""
    services = functools.cache(build_services)

    def canonicalize() -> Response[str]:
        request = decode_request(json_object(api().current_event.raw_event))
        within_s = min(BATCH_S, api().lambda_context.get_remaining_time_in_millis() / 1000 - RESERVE_S)
        outcomes = canonicalize_urls(
            request.urls,
            fetcher=services().fetcher,
            store=services().store,
            clock=services().clock,
            options=request.options,
            register=request.register,
            within_s=within_s,
        )
        record_canonicalizations(outcomes)
        for outcome in outcomes:
            if isinstance(outcome, Exception):
                log_fault(outcome, instance=instance_of(api()))
        return json_response(encode_answer(request, outcomes))

    @functools.cache
    def api() -> APIGatewayHttpResolver:
        return create_api(
            {
                ("POST", "/v1/canonicalize"): canonicalize,
                ("GET", "/v1/health"): lambda: json_response({"status": "ok", "version": __version__}),
                ("GET", "/v1/openapi.json"): lambda: json_response(openapi_document()),
            }
        )

    @functools.cache
    def logged() -> Handler:
        resolve: Handler = logger().inject_lambda_context(
            api().resolve, correlation_id_path="requestContext.requestId", clear_state=True
        )
        return resolve

    def handle(event: Mapping[str, Any], context: LambdaContext) -> Any:
        return logged()(event, context)

    return handle


handler = make_handler(bootstrap.services)
