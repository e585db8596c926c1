"""The report: one file that says what was promised and measured, whatever a result holds."""

import math
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path

import pytest

from rt_avatar.benchmarks.catalogue import BENCHMARKS
from rt_avatar.benchmarks.report import page
from rt_avatar.benchmarks.report import sections as page_sections
from rt_avatar.benchmarks.report.page import choose, render
from rt_avatar.benchmarks.report.plots import draw_distributions, draw_plot
from rt_avatar.benchmarks.report.promises import PROMISES, check_promises
from rt_avatar.benchmarks.report.sections import waterfall
from rt_avatar.benchmarks.result import Plot, Result, Run, record, save
from rt_avatar.commands.cli import main
from rt_avatar.errors import BadInputError

pytestmark = pytest.mark.unit

WHEN = datetime(2026, 3, 2, 9, 0, 0, tzinfo=UTC)
VOID = {"meta", "br", "path", "use", "rect", "circle"}
POINTS = [(float(x), float(x * x)) for x in range(10)]


def run(name: str = "turn", minute: int = 0, **parts: object) -> Run:
    result = Result(name, ("what", "p50"), [("first sound", "449")], {"p50_ms": 449, "p95_ms": 729})
    made = record(replace(result, **parts), WHEN.replace(minute=minute), 61, {"turns": 20}, 1.0)
    return replace(made, commit="abc1234")


