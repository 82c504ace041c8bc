"""The whole stack on this machine: MiniStack with template.yaml deployed into it, the front, the logs, the demo.

`serve.py` runs it for a person, the tests run it for themselves.
"""

from __future__ import annotations

import contextlib
import http.client
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import NoReturn

from feedward_local.aws.ministack import MiniStack, stop_left_over
from feedward_local.aws.save_watch import SaveWatch
from feedward_local.console import Console
from feedward_local.demo.deployment import DEMO_HANDLER, DEMO_SOURCES, INTERNET_FILE, INTERNET_VARIABLE, PHASE_FILE
from feedward_local.demo.hub import PUBLIC_BASE_URL
from feedward_local.demo.server import DemoInternet
from feedward_local.demo.sites import Sites
from feedward_local.deployment.build import Target, build
from feedward_local.deployment.deploy import (
    Deployment,
    deploy,
    deployed_digest,
    local_parameters,
    open_api,
    open_index,
    open_queues,
    resources,
)
from feedward_local.deployment.package import FUNCTION, LAYER, Template, read_template, sources
from feedward_local.deployment.routes import Resource
from feedward_local.direct import ask_directly, first_key, warm_first_view
from feedward_local.errors import LocalStackError
from feedward_local.gateway import Gateway
from feedward_local.lock import RunLock
from feedward_local.logs import LogFollower
from feedward_local.workspace import Workspace, check_set_up, ministack_python_version

# A request for each function with a known answer. It must reach the tables.
WARMING = {"/v1/health": 200, f"/v1/sites/{64 * '0'}": 404, f"/v1/feeds/{26 * '0'}": 404}
# With enforced keys the front must refuse these, and the functions are warmed up behind it.
REFUSALS = {
    "/v1/health": (None, 200),
    f"/v1/feeds/{26 * '0'}": (None, 401),
    f"/v1/sites/{64 * '0'}": ("Bearer no", 403),
}
OPEN = {"API_AUTH": "open"}
# The hub of the made-up internet reaches the stack under a made-up name.
HUBS_REACH_IT = {"PublicBaseUrl": PUBLIC_BASE_URL}
AUTHORIZER = "AuthorizeFunction"  # it fetches nothing
WARM_WITHIN_S = 180.0
ENDS_WITHIN_S = 1.0
TOO_BUSY = (None, 503, 504)


