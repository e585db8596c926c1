"""Load official state dicts strictly: ``Mapping[str, Tensor]`` → a torch module's parameters.

The reference loaders of our networks retry with ``strict=False`` and so hide a wrong file. Here
every key of the module must be there with its shape, and every key of the file must be wanted;
what a file may carry besides is named by the caller, pattern by pattern.

Norms that are only a way to write a weight (weight normalisation, spectral normalisation) are
folded into the weight before loading, so that a network at inference time has plain layers.
"""

from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Final

import torch
from torch import Tensor, nn

from rt_avatar.engines.checkpoints_errors import CheckpointError

State = dict[str, Tensor]  # key -> tensor, as nn.Module.state_dict gives it

# What torch's parametrizations call the tensors of weight norm and spectral norm, and what these
# were called before, as in the published files.
_OLD_NAMES: Final = {
    ".parametrizations.weight.original0": ".weight_g",
    ".parametrizations.weight.original1": ".weight_v",
    ".parametrizations.weight.original": ".weight_orig",
    ".parametrizations.weight.0._u": ".weight_u",
    ".parametrizations.weight.0._v": ".weight_v",
}


def load_strict(
    module: nn.Module,
    state: Mapping[str, Tensor],
    *,
    strip_prefix: str = "",
    allow: Sequence[str] = (),
    rename: Callable[[str], str] | None = None,
) -> None:
    """Copy a state dict into ``module``, key for key and shape for shape.

    Args:
        module: The network; on the ``meta`` device its parameters become the given tensors
            themselves, without a copy.
        state: The checkpoint's tensors. It is not changed.
        strip_prefix: Removed when *every* key bears it (``"module."`` of a parallel wrapper);
            a file where only some keys do is left as it is, and told by its keys.
        allow: Patterns (``fnmatch``) of keys, after stripping and before renaming, that are
            dropped when present and not missed when absent.
        rename: Maps a key of the checkpoint to the module's key.

    Raises:
        CheckpointError: The state does not fit; the module is unchanged. The message names the
            first keys missing, unexpected and misshapen, with the shapes expected and got.
    """
    what = type(module).__name__
    given: State = {}
    for key, tensor in strip(state, strip_prefix).items():
        if any(fnmatchcase(key, pattern) for pattern in allow):
            continue
        name = rename(key) if rename else key
        if name in given:
            raise CheckpointError(f"{what}: two keys become {name}, the second is {key}")
        given[name] = tensor
    wanted = module.state_dict()
    compare(what, wanted, given)
    if any(tensor.is_meta for tensor in wanted.values()):
        fitted = {key: given[key].to(tensor.dtype) for key, tensor in wanted.items()}
        module.load_state_dict(fitted, strict=True, assign=True)
    else:
        module.load_state_dict(given, strict=True)


def compare(what: str, wanted: Mapping[str, Tensor], given: Mapping[str, Tensor]) -> None:
    """Raise unless ``given`` has the keys of ``wanted``, their shapes and kinds, and no more.

    Raises:
        CheckpointError: With all that is missing, unexpected or misshapen.
    """
    misshapen = [
        (key, describe(tensor), describe(given[key]))
        for key, tensor in wanted.items()
        if key in given and not _fits(tensor, given[key])
    ]
    missing = [key for key in wanted if key not in given]
    unexpected = [key for key in given if key not in wanted]
    if missing or unexpected or misshapen:
        raise CheckpointError(
            f"{what}: {len(wanted)} tensors expected, {len(given)} got",
            missing=missing,
            unexpected=unexpected,
            misshapen=misshapen,
            mend="Is it the file of this network, at this size, and complete?",
        )


def empty(shapes: Mapping[str, tuple[int, ...]]) -> State:
    """Return tensors of these shapes, without memory for numbers."""
    return {key: torch.empty(shape, device="meta") for key, shape in shapes.items()}


def strip(state: Mapping[str, Tensor], prefix: str) -> State:
    """Return the state without ``prefix`` where every key bears it, else as it is."""
    if prefix and state and all(key.startswith(prefix) for key in state):
        return {key[len(prefix) :]: tensor for key, tensor in state.items()}
    return dict(state)


