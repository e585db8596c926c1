"""File, environment and flags → one checked ``Settings``; later ones win, in that order.

    file         YAML, sections as in the tree:     server: {port: 9000}
    environment  RT_AVATAR_<SECTION>__<KEY>:        RT_AVATAR_SERVER__PORT=9000
                 and LIVEKIT_URL, LIVEKIT_API_KEY, LIVEKIT_API_SECRET, as all LiveKit programs do
    flags        --<section>.<key>:                 --server.port 9000

A wrong key or value raises ``SetupError`` that names the key, what was expected, what came, and the
nearest right one; a renamed key the new name. Nothing is guessed and nothing unknown is ignored.
"""

import dataclasses
import difflib
import json
import os
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import UnionType
from typing import Annotated, Final, Literal, cast, get_args, get_origin, get_type_hints

from annotated_doc import Doc
from annotated_types import Interval
from pydantic import ConfigDict, TypeAdapter, ValidationError

from rt_avatar.config.renamed_keys import RENAMED_KEYS, RENAMED_VALUES
from rt_avatar.config.secrets import shown, shown_name
from rt_avatar.config.settings import Settings
from rt_avatar.config.yaml_file import read_yaml
from rt_avatar.errors import SetupError
from rt_avatar.personas import find_persona

ENV_PREFIX: Final = "RT_AVATAR_"
ENV_FILE: Final = "RT_AVATAR_CONFIG"
DEFAULT_FILE: Final = Path("rt-avatar.yaml")
# What every LiveKit program reads; a variable of our own for the same key counts more.
LIVEKIT_ENV: Final = {
    "LIVEKIT_URL": "livekit.url",
    "LIVEKIT_API_KEY": "livekit.api_key",
    "LIVEKIT_API_SECRET": "livekit.api_secret",
}
# What Kubernetes puts into every pod beside a Service called rt-avatar.
_OF_KUBERNETES: Final = re.compile(
    ENV_PREFIX + r"(SERVICE_HOST=|SERVICE_PORT(_[A-Z0-9]+)*=|PORT=\w+://"
    r"|PORT_\d+_(TCP|UDP|SCTP)(_(ADDR|PORT|PROTO))?=)"
)

_FINITE: Final = ConfigDict(allow_inf_nan=False)

Value = str | int | float | bool | None | list[str] | tuple[str, ...] | Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Key:
    """One setting.

    Attributes:
        path: ``section.name``.
        annotation: Its type with bounds, as pydantic understands it.
        expected: Its type and bounds in words.
        help: What it does.
        default: Its default value.
    """

    path: str
    annotation: object
    expected: str
    help: str
    default: Value

    @property
    def env(self) -> str:
        """Name of its environment variable."""
        section, name = self.path.split(".")
        return f"{ENV_PREFIX}{section.upper()}__{name.upper()}"


def all_keys() -> dict[str, Key]:
    """Return every key of the tree, in its order."""
    keys = {}
    for section in dataclasses.fields(Settings):
        kind = get_type_hints(Settings)[section.name]
        hints = get_type_hints(kind, include_extras=True)
        for leaf in dataclasses.fields(kind):
            path = f"{section.name}.{leaf.name}"
            hint = hints[leaf.name]
            default = cast("Value", {} if leaf.default is dataclasses.MISSING else leaf.default)
            keys[path] = Key(path, hint, _expected(hint), _help(hint), default)
    return keys


def load_settings(
    file: Path | None = None,
    environ: Mapping[str, str] | None = None,
    flags: Mapping[str, str] | None = None,
) -> Settings:
    """Read, merge and check.

    Args:
        file: YAML file; None takes ``RT_AVATAR_CONFIG`` or ``rt-avatar.yaml`` if there is one.
        environ: Environment; None takes the process's.
        flags: ``section.name`` → text.

    Raises:
        SetupError: A key or value is wrong, or the file cannot be read.
    """
    environ = os.environ if environ is None else environ
    if file is None:
        file = Path(environ[ENV_FILE]) if environ.get(ENV_FILE) else None
    if file is None and DEFAULT_FILE.is_file():
        file = DEFAULT_FILE
    given: dict[str, tuple[object, str]] = {}  # path → value, where it came from
    if file is not None:
        given |= {path: (value, str(file)) for path, value in _from_file(file).items()}
    given |= _from_environ(environ)
    given |= {path: (value, f"--{path}") for path, value in (flags or {}).items()}
    return _build(given)


