"""What the words of ``rt-avatar engines export`` ask for: sizes, graphs, weights.

What can be known to be missing is told before anything is made: the official sizes take hours.
"""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from rt_avatar.engines.checkpoints import WEIGHTS
from rt_avatar.engines.empatheia.export_manifest import NANO_VOICE
from rt_avatar.engines.llm.templates import TEMPLATES
from rt_avatar.engines.networks.export_files import RANDOM, manifest_of, read_tokens
from rt_avatar.engines.networks.fusion import shipped as fusion
from rt_avatar.engines.networks.graph import Graph
from rt_avatar.engines.networks.importing import ADAPTER
from rt_avatar.engines.networks.llm import shipped as shipped_llm
from rt_avatar.engines.networks.pirender import shipped as shipped_face
from rt_avatar.engines.networks.sizes import SIZES, Sizes
from rt_avatar.engines.networks.trained import read_parts, read_template
from rt_avatar.trt_builders.catalogue import Network
from rt_avatar.trt_builders.errors import BuildError
from rt_avatar.trt_builders.weights import Fill, Origin

# By network, the package's own weights of it; a file may hold parts of several.
_SHIPPED: Final[Mapping[str, Path]] = {
    "llm-nano": shipped_llm.WEIGHTS,
    "fusion-nano": fusion.WEIGHTS,
    "pirenderer-nano": shipped_face.WEIGHTS,
}
_TOKENIZERS: Final[Mapping[str, Path]] = {"llm-nano": shipped_llm.TOKENIZER}


def with_shipped(arguments: argparse.Namespace) -> argparse.Namespace:
    """Return words that name the weights of the package where no others are asked for.

    They are nano's: neither ``--random`` nor ``--trained`` was said, and a network that they are of
    is asked for, alone or with all of its size.
    """
    named = vars(arguments)
    if arguments.trained or named.get("random", False):
        return arguments
    networks = {
        name
        for word in arguments.networks
        for name in (SIZES[word].networks.values() if word in SIZES else (word,))
    }
    files = tuple(dict.fromkeys(file for name, file in _SHIPPED.items() if name in networks))
    if not files:
        return arguments
    tokenizer = next((file for name, file in _TOKENIZERS.items() if name in networks), None)
    tokenizer = named.get("tokenizer") or tokenizer
    filled = {"trained": files, "tokenizer": tokenizer, "is_shipped": True}
    return argparse.Namespace(**{**named, **filled})


def sizes_of(arguments: argparse.Namespace) -> tuple[Sizes, ...]:
    """Return the sizes that are to be exported whole."""
    if arguments.graphs:
        return ()
    return tuple(SIZES[word] for word in dict.fromkeys(arguments.networks) if word in SIZES)


def wanted(
    network: Network, graphs: tuple[Graph, ...], arguments: argparse.Namespace
) -> list[Graph]:
    """Return those that an export needs; all of a network that was itself asked for."""
    if network.name in arguments.networks or arguments.graphs:
        return list(graphs)
    needed = {name for sizes in sizes_of(arguments) for name in manifest_of(sizes, RANDOM).graphs}
    needed.add(NANO_VOICE)  # there only where it was learnt
    return [graph for graph in graphs if graph.name in needed]


def origin_of(network: Network, arguments: argparse.Namespace) -> Origin:
    """Return where a network's weights are to come from."""
    real = bool(network.weights) and not arguments.random
    models = arguments.models.expanduser() if real else None
    return Origin(models, trained_of(network, arguments), arguments.seed)


def trained_of(network: Network, arguments: argparse.Namespace) -> tuple[Path, ...]:
    """Return the files of what was trained here for a network; of the package's, its own alone."""
    if vars(arguments).get("is_shipped", False):
        return (_SHIPPED[network.name],) if network.name in _SHIPPED else ()
    return all_given(arguments.trained)


def given(path: Path | None) -> Path | None:
    """Return a path as the file system knows it."""
    return None if path is None else path.expanduser()


def all_given(paths: Sequence[Path]) -> tuple[Path, ...]:
    """Return paths as the file system knows them."""
    return tuple(path.expanduser() for path in paths)


def check_tokenizer(sizes: Sizes, arguments: argparse.Namespace) -> None:
    """Check that real words will have a real tokenizer.

    Raises:
        BuildError: There is none.
        CheckpointError: It does not fit.
    """
    tokenizer = given(arguments.tokenizer)
    if tokenizer is not None:
        read_tokens(tokenizer, sizes.llm)
    elif "llm" in sizes.weights and not arguments.random:
        raise BuildError(
            f"engines: expected --tokenizer FILE, the tokenizer.json of {sizes.llm.name} (that of "
            "any Llama 2); got none"
        )


def with_template(sizes: Sizes, arguments: argparse.Namespace) -> Sizes:
    """Return sizes with the template that their language model was trained with.

    Raises:
        BuildError: Weights that were trained here name none, or another than was asked for, or it
            is none of such a language model.
    """
    asked, part = arguments.template, read_parts(all_given(arguments.trained)).get("llm")
    stops = TEMPLATES[sizes.template].stops  # ids of its vocabulary
    known = [name for name, template in TEMPLATES.items() if template.stops == stops]
    learnt = None if part is None else read_template(part.path)
    if part is not None and not learnt and not asked:
        raise BuildError(
            f"{part.path}: expected the name of the template that its language model was trained "
            f"with; got none. Say it with --template: {' or '.join(known)}"
        )
    chosen = asked or learnt or sizes.template
    wanted = [learnt] if learnt in known else known
    if chosen not in wanted:
        raise BuildError(
            f"{sizes.name}: expected the template that its language model was trained with, "
            f"{' or '.join(wanted)}; got {chosen}. Name another with --template, or leave it away"
        )
    return replace(sizes, template=chosen)


def check_models(networks: Sequence[Network], arguments: argparse.Namespace) -> None:
    """Check that all published weights are imported, but for what is trained here.

    Raises:
        BuildError: Some are not.
        CheckpointError: What is trained here cannot be read.
    """
    parts = read_parts(all_given(arguments.trained))
    missing = []
    for network in networks:
        origin = origin_of(network, arguments)
        models = origin.models
        held = {part for part, one in parts.items() if one.path in origin.trained}
        ours = {
            name for sizes in SIZES.values() for part, name in sizes.weights.items() if part in held
        }
        needed = [name for name in network.weights if name != ADAPTER and name not in ours]
        missing += [n for n in needed if models and not (models / f"{n}{WEIGHTS}").is_file()]
    if missing:
        raise BuildError(
            f"{arguments.models}: expected imported weights; missing {', '.join(missing)}. Import "
            f"them with: rt-avatar models import {missing[0]} FILE; or take --random"
        )


def check_trained(arguments: argparse.Namespace, filled: Mapping[str, Fill]) -> None:
    """Check that what is trained here was of use.

    Raises:
        BuildError: It was not.
    """
    used = {file for fill in filled.values() for file in fill.used}
    for file in all_given(arguments.trained):
        if file not in used:
            raise BuildError(
                f"{file}: expected a part of {', '.join(filled)}; it holds none of them"
            )


def describe_weights(filled: Sequence[Fill], also_random: Sequence[str] = ()) -> str:
    """Return in a few words what parts were filled with."""
    names = list(dict.fromkeys(name for fill in filled for name in fill.digests))
    parts = list(dict.fromkeys([*(part for f in filled for part in f.random), *also_random]))
    if not names:
        return RANDOM
    return ", ".join(names) + (f"; random: {', '.join(parts)}" if parts else "")
