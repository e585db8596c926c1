"""State dicts as they are since torch writes weight norm and spectral norm as parametrizations."""


def parametrized(state):
    """Return a state dict with the norms' tensors under the names that torch gives them now."""
    made = {}
    for key, value in state.items():
        name, _, last = key.rpartition(".")
        spectral = f"{name}.weight_orig" in state
        new = {
            "weight_orig": "original",
            "weight_u": "0._u",
            "weight_v": "0._v" if spectral else "original1",
            "weight_g": "original0",
        }.get(last)
        made[key if new is None else f"{name}.parametrizations.weight.{new}"] = value
    return made
