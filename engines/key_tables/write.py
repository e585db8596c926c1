"""Write the key tables anew from the modules: ``python -m rt_avatar.engines.key_tables.write``.

Kokoro's tensors are LJSpeech's without diffusion and style encoders, and need no table.
"""

import json
from collections.abc import Mapping
from pathlib import Path


def main() -> None:
    """Write one file a checkpoint."""
    from rt_avatar.engines.networks.dreamtalk.weights import key_table as denoiser
    from rt_avatar.engines.networks.pirender.weights import key_table as renderer
    from rt_avatar.engines.networks.styletts2.config import LIBRITTS, LJSPEECH
    from rt_avatar.engines.networks.styletts2.official import key_table

    for config in (LJSPEECH, LIBRITTS):
        write(f"styletts2_{config.name}", key_table(config))
    write("dreamtalk_denoiser", denoiser())
    write("pirender_renderer", renderer())


def write(name: str, table: Mapping[str, Mapping[str, tuple[int, ...]]]) -> None:
    """Write a checkpoint's parts, a key a line, so that a change can be read."""
    parts = []
    for part, keys in table.items():
        lines = [f"{json.dumps(key)}: {json.dumps(list(shape))}" for key, shape in keys.items()]
        parts.append(f"{json.dumps(part)}: {{\n" + ",\n".join(lines) + "\n}")
    path = Path(__file__).with_name(f"{name}.json")
    path.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