def as_dict(settings: Settings, *, hide_secrets: bool = True) -> dict[str, dict[str, object]]:
    """Return the tree as plain data; ``***`` is where something is secret."""
    tree: dict[str, dict[str, object]] = dataclasses.asdict(settings)
    if hide_secrets:
        for section, keys in tree.items():
            keys.update({name: shown(f"{section}.{name}", value) for name, value in keys.items()})
    return tree


# --- sources ------------------------------------------------------------------------------------
def _from_file(file: Path) -> dict[str, object]:
    tree = read_yaml(file)
    if tree is None:
        return {}
    if not isinstance(tree, dict):
        raise SetupError(
            f"config file {file}: expected sections with keys, got {type(tree).__name__}"
        )
    values = {}
    sections = {section.name for section in dataclasses.fields(Settings)}
    for section, keys in tree.items():
        if keys is None and section in sections:
            continue  # all of its keys are comments
        if not isinstance(keys, dict):
            name = shown_name(section)
            near = name.replace(".", ": {") + ": …}"
            raise SetupError(
                f"config file {file}: {name}: expected keys with values below it, got "
                f"{type(keys).__name__}{f'; did you mean {near!r}?' if name in all_keys() else ''}"
            )
        values.update({f"{section}.{name}": value for name, value in keys.items()})
    return values


def _from_environ(environ: Mapping[str, str]) -> dict[str, tuple[object, str]]:
    given: dict[str, tuple[object, str]] = {
        path: (environ[name], name) for name, path in LIVEKIT_ENV.items() if name in environ
    }
    for name, text in environ.items():
        if _OF_KUBERNETES.match(f"{name}={text}"):
            continue
        if name.startswith(ENV_PREFIX) and name != ENV_FILE:
            section, _, key = name.removeprefix(ENV_PREFIX).partition("__")
            given[f"{section}.{key}".lower()] = (text, name)
    return given


# --- checks -------------------------------------------------------------------------------------
def _build(given: Mapping[str, tuple[object, str]]) -> Settings:
    keys = all_keys()
    sections: dict[str, dict[str, object]] = {}
    for path, (value, origin) in given.items():
        if path in RENAMED_KEYS:
            raise SetupError(f"{origin}: {path!r} is called {RENAMED_KEYS[path]!r} now")
        if path not in keys:
            name = shown_name(path)
            raise SetupError(f"{origin}: there is no setting {name!r}{_nearest(name, keys)}")
        section, name = path.split(".")
        sections.setdefault(section, {})[name] = _checked(keys[path], value, origin)
    kinds = get_type_hints(Settings)
    settings = Settings(**{name: kinds[name](**values) for name, values in sections.items()})
    _check_together(settings)
    return settings


def _checked(key: Key, value: object, origin: str) -> object:
    if isinstance(key.default, tuple) and isinstance(value, str):
        value = [part.strip() for part in value.split(",") if part.strip()]
    if key.default is None and value == "":
        value = None  # not set
    if isinstance(key.default, Mapping) and isinstance(value, str):
        with suppress(ValueError):  # then it stays text, which is refused
            value = json.loads(value)
    if "one of" in key.expected and isinstance(value, str) and value.isdecimal():
        value = int(value)  # a choice of numbers, given as text
    if "one of" in key.expected and isinstance(value, bool):
        word = "on" if value else "off"  # as YAML reads on and off without quotes
        value = word if word in _choices(key) else value
    try:
        kind = cast("type[object]", key.annotation)
        return TypeAdapter(kind, config=_FINITE).validate_python(value)
    except ValidationError:
        renamed = RENAMED_VALUES.get(key.path, {}).get(str(value))
        if renamed:
            raise SetupError(f"{origin}: {key.path}: {value!r} is called {renamed!r} now") from None
        near = ""
        if "one of" in key.expected and isinstance(value, str):
            near = _nearest(value, dict.fromkeys(map(str, _choices(key))))
        elif key.expected == "text" and isinstance(value, bool | int | float):
            near = "; put it in quotes"
        raise SetupError(
            f"{origin}: {key.path}: expected {key.expected}; got {shown(key.path, value)!r}{near}"
        ) from None


def _choices(key: Key) -> tuple[object, ...]:
    return get_args(get_args(key.annotation)[0])