class Page(HTMLParser):
    """Reads a page: its text, its addresses, and whether every tag is closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.addresses: list[str] = []
        self.ids: list[str] = []
        self.tags: list[tuple[str, Mapping[str, str | None]]] = []
        self.words = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.tags.append((tag, found))
        self.addresses += [
            found[key] or "" for key in ("href", "src", "xlink:href") if key in found
        ]
        self.ids += [found["id"] or ""] if "id" in found else []
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += data

    def of(self, tag: str) -> Iterator[Mapping[str, str | None]]:
        return (attributes for name, attributes in self.tags if name == tag)


@pytest.fixture(scope="module")
def full_page() -> Page:
    rich = run(
        rows=[("a < b & c", "nan"), ("  stage: plan", "182")],
        samples={"first sound, ms": range(20), "rest_mib": range(20), "few": [1]},
        waterfall={"plan": (0, 182), "heard": (417, 449)},
        plots=[
            Plot("costs $5 & <b>", "_x", "$y$", {"_hidden": POINTS, "b": POINTS}, kind, 40)
            for kind in ("lines", "points", "bars")
        ],
        notes=["see ``cut_early`` <script>alert(1)</script>"],
    )
    bare = run("unheard of", 3, figures={}, rows=[], columns=())
    return Page(render([rich, rich, bare]))


# --- the file -----------------------------------------------------------------------------------
def test_it_needs_no_network_and_no_script(full_page):
    assert all(address.startswith("#") for address in full_page.addresses)
    assert not list(full_page.of("script"))
    assert not list(full_page.of("link"))
    assert all("url(" not in style.read_text(encoding="utf-8") for style in page.STYLES)


def test_it_is_well_formed_and_every_link_inside_leads_somewhere(full_page):
    assert full_page.open == []
    assert len(full_page.ids) == len(set(full_page.ids))
    assert not any(" " in name for name in full_page.ids)
    assert {address[1:] for address in full_page.addresses} <= set(full_page.ids)


def test_who_cannot_see_it_is_told_as_much(full_page):
    pictures = [svg for svg in full_page.of("svg") if svg.get("aria-hidden") != "true"]
    assert pictures
    assert all(svg["role"] == "img" and svg["aria-label"] for svg in pictures)
    assert len(list(full_page.of("caption"))) == len(list(full_page.of("table")))
    assert all(th.get("scope") in ("col", "row") for th in full_page.of("th"))


def test_text_of_a_result_is_text_and_nan_a_dash(full_page):
    assert "<script>alert(1)</script>" in full_page.words
    assert "a < b & c" in full_page.words
    assert "costs $5 & <b>" in full_page.words
    assert not re.search(r"\bnan\b", full_page.words)


def test_plots_take_the_colours_of_the_page(full_page):
    text = render([run(plots=[Plot("t", "x", "y", {"a": POINTS}, limit=5)])])
    assert "var(--line-0)" in text
    assert "#fe00" not in text


def test_the_same_results_make_the_same_page():
    runs = [run(plots=[Plot("t", "x", "y", {"a": POINTS})]), run("sync")]
    assert render(runs) == render(runs)


# --- what it says -------------------------------------------------------------------------------
def test_it_begins_with_what_matters_and_where_it_was_measured():
    words = Page(render([run()])).words
    assert "It answers 449 ms after you stop speaking" in words
    assert "Of 100 answers 95 come within 729 ms." in words
    assert "2 March 2026" in words
    assert "abc1234" in words


def test_a_promise_is_kept_missed_or_not_measured():
    kept = check_promises({"turn": run(figures={"p50_ms": 500, "p95_ms": 801})})
    assert [(each.is_measured, each.is_kept) for each in kept[:2]] == [(True, True), (True, False)]
    assert not any(each.is_measured for each in kept[2:])
    words = Page(render([run(figures={"p50_ms": 500, "p95_ms": 801})])).words
    assert words.count("✓ kept") == 1
    assert words.count("✗ missed") == 1
    assert words.count("not measured") >= len(PROMISES) - 2


def test_the_promise_is_of_plain_sentences_where_these_are_told_apart():
    figures = {"p50_ms": 560, "p95_ms": 900, "plain_p50_ms": 490, "plain_p95_ms": 790}
    median, slow = check_promises({"turn": run(figures=figures)})[:2]
    assert (median.value, slow.value) == (490, 790)
    assert median.is_kept
    assert slow.is_kept


def test_what_could_not_be_measured_keeps_no_promise():
    [first, *_] = check_promises({"turn": run(figures={"p50_ms": math.nan})})
    assert not first.is_measured
    assert not first.is_kept


def test_where_no_promise_was_measured_none_is_listed():
    text = render([run("engines", figures={"rig_ms": 3})])
    assert "No promise was measured." in text
    assert '<h2 id="promises">' not in text


def test_memory_that_shrinks_keeps_its_promise():
    kept = check_promises({"soak": run("soak", figures={"memory_growth_percent": -20})})
    assert kept[-1].is_kept


def test_every_promise_names_a_benchmark_that_there_is():
    assert {promise.source[0] for promise in PROMISES} <= set(BENCHMARKS)


@pytest.mark.parametrize(
    ("kept", "says"), [(0, "None of the 2"), (1, "1 of the 2"), (2, "All 2 promises measured are")]
)
def test_the_heading_counts_the_promises_kept(kept, says):
    figures = {"p50_ms": 1 if kept > 0 else 9000, "p95_ms": 1 if kept > 1 else 9000}
    assert says in Page(render([run(figures=figures)])).words


def test_doubts_are_told_in_the_heading():
    quick = replace(run("sync"), arguments={"quick": "True"})
    other = replace(run("soak"), machine={**run().machine, "cores": 640}, commit="fff+")
    busy = replace(run("load"), machine={**run().machine, "busy_before_percent": 50.0})
    words = Page(render([run(), quick, other, busy])).words
    assert "not all from the same machine" in words
    assert "not all of the same commit" in words
    assert "changes that were not committed" in words
    assert "few turns: sync" in words
    assert "busy with something else before: load" in words
    assert 'class="warnings"' not in render([run()])


def test_benchmarks_stand_in_the_order_of_the_catalogue():
    text = render([run("zebra"), run("soak"), run("turn")])
    places = [text.index(f'<h2 id="{name}">') for name in ("turn", "soak", "zebra")]
    assert places == sorted(places)


# --- parts --------------------------------------------------------------------------------------
def test_bars_of_the_waterfall_stand_where_their_times_are():
    text = waterfall({"plan": (0, 100), "heard": (100, 400)}, 500)
    assert re.findall(r"left:([\d.]+)%;width:max\(3px,\s+([\d.]+)%\)", text) == [
        ("0.00", "20.00"),
        ("20.00", "60.00"),
    ]
    assert "--limit:100.00%" in text
    assert "100 – 400 ms" in text


def test_a_waterfall_of_nothing_is_nothing():
    assert waterfall({}) == ""
    assert waterfall({"plan": (math.nan, 3)}) == ""
    assert "−" not in waterfall({"at once": (0, 0)})


def test_a_plot_without_points_is_left_out():
    assert draw_plot(Plot("t", "x", "y", {}), "k") is None
    assert draw_plot(Plot("t", "x", "y", {"a": [], "b": [(1, math.nan)]}), "k") is None
    assert draw_plot(Plot("t", "x", "y", {"a": [(1, 1)]}), "k") is not None


def test_bars_of_one_value_a_label_are_a_list_with_their_words():
    plot = Plot("t", "", "%", {"cough": [(0, 20)], "a < b": [(1, 80)]}, "bars", 100)
    drawing = draw_plot(plot, "k")
    assert drawing is not None
    assert "<svg" not in drawing.picture
    assert "a &lt; b" in drawing.picture
    assert re.findall(r"width:([\d.]+)%", drawing.picture) == ["20.00", "80.00"]


def test_a_long_line_keeps_its_peaks_and_loses_its_length():
    points = [(float(x), 0.0) for x in range(100_000)]
    points[54_321] = (54_321.0, 99.0)
    drawing = draw_plot(Plot("t", "x", "y", {"a": points}), "k")
    assert drawing is not None
    assert len(drawing.picture) < 100_000
    assert "0 to 99" in drawing.picture


def test_distributions_put_like_with_like():
    drawings = draw_distributions(
        run(
            samples={
                "plan, ms": range(100, 120),
                "heard, ms": range(400, 420),
                "long_ms": range(90_000, 90_020),
                "memory, MiB": range(300, 320),
                "few, ms": [1, 2],
            }
        ).result,
        "k",
    )
    assert [len(drawing.legend) for drawing in drawings] == [2, 1, 1]
    assert drawings[0].legend[0][1] == "plan: p50 110, p95 118 (n = 20)"


def test_distributions_of_equal_values_can_be_drawn():
    assert len(draw_distributions(run(samples={"a": [0.0] * 9, "b": [5.0] * 300}).result, "k")) == 2


def test_a_manual_reads_as_it_was_meant(monkeypatch):
    text = "What.\n\n``a < b`` is **true**, *or* 2 * 3.\n\n- one\n  line\n- two\n\n    $ make\n"
    monkeypatch.setattr(page_sections, "manual", lambda name: text)
    shown = render([run()])
    assert "<p><code>a &lt; b</code> is <strong>true</strong>, <em>or</em> 2 * 3.</p>" in shown
    assert "<ul><li>one line</li><li>two</li></ul>" in shown
    assert "<pre>$ make</pre>" in shown
    assert '<h2 id="turn">What</h2>' in shown


# --- which results ------------------------------------------------------------------------------
def test_without_files_it_takes_the_newest_of_each_else_the_published(monkeypatch, tmp_path):
    published = tmp_path / "published"
    monkeypatch.setattr(page, "PUBLISHED", published)
    with pytest.raises(BadInputError, match="measure first"):
        choose([], tmp_path / "local")
    save(run("soak"), published).rename(published / "soak.json")
    assert [each.result.name for each in choose([], tmp_path / "local")] == ["soak"]
    save(run(minute=1), tmp_path / "local")
    save(run(minute=2), tmp_path / "local")
    [newest] = choose([], tmp_path / "local")
    assert newest.started[14:16] == "02"
    assert len(choose([published / "soak.json"], tmp_path / "local")) == 1


def test_the_command_writes_the_file_it_is_told_to(tmp_path, capsys):
    file = save(run(), tmp_path)
    output = tmp_path / "mine.html"
    assert main(["bench", "report", str(file), "-o", str(output)]) == 0
    assert output.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert str(output) in capsys.readouterr().out
    assert main(["bench", "report", str(output), "-o", str(output)]) == 2


def test_an_output_that_cannot_be_written_is_one_line(tmp_path, capsys):
    file = save(run(), tmp_path)
    assert main(["bench", "report", str(file), "-o", str(Path(tmp_path, "no", "r.html"))]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_without_matplotlib_it_names_the_extra(monkeypatch, tmp_path, capsys):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    file = save(run(plots=[Plot("t", "x", "y", {"a": POINTS})]), tmp_path)
    assert main(["bench", "report", str(file), "-o", str(tmp_path / "r.html")]) == 2
    assert "make install EXTRAS=bench" in capsys.readouterr().err
