"""Train the voice: recordings → ``nano``.

    python -m rt_avatar.engines.training.voice prepare|train|export|readers|…

    … prepare --data DATA                        align, extract features; resumes, counts failures
    … train generator --data DATA --steps 4000   mel and pitch → sound
    … train text --data DATA --steps 6000        words → prosody and mel (may run beside it)
    … train joint --data DATA --steps 3500       both, with an adversary
    … train variance --data DATA --steps 500     spectra that move and noise as in recordings
    … train adversarial --data DATA --steps 1500 sound against critics; for a GPU
    … train spoken --data DATA --steps 1000      the same of sentences said as in use
    … export --data DATA -o build/nano           what speaking needs, with a model card
    … readers --data DATA -o build/nano          what own voices need of it
    … held-out --data DATA -o FOLDER             recordings and resynthesis for `bench voice`
    … actors --data DATA -o FILE                 what actors do in each emotion, as figures

Each goes on from where it was stopped: features and checkpoints are kept in ``--work``, curves
beside them as CSV. DATA holds ``speech/<corpus>/manifest.tsv`` with the sound.
"""

import argparse
import logging
from pathlib import Path

from rt_avatar.engines.training.voice.corpora import CORPORA

STAGES = ("generator", "text", "joint", "variance", "adversarial", "spoken")


def main() -> None:
    """Run one command."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    options = _parse()
    try:
        _run(options)
    except OSError as error:
        raise SystemExit(
            f"{error}; what is written stays: mend it and run the same again"
        ) from error


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m rt_avatar.engines.training.voice",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--work", type=Path, default=Path("build/voice"))
    commands = parser.add_subparsers(dest="command", required=True)
    prepare = commands.add_parser("prepare", help="align recordings, extract features")
    prepare.add_argument("--processes", type=int, default=2)
    prepare.add_argument("--held-out", action="store_true", help="only what is not trained on")
    train = commands.add_parser("train", help="train one stage")
    train.add_argument("stage", choices=STAGES)
    train.add_argument("--steps", type=int, required=True)
    train.add_argument("--rate", type=float, default=1e-3)
    train.add_argument("--seed", type=int, default=1)
    train.add_argument("--begin", type=Path, help="exported weights to begin from")
    train.add_argument("--stop", type=int, help="leave before this one of the steps")
    export = commands.add_parser("export", help="write what speaking needs")
    export.add_argument("-o", "--output", type=Path, default=Path("build/nano"))
    readers = commands.add_parser("readers", help="learn which readers somebody sounds like")
    readers.add_argument("--data", type=Path, required=True, help="holds speech/<corpus>")
    readers.add_argument("-o", "--output", type=Path, default=Path("build/nano"))
    held_out = commands.add_parser("held-out", help="write recordings and resynthesis to judge by")
    held_out.add_argument("-o", "--output", type=Path, required=True)
    held_out.add_argument("--begin", type=Path, help="exported weights instead of checkpoints")
    actors = commands.add_parser("actors", help="measure what actors do in each emotion")
    actors.add_argument("--data", type=Path, required=True, help="holds speech/ravdess")
    actors.add_argument("-o", "--output", type=Path, default=Path("build/emotions.json"))
    for command in (prepare, train, export, held_out):
        command.add_argument("--data", type=Path, required=True, help="holds speech/<corpus>")
        command.add_argument("--corpora", nargs="+", choices=CORPORA, default=list(CORPORA))
    return parser.parse_args()


def _run(options: argparse.Namespace) -> None:
    if options.command == "actors":
        from rt_avatar.engines.training.voice.actors import write_actors

        write_actors(options.data, options.output)
        return
    if options.command == "readers":
        from rt_avatar.engines.training.voice.readers import write_encoder

        write_encoder(options.data, options.output)
        return
    corpora = tuple(options.corpora)
    if options.command == "prepare":
        from rt_avatar.engines.training.voice.prepare import prepare

        prepare(options.data, options.work, corpora, options.processes, held_out=options.held_out)
        return
    import torch

    from rt_avatar.engines.networks.nano_tts.config import NanoTtsConfig
    from rt_avatar.engines.training.voice.dataset import load_dataset

    torch.set_num_threads(1)  # so small networks are slower on two
    config = NanoTtsConfig()
    begin = getattr(options, "begin", None)  # of an export there is none
    dataset = load_dataset(options.data, options.work, corpora, begin)
    if options.command == "train":
        from rt_avatar.engines.training.voice.loop import Plan
        from rt_avatar.engines.training.voice.train_adversarial import train_adversarial
        from rt_avatar.engines.training.voice.train_generator import train_generator
        from rt_avatar.engines.training.voice.train_joint import train_joint
        from rt_avatar.engines.training.voice.train_spoken import train_spoken
        from rt_avatar.engines.training.voice.train_text import train_text
        from rt_avatar.engines.training.voice.train_variance import train_variance

        stages = {
            "generator": train_generator, "text": train_text, "joint": train_joint,
            "variance": train_variance, "adversarial": train_adversarial, "spoken": train_spoken,
        }  # fmt: skip
        if len(dataset.speakers) > config.speakers:
            raise SystemExit(
                f"expected at most {config.speakers} readers, got {len(dataset.speakers)}: "
                "raise NanoTtsConfig.speakers and train anew"
            )
        plan = Plan(
            options.stage, options.work, options.steps, options.rate, options.seed,
            begin=options.begin, stop=options.stop,
        )  # fmt: skip
        stages[options.stage](dataset, config, plan)
        return
    from rt_avatar.engines.training.voice.loop import load_voice

    if options.command == "export":
        if dataset.unheard:
            raise SystemExit(
                f"expected recordings of all readers; got none of {', '.join(dataset.unheard)}: "
                "export with all --corpora, prepared"
            )
        voice = load_voice(config, options.work)
        from rt_avatar.engines.training.voice.card import write_card
        from rt_avatar.engines.training.voice.export import export_voice

        export_voice(voice, dataset.speakers, options.output)
        write_card(dataset, voice, options.work, options.output)
    else:
        from rt_avatar.engines.networks.nano_tts.voice import Voice
        from rt_avatar.engines.training.voice.export import load_exported
        from rt_avatar.engines.training.voice.held_out import write_held_out

        if options.begin is None:
            voice = load_voice(config, options.work)
        else:
            voice = Voice(config)
            load_exported(voice, options.begin)
        fft = config.generator.fft
        write_held_out(dataset, voice.generator, fft, options.output, corpora)


if __name__ == "__main__":
    main()