class LocalStack:
    """Started by `start`, ended by `stop`, which keeps the state and leaves no process behind."""

    def __init__(
        self,
        workspace: Workspace,
        *,
        port: int,
        demo: bool = False,
        with_keys: bool = False,
        sites: Sites | None = None,
        console: Console | None = None,
        parameters: Mapping[str, str] | None = None,
        iam: bool = False,
        uninterrupted: Callable[[], AbstractContextManager[None]] = contextlib.nullcontext,
    ) -> None:
        """`port` 0 takes any free one. `demo` adds the made-up internet, the only one that the functions can reach.

        `with_keys` enforces keys as API Gateway does; the first start with them shows an operator's key.
        `sites` replaces the made-up internet of the sites files. `parameters` are those of the template.
        `iam` enforces the functions' roles.
        `uninterrupted` is a context in which no signal becomes an exception; its end raises that of an earlier signal.
        """
        self.workspace, self.demo, self.with_keys = workspace, demo, with_keys
        self.console, self._uninterrupted = console or Console(), uninterrupted
        self.ministack: MiniStack | None = None
        self._port, self._sites = port, sites
        self._parameters, self._iam = parameters or {}, iam
        self._ending = contextlib.ExitStack()

    def start(self) -> str:
        """Start everything and return the address. Raises LocalStackError, with nothing left running."""
        try:
            return self._start()
        except BaseException as error:
            is_told = isinstance(error, LocalStackError) or not isinstance(error, Exception)
            ministack_ended = not is_told and self.ministack is not None and self.ministack.has_ended(ENDS_WITHIN_S)
            self.stop()
            if ministack_ended:
                raise self._ministack_ended() from error
            raise

    def _start(self) -> str:
        check_set_up(self.workspace)
        template = read_template(self.workspace.template)
        parameters = local_parameters(template, {**(HUBS_REACH_IT if self.demo else {}), **self._parameters})
        lock = self._ending.enter_context(RunLock(self.workspace.state))
        gateway = self._bind()
        if stop_left_over(self.workspace):
            self.console.line("stopped a MiniStack that a killed run had left behind")
        if self.demo:
            self._start_internet(gateway)
        ministack = self._launch()
        deployment = self._build(template, parameters)
        with self.console.step("starting MiniStack"):
            ministack.wait_until_ready()
        self._deploy(ministack, deployment)
        self._serve(gateway, ministack)
        lock.note(gateway.url)
        return gateway.url

    def _bind(self) -> Gateway:
        try:
            gateway = Gateway(self._port)
        except OSError as error:
            raise self._port_taken(error) from None
        self._ending.callback(gateway.server_close)
        return gateway

    def _port_taken(self, error: OSError) -> LocalStackError:
        other = self._port + 1 if 1024 <= self._port < 65535 else 8081
        return LocalStackError(
            f"Port {self._port} of 127.0.0.1 cannot be used ({error.strerror}). Stop what uses it, or choose another: "
            f"`make {'demo' if self.demo else 'run'} PORT={other}`."
        )

    def _start_internet(self, gateway: Gateway) -> None:
        internet = DemoInternet(self._sites, phase_file=self.workspace.state / PHASE_FILE)
        internet.hub.front = ("127.0.0.1", gateway.server_port)
        self._ending.callback(internet.stop)
        with self.console.step(f"starting the made-up internet: {len(internet.sites.hosts)} hosts"):
            internet.start()
            internet.network.write(self.workspace.state / INTERNET_FILE)

    def _launch(self) -> MiniStack:
        """Start MiniStack while the layer is built."""
        with self._uninterrupted():
            self.ministack = MiniStack(self.workspace, self._variables())
            self._ending.callback(self._stop_ministack, self.ministack)
        return self.ministack

    def _variables(self) -> dict[str, str]:
        internet = {INTERNET_VARIABLE: str(self.workspace.state / INTERNET_FILE)} if self.demo else {}
        return internet | ({"AUTH": "true"} if self._iam else {})

    def _stop_ministack(self, ministack: MiniStack) -> None:
        with self.console.step("saving the state and stopping MiniStack"):
            saved = ministack.stop()
        if not saved:
            self.console.line(
                "The state could not be saved: the writes since the last save are lost. The reason is at the end of "
                f"{ministack.log}"
            )

    def _build(self, template: Template, parameters: Mapping[str, str]) -> Deployment:
        """Build changed sources."""
        target = Target(python=self.workspace.ministack_python, python_version=ministack_python_version(self.workspace))
        archives: dict[str, Path] = {}
        for layer in sources(template, LAYER):
            with self.console.step(f"building the layer {layer.logical_id}"):
                archives[layer.logical_id] = build(self.workspace, layer, target)
        for function in sources(template, FUNCTION):
            extra = DEMO_SOURCES if self.demo else {}
            archives[function.logical_id] = build(self.workspace, function, target, extra)
        return Deployment(
            template=template,
            archives=archives,
            handlers=self._demo_handlers(template),
            parameters=parameters,
            variables={} if self.with_keys else OPEN,
        )

    def _demo_handlers(self, template: Template) -> dict[str, str]:
        if not self.demo:
            return {}
        fetching = (each.logical_id for each in sources(template, FUNCTION) if each.logical_id != AUTHORIZER)
        return dict.fromkeys(fetching, DEMO_HANDLER)

    def _deploy(self, ministack: MiniStack, deployment: Deployment) -> None:
        if deployed_digest(ministack) == deployment.digest:
            self.console.line("nothing changed since the last deployment")
            return
        with self.console.step(f"deploying {len(deployment.template['Resources'])} resources of template.yaml"):
            deploy(ministack, deployment)

    def _serve(self, gateway: Gateway, ministack: MiniStack) -> None:
        try:
            made = resources(ministack)
            gateway.open_to(ministack.port, open_api(ministack, made, with_keys=self.with_keys))
            open_queues(ministack, made)
        except OSError as error:
            raise self._port_taken(error) from None
        serving = threading.Thread(target=gateway.serve_forever, args=(0.1,), name="gateway", daemon=True)
        serving.start()
        self._ending.callback(gateway.end)
        self._follower = LogFollower(ministack.client("logs"), self.console, self.workspace.state / "functions.log")
        self._follower.start()
        self._ending.callback(self._follower.stop)
        open_index(ministack, made)
        with self.console.step("warming up the functions"):
            self._warm(gateway.url, ministack, made)
        gateway.said = self._said
        if self.with_keys:
            self._show_key(ministack, made)

    def _warm(self, url: str, ministack: MiniStack, made: Mapping[str, Resource]) -> None:
        self._expect(f"{url}/", 200)  # the page, which is open to all
        if self.with_keys:
            for path, (key, status) in REFUSALS.items():
                self._expect(url + path, status, key=key)
            for path in WARMING:
                ask_directly(ministack, made, path)
        else:
            for path, status in WARMING.items():
                self._expect(url + path, status)
        warm_first_view(ministack, made)

    def _show_key(self, ministack: MiniStack, made: Mapping[str, Resource]) -> None:
        """Show an operator's key when it is created: only its hash is stored."""
        key = first_key(ministack, made)
        if key is None:
            self.console.line("keys are enforced; the operator's key was shown when it was created")
        else:
            self.console.line(f"keys are enforced; this is the operator's key, shown only once:\n  {key}")

    def _expect(self, url: str, status: int, *, key: str | None = None) -> None:
        """Send a request to the API, which starts a worker, so that the first caller finds it warm.

        The workers of a stack that was stopped during work start at the same time, so this may take long.
        """
        ends_at = time.monotonic() + WARM_WITHIN_S
        found, said = _asked(url, key)
        while found in TOO_BUSY and time.monotonic() < ends_at:
            found, said = _asked(url, key)
        if found != status:
            if self.ministack is not None and self.ministack.has_ended(ENDS_WITHIN_S):
                raise self._ministack_ended()
            raise LocalStackError(
                f"The API does not work: GET {url} answers {found} and not {status}: {said[:500]}\n"
                "If the code is right, the kept state may not fit it: move away the folder "
                f"{self.workspace.state}, and start again."
            )

    def _said(self, line: str) -> None:
        self.console.line(line)
        self._follower.look()

    def wait(self) -> NoReturn:
        """Wait for a signal's exception. Raises LocalStackError if MiniStack ends unexpectedly."""
        ministack = self.ministack
        assert ministack is not None
        watch = SaveWatch(ministack.fails_to_save, self.console.line, ministack.log)
        while ministack.running:
            with self._uninterrupted():  # ends with a signal whose exception Python has dropped, such as in a finalizer
                watch.look()
            time.sleep(0.5)
        raise self._ministack_ended()

    def _ministack_ended(self) -> LocalStackError:
        log = self.workspace.state / "ministack.log"
        return LocalStackError(f"MiniStack ended unexpectedly. The end of {log} may say why.")

    def stop(self) -> None:
        """Stop everything that was started, in reverse order; the state is saved. A second call does nothing."""
        self._ending.close()

    def __enter__(self) -> str:
        return self.start()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.stop()


def _asked(url: str, key: str | None) -> tuple[int | None, str]:
    """The status and text of an answer; None and the error without one."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        opener.addheaders += [("authorization", key)] if key else []
        with opener.open(url, timeout=30) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()
    except (OSError, http.client.HTTPException) as error:
        return None, str(error)
