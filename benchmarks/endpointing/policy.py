"""Scores of silences → what a policy makes of them: turns cut off against the time waited.

A policy has three knobs, as in LiveKit's eot-bench (https://github.com/livekit/eot-bench, README,
"Evaluation Model"): a *threshold* of the probability from which the turn is taken, an *action
delay*, the shortest silence after which that may happen, and a *timeout*, the silence after which
it is taken anyway. All combinations are tried.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

# Holds outside of these say nothing about a policy: shorter ones are within the action delay of
# all, longer ones are no pause of a turn. As in eot-bench.
MIN_HOLD_S: Final = 0.2
MAX_HOLD_S: Final = 5.0
STEP_S: Final = 0.032
STEPS: Final = 100  # 3.2 s
TIMEOUTS_S: Final[NDArray[np.float64]] = np.arange(4, STEPS + 1, dtype=np.float64) * STEP_S
THRESHOLDS: Final = np.concatenate([np.arange(0.02, 0.9, 0.02), np.arange(0.9, 1.0, 0.01)])


@dataclass(frozen=True, slots=True, eq=False)
class Silence:
    """One silence of a turn, with what a detector thought in it.

    Attributes:
        turn: Index of the turn.
        length_s: How long it was; of an end, how long it could be waited.
        is_end: Whether the turn was over.
        scores: (n,) probability that the turn is over, every ``STEP_S`` from its beginning on.
    """

    turn: int
    length_s: float
    is_end: bool
    scores: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """What the policies of one detector achieve. All (policies,).

    Attributes:
        wait_s: Mean silence behind a turn until it was taken for over.
        holds_cut: Share of holds in which the turn was taken for over.
        turns_cut: Share of turns with at least one such hold.
    """

    wait_s: NDArray[np.float64]
    holds_cut: NDArray[np.float64]
    turns_cut: NDArray[np.float64]

    def wait_ms_at(self, share: float, *, of_turns: bool = False) -> float:
        """Return the shortest mean wait with at most that share cut off; NaN if there is none."""
        allowed = (self.turns_cut if of_turns else self.holds_cut) <= share
        return float(1000 * self.wait_s[allowed].min()) if allowed.any() else float("nan")

    def cut_at(self, wait_s: float, *, of_turns: bool = False) -> float:
        """Return the least share cut off with at most that mean wait; NaN if there is none."""
        allowed = self.wait_s <= wait_s
        cut = self.turns_cut if of_turns else self.holds_cut
        return float(cut[allowed].min()) if allowed.any() else float("nan")

    def frontier(self) -> list[tuple[float, float]]:
        """Return (share of holds cut, wait in s) of the policies that none other beats."""
        points, best = [], float("inf")
        for index in np.lexsort((self.wait_s, self.holds_cut)):
            if self.wait_s[index] < best:
                best = float(self.wait_s[index])
                points.append((float(self.holds_cut[index]), best))
        return points


def sweep(
    silences: Sequence[Silence],
    thresholds: NDArray[np.float64] = THRESHOLDS,
    timeouts: NDArray[np.float64] = TIMEOUTS_S[::3],
) -> Curve:
    """Return what all policies make of the silences.

    Args:
        silences: Of all turns; holds too short or too long are left out.
        thresholds: To try.
        timeouts: To try, in s.
    """
    kept = [one for one in silences if one.is_end or MIN_HOLD_S <= one.length_s <= MAX_HOLD_S]
    kept.sort(key=lambda one: one.turn)
    is_end = np.array([one.is_end for one in kept])
    _, of_turn = np.unique([one.turn for one in kept], return_index=True)
    length = np.array([one.length_s for one in kept])
    scores = np.full((len(kept), STEPS), -1.0)
    for row, one in zip(scores, kept, strict=True):
        row[: min(STEPS, len(one.scores))] = one.scores[:STEPS]
    time_s = np.arange(1, STEPS + 1, dtype=np.float64) * STEP_S
    delays = np.arange(2, STEPS // 2, 2)  # steps before which nothing happens
    found: list[tuple[float, ...]] = []
    for threshold in thresholds:
        over = scores >= threshold
        for delay in delays:
            first = np.argmax(over[:, delay:], axis=1) + delay
            taken_s = np.where(over[:, delay:].any(axis=1), time_s[first], np.inf)
            useful = timeouts[timeouts > time_s[delay]]
            until_s = np.minimum(taken_s[:, None], useful)  # (silences, timeouts)
            cut = (until_s < length[:, None]) & ~is_end[:, None]
            wait = until_s[is_end].mean(axis=0)
            holds = cut[~is_end].mean(axis=0) if (~is_end).any() else np.zeros(len(useful))
            turns = np.logical_or.reduceat(cut, of_turn).mean(axis=0)
            found += zip(wait, holds, turns, strict=True)
    return Curve(*np.array(found).T)


def silence_alone(silences: Sequence[Silence]) -> Curve:
    """Return what waiting alone makes of the silences: a timeout, nothing else."""
    blind = [
        Silence(one.turn, one.length_s, one.is_end, np.zeros(len(one.scores))) for one in silences
    ]
    return sweep(blind, np.array([2.0]), TIMEOUTS_S)


def length_alone(silences: Sequence[Silence], begins_s: Sequence[float]) -> Curve:
    """Return what the length of a turn alone makes of them: the longer, the likelier over.

    Recordings are cut to a length, so that it tells where they end. What another detector is better
    by than this one is what it has heard.

    Args:
        silences: Of all turns.
        begins_s: When each of them begins, in its turn.
    """
    longest_s = max(begins_s, default=1.0)
    told = [
        replace(one, scores=np.full(len(one.scores), begin_s / longest_s))
        for one, begin_s in zip(silences, begins_s, strict=True)
    ]
    return sweep(told)
