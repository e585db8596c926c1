"""Where a network's weights come from, and what became of it: imported, trained here, or random."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import torch
from torch import nn

from rt_avatar.engines.checkpoints import WEIGHTS, read_record, sha256
from rt_avatar.engines.networks.files import only_tensors, read_tree
from rt_avatar.engines.networks.importing import lazy_imported, load_imported
from rt_avatar.engines.networks.lazy_weights import LazyWeights, lazy_noise, lazy_state
from rt_avatar.engines.networks.loading import State, compare, empty, load_strict
from rt_avatar.engines.networks.trained import read_parts

Load = Callable[[Any, State], None]  # puts imported tensors into a network
TRAINED: Final = "trained here"  # in records, in the place of a published name


@dataclass(frozen=True, slots=True)
class Origin:
    """Where weights come from.

    Attributes:
        models: Folder of imported weights; None: published ones are not used.
        trained: Files of what was trained here (``engines.networks.trained``); a part that one
            holds comes from it.
        seed: Of random weights.
    """

    models: Path | None = None
    trained: tuple[Path, ...] = ()
    seed: int = 0


AT_RANDOM: Final = Origin()


class Fill:
    """Fills the parts of one network, and keeps with what.

    Attributes:
        digests: By name of the weights, of their files; of what was trained here, of each file.
        used: The files of what was trained here that a part came from.
        random: The parts that nothing was found for.
    """

    def __init__(self, origin: Origin) -> None:
        self._origin = origin
        self._trained = read_parts(origin.trained)
        self.digests: dict[str, str] = {}
        self.used: list[Path] = []
        self.random: list[str] = []

    def __call__(
        self, module: nn.Module, name: str = "", load: Load = load_strict, *, part: str = ""
    ) -> None:
        """Fill a part.

        Args:
            module: It.
            name: Of the published weights for it; "" where there are none.
            load: For weights that were not imported in the module's own names.
            part: As ``engines.networks.trained`` names it.

        Raises:
            CheckpointError: Weights are missing or do not fit.
        """
        origin = self._origin
        if part in self._trained:
            load_strict(module, self._note_trained(part))
        elif origin.models is not None and name:
            self._note(name, load_imported(module, name, origin.models, load))
        else:
            _unsettle(module)
            self.random.append(part or type(module).__name__)

    def lazily(
        self,
        module: nn.Module,
        wanted: Mapping[str, tuple[int, ...]],
        name: str,
        *,
        part: str,
        convert: Callable[[LazyWeights], LazyWeights],
    ) -> LazyWeights:
        """Return what reads a part's weights one at a time, by the module's names.

        Args:
            module: It, on the ``meta`` device.
            wanted: Keys and shapes of the published weights.
            name: Of these.
            part: As ``engines.networks.trained`` names it.
            convert: Makes the module's weights of the published ones.

        Raises:
            CheckpointError: Weights are missing or do not fit.
        """
        origin, own = self._origin, module.state_dict()
        if part in self._trained:
            state = self._note_trained(part)
            compare(type(module).__name__, own, state)
            return lazy_state(state)
        if origin.models is not None:
            file, weights = lazy_imported(name, origin.models, wanted)
            self._note(name, file)
            return convert(weights)
        self.random.append(part)
        return lazy_noise({key: tuple(value.shape) for key, value in own.items()}, origin.seed)

    def adapter(
        self, name: str, wanted: Callable[[State], Mapping[str, tuple[int, ...]]], *, onto: str
    ) -> State | None:
        """Return an adapter's tensors if it is there, made for weights that were filled in.

        Args:
            name: Of the adapter.
            wanted: Keys and shapes that it must have.
            onto: The published weights that it was made for; nothing is added to others.

        Raises:
            CheckpointError: They cannot be read, or do not fit.
        """
        models = self._origin.models
        if models is None or onto not in self.digests:
            return None
        file = models / f"{name}{WEIGHTS}"
        if not file.is_file():
            return None
        state = only_tensors(read_tree(file), str(file))
        compare(name, empty(wanted(state)), state)
        self._note(name, file)
        return state

    def _note_trained(self, part: str) -> State:
        found = self._trained[part]
        if found.path not in self.used:
            self.used.append(found.path)
            self.digests[TRAINED] = " ".join(map(sha256, self.used))
        return found.state

    def _note(self, name: str, file: Path) -> None:
        self.digests[name] = read_record(file).sha256


def _unsettle(module: nn.Module) -> None:
    """Move what begins as zeros and ones: a part that does nothing would hide a wrong graph."""
    with torch.no_grad():
        for parameter in module.parameters():
            if parameter.dim() <= 1:
                parameter.add_(0.1 * torch.randn_like(parameter))
            elif not parameter.any():  # a flow: a large one would tear pictures
                parameter.add_(1e-3 * torch.randn_like(parameter))
