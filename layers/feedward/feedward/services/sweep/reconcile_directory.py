"""The whole reconcile pass of the directory: events, merges, discoveries and subscriptions (rule I7).

The health check runs it; in a deployment without checks (Refresh=false), discover does.
"""

from __future__ import annotations

from typing import Protocol

from feedward.services.subscribe.subscribe import SubscriptionPorts
from feedward.services.sweep.reconcile import ReconcilePorts, ReconcileReport, reconcile
from feedward.services.sweep.resend_pending import resend_pending


class DirectoryPorts(ReconcilePorts, SubscriptionPorts, Protocol):
    """The ports of both."""


def reconcile_directory(*, ports: DirectoryPorts, within_s: float) -> ReconcileReport:
    """Finish work that has been pending for a minute or more. Returns a report; raises no store or queue error."""
    subscriptions = {"subscriptions": lambda left_s: resend_pending(ports=ports, within_s=left_s).resumed}
    return reconcile(ports=ports, further=subscriptions, within_s=within_s)