def old_norm_names(state: Mapping[str, Tensor]) -> State:
    """Return the state with the norms' tensors named as before torch's parametrizations.

    Raises:
        CheckpointError: A tensor is there by both names.
    """
    out: State = {}
    for key, tensor in state.items():
        name = next(
            (key.removesuffix(new) + old for new, old in _OLD_NAMES.items() if key.endswith(new)),
            key,
        )
        if name in out:
            raise CheckpointError(f"norm: expected {name} once; the second is {key}")
        out[name] = tensor
    return out


def fold_norms(state: Mapping[str, Tensor]) -> State:
    """Return the state with weight norm and spectral norm folded into plain weights.

    ``X.weight_g`` with ``X.weight_v`` become ``X.weight = g v / |v|``, the norm over all dimensions
    but the one that ``g`` keeps (the first nearly always, HuBERT's positions the last).
    ``X.weight_orig`` with ``X.weight_u`` and ``X.weight_v`` become
    ``X.weight = weight_orig / (u' W v)``. Both may have the names of ``old_norm_names``. The name
    clash is settled by what else is there: beside ``weight_orig``, ``weight_v`` is a singular
    vector; beside ``weight_g`` it is a direction. Computed in float64, given back in the type of
    the checkpoint. Keys of neither kind pass through.

    Raises:
        CheckpointError: One half of a pair is missing, or its shape cannot belong to the weight.
    """
    out: State = {}
    state = old_norm_names(state)
    for key, tensor in state.items():
        if key.endswith(".weight_orig"):
            name = key.removesuffix("_orig")
            u, v = _partner(state, key, f"{name}_u"), _partner(state, key, f"{name}_v")
            out[name] = _spectral(key, tensor, u, v)
        elif key.endswith(".weight_u"):
            _partner(state, key, key.removesuffix("_u") + "_orig")
        elif key.endswith(".weight_g"):
            name = key.removesuffix("_g")
            out[name] = _directed(key, tensor, _partner(state, key, f"{name}_v"))
        elif key.endswith(".weight_v"):
            name = key.removesuffix("_v")
            if f"{name}_orig" not in state:
                _partner(state, key, f"{name}_g")
        else:
            out[key] = tensor
    return out


def describe(tensor: Tensor) -> str:
    """Return a tensor's shape, and its type where it is not a float, as an error shows it."""
    shape = "x".join(map(str, tensor.shape)) or "scalar"
    return shape if tensor.is_floating_point() else f"{shape} {tensor.dtype}"


def _fits(wanted: Tensor, got: Tensor) -> bool:
    same_kind = wanted.is_floating_point() == got.is_floating_point()
    return bool(wanted.shape == got.shape and same_kind)


def _partner(state: Mapping[str, Tensor], key: str, partner: str) -> Tensor:
    if partner not in state:
        raise CheckpointError(f"norm of {key} is incomplete", missing=[partner])
    return state[partner]


def _directed(key: str, g: Tensor, v: Tensor) -> Tensor:
    kept = [axis for axis in range(v.dim()) if g.shape == _kept_alone(v, axis)]
    if not kept:
        expected = describe(v.new_empty(_kept_alone(v, 0)))
        raise CheckpointError("weight norm", misshapen=[(key, expected, describe(g))])
    wide = v.to(torch.float64)
    norm = wide.transpose(0, kept[0]).flatten(1).norm(dim=1).reshape(g.shape)
    return (wide * (g.to(torch.float64) / norm)).to(v.dtype)


def _kept_alone(tensor: Tensor, axis: int) -> tuple[int, ...]:
    return (*(1,) * axis, int(tensor.shape[axis]), *(1,) * (tensor.dim() - axis - 1))


def _spectral(key: str, weight: Tensor, u: Tensor, v: Tensor) -> Tensor:
    matrix = weight.to(torch.float64).flatten(1)
    if u.shape != matrix.shape[:1] or v.shape != matrix.shape[1:]:
        expected = f"u of {matrix.shape[0]}, v of {matrix.shape[1]}"
        got = f"u of {describe(u)}, v of {describe(v)}"
        raise CheckpointError("spectral norm", misshapen=[(key, expected, got)])
    sigma = u.to(torch.float64) @ matrix @ v.to(torch.float64)
    return (weight.to(torch.float64) / sigma).to(weight.dtype)
