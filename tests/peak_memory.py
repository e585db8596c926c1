"""How much memory something takes at its peak, of this process."""

import re
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_HEADROOM_MIB = 768  # of addresses, which threads' stacks take as well: a fault takes no more


@contextmanager
def memory_for(mib: int) -> Iterator[None]:
    """Fail where what is done takes more memory than this, and stop what takes far more."""
    Path("/proc/self/clear_refs").write_text("5")  # the peak so far is what there is now
    before = _mib("VmHWM")
    limits = resource.getrlimit(resource.RLIMIT_AS)
    most = (_mib("VmSize") + mib + _HEADROOM_MIB) << 20
    resource.setrlimit(resource.RLIMIT_AS, (most, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, limits)
    taken = _mib("VmHWM") - before
    assert taken <= mib, f"expected at most {mib} MiB; it took {taken}"


def _mib(what: str) -> int:
    found = re.search(rf"^{what}:\s+(\d+) kB", Path("/proc/self/status").read_text(), re.M)
    assert found is not None
    return int(found[1]) >> 10