def _check_together(settings: Settings) -> None:
    ends = settings.turn_detection
    if (
        not ends.preemptive_silence_ms
        <= ends.min_endpointing_delay_ms
        <= ends.max_endpointing_delay_ms
    ):
        raise SetupError(
            "turn_detection: expected preemptive_silence_ms ≤ min_endpointing_delay_ms ≤ "
            f"max_endpointing_delay_ms; got {ends.preemptive_silence_ms}, "
            f"{ends.min_endpointing_delay_ms}, {ends.max_endpointing_delay_ms}"
        )
    if ends.deactivation_threshold > ends.activation_threshold:
        raise SetupError(
            "turn_detection: expected deactivation_threshold ≤ activation_threshold; got "
            f"{ends.deactivation_threshold} and {ends.activation_threshold}"
        )
    if settings.ice.turn_urls and not settings.ice.turn_secret:
        raise SetupError(
            "ice.turn_urls: TURN needs ice.turn_secret too (coturn: static-auth-secret); got none"
        )
    if settings.llm.kind in ("empathyear", "e3rg") and not settings.llm.base_url:
        raise SetupError(
            f"llm.kind: {settings.llm.kind} needs llm.base_url, an OpenAI-compatible endpoint, "
            "e.g. http://127.0.0.1:11434/v1; got none"
        )
    if settings.llm.base_url and not settings.llm.model:
        raise SetupError("llm.base_url: llm.model is needed too; got none")
    tts = settings.tts
    if tts.kind == "openai" and not (tts.base_url and tts.model):
        raise SetupError(
            "tts.kind: openai needs tts.base_url, e.g. http://127.0.0.1:8880/v1, and "
            f"tts.model; got {'none' if not tts.base_url else 'no model'}"
        )
    if tts.base_url and not tts.base_url.startswith(("http://", "https://")):
        # Not shown: an address may hold a password.
        raise SetupError("tts.base_url: expected http:// or https://; got something else")
    network = settings.network
    if network.style_source == "reference" and not (network.voice_file and network.style_clip_file):
        raise SetupError(
            "network.style_source: reference needs network.voice_file, a recording, and "
            "network.style_clip_file, expressions; got "
            f"{'no recording' if not network.voice_file else 'no expressions'}"
        )
    find_persona(settings.avatar.persona)
    if settings.avatar.portrait and settings.avatar.face != "rig":
        raise SetupError(
            "avatar.portrait: expected avatar.face=rig with it, as a photograph takes the place of "
            f"a drawn face; got {settings.avatar.face}"
        )


# --- words --------------------------------------------------------------------------------------
def _nearest(word: str, known: Mapping[str, object]) -> str:
    name = word.split(".")[-1]  # the right key in the wrong section is the likeliest slip
    near = [path for path in known if "." in path and path.split(".")[-1] == name][:1]
    near = near or difflib.get_close_matches(word, known, n=1, cutoff=0.5)
    return f"; did you mean {near[0]!r}?" if near else ""


def _help(annotation: object) -> str:
    return next(part.documentation for part in get_args(annotation) if isinstance(part, Doc))


def _expected(annotation: object) -> str:
    kind = get_args(annotation)[0] if get_origin(annotation) is Annotated else annotation
    if get_origin(kind) is Literal:
        return "one of " + ", ".join(str(choice) for choice in get_args(kind))
    if get_origin(kind) is tuple:
        choices = ", ".join(map(str, get_args(get_args(kind)[0])))
        of_what = f" of {choices}" if choices else ""
        return f"a list{of_what} (in text: separated by commas)"
    if get_origin(kind) is Mapping:
        return "keys with values (in text: a JSON object)"
    if get_origin(kind) is UnionType:  # or None: not set
        kind = get_args(kind)[0]
    names: dict[object, str] = {
        bool: "true or false",
        int: "a whole number",
        float: "a number",
        str: "text",
    }
    words = names[kind]
    for bound in get_args(annotation):
        if isinstance(bound, Interval):
            words += _bounds(bound)
    return words


def _bounds(bound: Interval) -> str:
    parts = [
        f"{sign} {limit}"
        for sign, limit in (("≥", bound.ge), (">", bound.gt), ("≤", bound.le), ("<", bound.lt))
        if limit is not None
    ]
    return " " + " and ".join(parts)
