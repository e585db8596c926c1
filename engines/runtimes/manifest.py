"""What a TensorRT plan was built from and for: one JSON beside each plan.

A plan runs on the GPU and the TensorRT that it was built with, nowhere else. Its manifest says so
before the library would crash on it.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Final

SUFFIX: Final = ".json"
# In the place of a GPU's name, for plans that were built for all of them.
SINCE_AMPERE: Final = "any NVIDIA GPU since Ampere"
_AMPERE: Final = 8  # generation
Shapes = dict[str, tuple[tuple[int, ...], ...]]  # input -> (min, opt, max), again for each profile


class ManifestError(ValueError):
    """The file beside a plan is missing, or no manifest."""


@dataclass(frozen=True, slots=True)
class PlanManifest:
    """One plan.

    Attributes:
        name: Of the graph.
        gpu: Its name, as the driver tells it; or ``SINCE_AMPERE``.
        tensorrt: Version that built it.
        precision: ``fp32`` or ``fp16`` (fp16 where that is safe).
        shapes: By input, the smallest, the usual and the largest shape, one triple a profile.
        graph_sha256: Of the ONNX file.
        checkpoint_sha256: Of the weights' file; "" for weights made at random.
        tools: Versions of the packages that made the ONNX file.
        size_bytes: Of the plan.
    """

    name: str
    gpu: str
    tensorrt: str
    precision: str
    shapes: Shapes
    graph_sha256: str
    checkpoint_sha256: str
    tools: Mapping[str, str]
    size_bytes: int = 0

    def differences(self, wanted: "PlanManifest") -> list[str]:
        """Return in words in what this plan differs from the one wanted; size does not count."""
        differences = []
        for field in fields(self):
            have, want = getattr(self, field.name), getattr(wanted, field.name)
            if field.name != "size_bytes" and have != want:
                differences.append(
                    f"{field.name.replace('_', ' ')}: plan has {have}, wanted {want}"
                )
        return differences

    def is_for(self, gpu: str, generation: int) -> bool:
        """Return whether it runs on a GPU of this name and generation."""
        return self.gpu == gpu or (self.gpu == SINCE_AMPERE and generation >= _AMPERE)

    def write(self, plan: Path) -> None:
        """Write the manifest beside ``plan``."""
        text = json.dumps(asdict(self), indent=2, sort_keys=True) + "\n"
        plan.with_suffix(SUFFIX).write_text(text, encoding="utf-8")


def read_manifest(plan: Path) -> PlanManifest:
    """Return the manifest beside ``plan``.

    Raises:
        ManifestError: There is none, or it is none.
    """
    path = plan.with_suffix(SUFFIX)
    mend = "Build the plan anew with: rt-avatar engines build"
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        names = {field.name for field in fields(PlanManifest)}
        if not isinstance(data, dict) or set(data) != names:
            raise ValueError(f"expected the keys {', '.join(sorted(names))}")
        data["shapes"] = {
            name: tuple(tuple(int(size) for size in shape) for shape in shapes)
            for name, shapes in data["shapes"].items()
        }
        return PlanManifest(**data)
    except FileNotFoundError as error:
        raise ManifestError(f"{plan}: expected {path.name} beside it, got none. {mend}") from error
    except (ValueError, TypeError, AttributeError) as error:
        raise ManifestError(
            f"{path}: expected the manifest of a plan, got {error}. {mend}"
        ) from error
