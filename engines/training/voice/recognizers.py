"""Recognizers of phones that hear, while a voice learns, whether its words are still understood.

Two, so that what would please one by chance does not please both; what they hear has noise and
another colour every time, as rooms and microphones give it, so that nothing can be hidden there.
"""

import logging
from typing import Final

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from rt_avatar.engines.nano_tts.tokens import SYMBOLS
from rt_avatar.engines.networks.nano_tts.phone_recognizer import PhoneRecognizer
from rt_avatar.engines.training.schedule import write_state
from rt_avatar.engines.training.voice.dataset import LOW_BANDS
from rt_avatar.engines.training.voice.loop import Plan
from rt_avatar.engines.training.voice.losses import RESOLUTIONS, low_mel, magnitudes
from rt_avatar.engines.training.voice.store import Store

_log = logging.getLogger(__name__)
_COUNT: Final = 2
_STEPS: Final = 700
_BATCH: Final = 48
_HELD_OUT: Final = 64
_RATE: Final = 1e-3
_SMOOTHING: Final = 0.1  # of labels: an alignment errs by a frame or two
_NOISE_DB: Final = (8.0, 40.0)  # below the sound
_COLOUR: Final = 0.6  # deviation of ln mel bands, smooth over them
_WAVES: Final = 4  # of a colour


class Recognizers:
    """Trained, and as they are from then on.

    Args:
        networks: Each hears the same.
    """

    def __init__(self, networks: nn.ModuleList) -> None:
        self._networks = networks.eval().requires_grad_(False)

    def compare(
        self, ours: Tensor, real: Tensor, symbols: Tensor, chance: torch.Generator
    ) -> tuple[Tensor, Tensor]:
        """Return the entropy of phones in ours, and how far it is from recordings to their ears.

        Args:
            ours: (B, 300 n); the first rows say what the recordings do, in the same frames.
            real: (A, 300 n) recordings.
            symbols: (B, n) what is said.
            chance: Noise and colours.
        """
        count = len(real)
        mel = _heard_mel(torch.cat([ours, real]), chance, pairs=count)
        words, heard = [], []
        for network in self._networks:
            logits, features = network(mel)
            rows = len(ours)
            wanted = torch.cat(
                [
                    logits[rows:].softmax(dim=2),
                    F.one_hot(symbols[count:], SYMBOLS).to(logits),
                ]
            )
            words.append(-(wanted * logits[:rows].log_softmax(dim=2)).sum(dim=2).mean())
            heard += [
                (one[:count] - one[rows:]).abs().mean() / one[rows:].abs().mean()
                for one in features
            ]
        return torch.stack(words).mean(), torch.stack(heard).mean()


def train_recognizers(sentences: Store, held_out: Store, plan: Plan) -> Recognizers:
    """Return recognizers of what the recordings say; trained once, then kept in ``plan.work``.

    Raises:
        OSError: They cannot be written; no part of them stays.
    """
    where = sentences.device
    torch.manual_seed(plan.seed)
    networks = nn.ModuleList(PhoneRecognizer(LOW_BANDS, SYMBOLS) for _ in range(_COUNT)).to(where)
    path = plan.work / "recognizers.pt"
    if path.exists():
        networks.load_state_dict(torch.load(path, map_location=where, weights_only=True))
        return Recognizers(networks)
    optimizer = torch.optim.AdamW(networks.parameters(), lr=_RATE, weight_decay=0.02)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, _RATE, total_steps=_STEPS)
    for step in range(_STEPS):
        chance = torch.Generator(where).manual_seed((plan.seed << 32) + step)
        crops = sentences.crops(_BATCH, chance)
        mel = _heard_mel(crops.sound, chance)
        symbols = crops.frames["symbol"].long()
        loss = sum(
            F.cross_entropy(network(mel)[0].transpose(1, 2), symbols, label_smoothing=_SMOOTHING)
            for network in networks
        )
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
    networks.eval()
    crops = held_out.some(_HELD_OUT)
    with torch.inference_mode():
        mel = _heard_mel(crops.sound, torch.Generator(where).manual_seed(0))
        right = torch.stack(
            [
                (one(mel)[0].argmax(dim=2) == crops.frames["symbol"].long()).float().mean()
                for one in networks
            ]
        )
    _log.info("phones of held-out frames recognized: %s", [round(x, 3) for x in right.tolist()])
    write_state(path, networks.state_dict())
    return Recognizers(networks)


def _heard_mel(sound: Tensor, chance: torch.Generator, pairs: int = 0) -> Tensor:
    """Return ln mel (B, n, LOW_BANDS) of sound (B, 300 n) in noise and of another colour.

    The last ``pairs`` rows have the noise and the colour of as many first ones.
    """
    where, rows = sound.device, len(sound) - pairs
    low, high = _NOISE_DB

    def drawn(*size: int) -> Tensor:
        values = torch.randn(rows, *size, generator=chance, device=where)
        return torch.cat([values, values[:pairs]])

    def even() -> Tensor:
        values = torch.rand(rows, 1, generator=chance, device=where)
        return torch.cat([values, values[:pairs]])

    level = sound.detach().square().mean(dim=1, keepdim=True).sqrt()
    decibels = low + (high - low) * even()
    noisy = sound + drawn(sound.shape[1]) * level * 10 ** (-decibels / 20)
    mel = low_mel(magnitudes(noisy, *RESOLUTIONS[0]) ** 2)[:, :-1]
    places = torch.linspace(0.0, torch.pi, LOW_BANDS, device=where)
    waves = torch.cos(torch.arange(1, _WAVES + 1, device=where)[:, None] * places)
    colour = drawn(_WAVES) @ waves * (_COLOUR / _WAVES**0.5)
    return mel + colour[:, None]
