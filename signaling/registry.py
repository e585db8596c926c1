"""The calls of this process: who is let in, who is on the line, who has gone. Owns their tasks."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Final

from rt_avatar.errors import AdmissionError
from rt_avatar.memory import give_back, trim_often
from rt_avatar.signaling.call import Call, over_error
from rt_avatar.signaling.closing import Closing
from rt_avatar.signaling.load import LoadMeter
from rt_avatar.signaling.server_context import ServerContext
from rt_avatar.signaling.tokens import Ticket

_log = logging.getLogger(__name__)

# A person has one connection and may have reloaded once while it was being made. Everybody behind
# one proxy or NAT shares this, for the seconds that connecting takes.
MAX_HALF_OPEN_PER_ADDRESS: Final = 2
# Ended calls are remembered so that their tokens do not open them again; tokens live two minutes.
MAX_ENDED: Final = 10_000


class Registry:
    """An async context manager: on leaving it, all calls are over.

    Attributes:
        load_meter: Of this process.
        is_draining: Whether nobody is let in any more.
        on_change: Is told whose calls there are, by address, when one has begun or ended.
        count_elsewhere: Returns how many calls of an address other processes of this server have.
        calls_elsewhere: Returns how many calls they have in all.
    """

    def __init__(self, context: ServerContext) -> None:
        self.load_meter = LoadMeter(
            context.metrics, lambda: self.sessions, lambda: self.calls_elsewhere()
        )
        self.is_draining = False
        self.on_change: Callable[[Sequence[str]], None] = lambda addresses: None
        self.count_elsewhere: Callable[[str], int] = lambda address: 0
        self.calls_elsewhere: Callable[[], int] = lambda: 0
        self._context = context
        self._calls: dict[str, Call] = {}
        self._ended: OrderedDict[str, None] = OrderedDict()
        self._has_changed = asyncio.Event()
        self._group = asyncio.TaskGroup()
        self._closing = Closing()
        self._side: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> "Registry":
        """Begin to measure the load, and to give back what calls leave free."""
        await self._closing.__aenter__()
        await self._group.__aenter__()
        side = (self.load_meter.run(), trim_often())
        self._side = [self._group.create_task(one) for one in side]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """End all calls and wait for them."""
        self.is_draining = True
        for task in self._side:
            task.cancel()
        for call in self._calls.values():
            call.end("draining")
        try:
            await self._group.__aexit__(kind, error, traceback)
        finally:
            await self._closing.__aexit__(None, None, None)

    @property
    def sessions(self) -> int:
        """How many places are taken."""
        return len(self._calls)

    def find(self, session_id: str) -> Call | None:
        """Return a call that is going on."""
        return self._calls.get(session_id)

    def check_room(self, address: str) -> None:
        """Refuse when nobody more can be served well, or not from there.

        Raises:
            AdmissionError: Full, overloaded or draining, or enough calls are that address's.
        """
        server = self._context.settings.server
        if self.is_draining:
            raise AdmissionError("the server is closing; call again in a minute", reason="draining")
        if len(self._calls) >= server.max_sessions:
            raise AdmissionError(
                f"all {server.max_sessions} lines are busy; call again when one is free "
                "(server.max_sessions)",
                reason="full",
            )
        most, addresses = server.max_sessions_per_client, self._addresses()
        if most and addresses.count(address) + self.count_elsewhere(address) >= most:
            raise AdmissionError(
                f"expected at most {most} calls of one address, got one more; call again when one "
                "is over (server.max_sessions_per_client)",
                reason="too_many_calls",
            )
        # The first caller is always let in: there is no call to protect yet, and on one's own
        # machine it may be the browser itself that keeps the cores busy.
        is_first = not self._calls and not self.calls_elsewhere()
        if not is_first and (load := self.load_meter.load_with_one_more) > server.max_load:
            raise AdmissionError(
                f"the machine is too busy for one more call: with it a load of {load:.0%}, at "
                f"most {server.max_load:.0%} (server.max_load); call again in a moment",
                reason="overloaded",
            )

    async def answer(self, ticket: Ticket, address: str, offer: str) -> str:
        """Answer an offer: of a call that is going on, or of a new one if there is room.

        Raises:
            AdmissionError: No room, or the call is over.
            BadInputError: The offer cannot be answered; a new call leaves nothing behind.
        """
        call = self._calls.get(ticket.session_id)
        if call is not None:
            return await call.answer(offer)
        if ticket.session_id in self._ended:
            raise over_error()
        self.check_room(address)
        self._check_half_open(address)
        call = self._calls[ticket.session_id] = Call(ticket, address, self._context, self._closing)
        try:
            answer = await call.answer(offer)
        except BaseException:
            del self._calls[ticket.session_id]
            self._tell()  # others that have begun meanwhile counted it
            self._has_changed.set()
            raise
        self._group.create_task(self._run(call), name=f"call {call.id}")
        return answer

    async def drain(self, seconds: float) -> None:
        """Let nobody in any more, tell those on the line, and wait until they have gone."""
        self.is_draining = True
        text = f"The server closes in {seconds:.0f} seconds. Please finish, or call again later."
        for call in self._calls.values():
            call.notify("draining", text)
        try:
            async with asyncio.timeout(seconds):
                await self.idle()
        except TimeoutError:
            _log.info("%d calls did not end by themselves", len(self._calls))

    async def idle(self) -> None:
        """Wait until no call is going on."""
        while self._calls:
            self._has_changed.clear()
            await self._has_changed.wait()

    def _check_half_open(self, address: str) -> None:
        waiting = sum(
            call.address == address and not call.has_begun for call in self._calls.values()
        )
        if waiting >= MAX_HALF_OPEN_PER_ADDRESS:
            raise AdmissionError(
                f"offer: expected at most {MAX_HALF_OPEN_PER_ADDRESS} connections being made from "
                "one address, got one more; wait until they are up, or gone after 15 s",
                reason="too_many_offers",
            )

    async def _run(self, call: Call) -> None:
        self._tell()
        reason = "internal"
        try:
            reason = await call.run()
        except Exception:  # the last boundary: in the group it would end every other call as well
            _log.exception("call failed at its end", extra={"session": call.id})
        finally:
            del self._calls[call.id]
            self._ended[call.id] = None
            if len(self._ended) > MAX_ENDED:
                self._ended.popitem(last=False)
            self._tell()
            self._has_changed.set()
        self._context.metrics.count_ended(reason)
        _log.info("call over: %s", reason, extra={"session": call.id})
        if not self._calls:  # nobody hears it
            await asyncio.to_thread(give_back)

    def _tell(self) -> None:
        self._context.metrics.sessions.set(len(self._calls))
        self.on_change(self._addresses())

    def _addresses(self) -> list[str]:
        return [call.address for call in self._calls.values()]
