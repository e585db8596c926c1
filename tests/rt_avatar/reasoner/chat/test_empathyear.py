import asyncio
import json
from contextlib import aclosing

import pytest

from rt_avatar.config.settings import LlmSettings
from rt_avatar.errors import ReasonerError
from rt_avatar.messages import Affect, Clause, Plan, TurnId
from rt_avatar.personas import PERSONAS
from rt_avatar.reasoner import ChatMessage, ReplyRequest
from rt_avatar.reasoner.chat.empathyear import EmpathyEarReasoner
from rt_avatar.telemetry.metrics import Metrics
from tests.fakes.openai_server import Script, event, openai_server
from tests.fakes.requests import asked

pytestmark = pytest.mark.network

KEY = "sk-very-secret-0123456789"
ANSWER = (
    "emotion: lonely\ncause: friends moved away\nscenario: ", "new city\nrationale: says so\n",
    "goal: keep company\nvoice: soft\nre", "ply: Oh, that sounds lonely. Who do", " you miss",
    " most?",
)  # fmt: skip


def request(text: str = "I moved to a new city and know nobody", **more) -> ReplyRequest:
    return asked(text, **more)


async def reply_of(url: str, what: ReplyRequest | None = None, **settings) -> list[Plan | Clause]:
    fields = {"base_url": url, "model": "m", "api_key": KEY, "timeout_s": 30.0}
    reasoner = EmpathyEarReasoner(LlmSettings(**(fields | settings)), Metrics())
    try:
        async with aclosing(reasoner.open().reply(what or request())) as out:
            return [item async for item in out]
    finally:
        await reasoner.aclose()


async def error_of(url: str, **settings) -> ReasonerError:
    with pytest.raises(ReasonerError) as caught:
        await reply_of(url, **settings)
    assert KEY not in str(caught.value)
    return caught.value


async def test_a_plan_comes_first_and_then_the_clauses_in_order():
    async with openai_server(Script(ANSWER)) as server:
        plan, *clauses = await reply_of(server.url)
    assert isinstance(plan, Plan)
    assert (plan.turn, plan.user_emotion) == (3, "sad")
    assert (plan.chain.emotion, plan.chain.scenario) == ("lonely", "new city")
    assert plan.voice.volume < 0.95  # "soft" on top of compassion
    assert [(c.index, c.text) for c in clauses] == [
        (0, "Oh, that sounds lonely."),
        (1, "Who do you miss most?"),
    ]


async def test_the_first_clause_is_out_before_the_rest_is_decoded():
    hold = asyncio.Event()
    async with openai_server(Script(ANSWER, hold=hold, hold_at=4)) as server:
        settings = LlmSettings(base_url=server.url, model="m")
        reasoner = EmpathyEarReasoner(settings, Metrics())
        async with aclosing(reasoner.open().reply(request())) as out:
            assert isinstance(await anext(out), Plan)
            assert (await anext(out)).text == "Oh, that sounds lonely."
            assert server.sent == 4
            hold.set()
            assert (await anext(out)).text == "Who do you miss most?"
        await reasoner.aclose()


async def test_the_model_is_told_who_it_is_what_was_said_and_where_it_was_interrupted():
    history = (
        ChatMessage("caller", "hello"),
        ChatMessage("avatar", "Hi, how are", was_interrupted=True),
        ChatMessage("caller", "wait"),
    )
    affect = Affect(TurnId(3), 0, -0.6, 0, "sad", {"sad": 0.8, "neutral": 0.2})
    async with openai_server(Script(ANSWER)) as server:
        await reply_of(server.url, request("I'm fine", history=history, affect=affect))
        asked = server.asked[0]
        assert server.keys == [f"Bearer {KEY}"]
    assert asked["stream"] is True
    assert asked["model"] == "m"
    roles = [m["role"] for m in asked["messages"]]
    assert roles == ["system", "user", "assistant", "user"]  # strictly in turn
    system, _, avatar, caller = (m["content"] for m in asked["messages"])
    assert "Ava" in system
    assert PERSONAS["ava"].about.rstrip(".") in system
    assert "interrupted" in avatar
    assert caller.startswith("wait\nI'm fine\n[")
    assert "seem sad" in caller


async def test_the_caller_begins_the_conversation_that_a_model_reads_though_the_avatar_greets():
    greeting = ChatMessage("avatar", "Hello, I'm Ava. How are you?")
    async with openai_server(Script(ANSWER)) as server:
        await reply_of(server.url, request(history=(greeting,)))
        messages = server.asked[0]["messages"]
    # What chat templates check that know no other order, as Gemma's and Mistral's.
    assert [m["role"] for m in messages] == ["system", "user", "assistant", "user"]
    assert messages[2]["content"] == greeting.text


@pytest.mark.parametrize(
    ("answer", "emotion"),
    [
        ("Oh no, I'm so sorry about your job. What happened?", "devastated"),
        ('```json\n{"reply": "Oh no. What happened?", "emotion": "happy"}\n```', "devastated"),
        ("emotion: mystified\nreply: Oh no. What happened?", "mystified"),
    ],
)
async def test_without_a_usable_emotion_the_plan_comes_from_words_and_face(answer, emotion):
    async with openai_server(Script(tuple(answer))) as server:
        plan, *clauses = await reply_of(server.url, request("I lost my job"))
    assert plan.chain.emotion == emotion
    assert plan.face.emotion == "sad"
    assert clauses[-1].text.endswith("?")


@pytest.mark.parametrize("text", ["", "[NOISE]", "I want to kill myself"])
async def test_silence_and_danger_to_life_are_answered_without_the_model(text):
    async with openai_server() as server:
        plan, *clauses = await reply_of(server.url, request(text))
        assert server.asked == []
    assert isinstance(plan, Plan)
    if "kill" in text:
        assert "emergency number" in " ".join(c.text for c in clauses)


async def test_the_greeting_needs_no_model():
    async with openai_server() as server:
        _, *clauses = await reply_of(server.url, request("", greet=True))
    assert "Ava" in " ".join(clause.text for clause in clauses)


# --- who answers ---
async def test_the_model_chooses_who_answers_once_if_it_is_let():
    answer = ("emotion: lonely\nagent: middle-aged, male\nvoice: soft\nreply: Oh, that is lonely.",)
    async with openai_server(Script(answer)) as server:
        plan, *_ = await reply_of(server.url, agent="retrieved")
        history = (ChatMessage("caller", "I moved."), ChatMessage("avatar", "Oh, that is lonely."))
        later = request(history=history, persona=PERSONAS["tom"])
        after, *_ = await reply_of(server.url, later, agent="retrieved")
    assert plan.persona == "tom"
    assert "\nagent: " in server.asked[0]["messages"][0]["content"]
    assert after.persona == ""  # who was heard goes on, whatever the model says now
    assert "\nagent: " not in server.asked[1]["messages"][0]["content"]


async def test_the_caller_has_chosen_who_answers_else():
    answer = ("emotion: lonely\nagent: middle-aged, male\nreply: Oh, that is lonely.",)
    async with openai_server(Script(answer)) as server:
        plan, *_ = await reply_of(server.url)
    assert plan.persona == ""
    assert "\nagent: " not in server.asked[0]["messages"][0]["content"]


# --- cancelling ---------------------------------------------------------------------------------
async def test_cancelling_closes_the_stream_so_that_the_server_stops():
    async with openai_server(Script(ANSWER, hold=asyncio.Event(), hold_at=4)) as server:
        started = asyncio.Event()
        reasoner = EmpathyEarReasoner(LlmSettings(base_url=server.url, model="m"), Metrics())
        conversation = reasoner.open()

        async def consume() -> None:
            async for _ in conversation.reply(request()):
                started.set()

        task = asyncio.ensure_future(consume())
        async with asyncio.timeout(60):
            await started.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await server.gone.wait()
        server.scripts[:] = [Script(ANSWER)]  # and the next reply is a whole one
        out = [item async for item in conversation.reply(request())]
        assert out[-1].text == "Who do you miss most?"
        await reasoner.aclose()


async def test_leaving_the_iterator_closes_the_stream():
    async with openai_server(Script(ANSWER, hold=asyncio.Event(), hold_at=6)) as server:
        reasoner = EmpathyEarReasoner(LlmSettings(base_url=server.url, model="m"), Metrics())
        async with aclosing(reasoner.open().reply(request())) as out:
            await anext(out)
        async with asyncio.timeout(60):
            await server.gone.wait()
        await reasoner.aclose()


# --- errors -------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("status", "retryable", "mend"),
    [(401, False, "api_key"), (404, False, "llm.model"), (429, True, "limit"),
     (500, True, "log"), (503, True, "log"), (400, False, "settings")],
)  # fmt: skip
async def test_a_refusal_says_what_came_and_how_to_mend_it(status, retryable, mend):
    body = json.dumps({"error": {"message": f"no such thing, {KEY}"}})
    async with openai_server(Script(status=status, body=body)) as server:
        error = await error_of(server.url)
    assert error.retryable is retryable
    assert str(status) in str(error)
    assert "no such thing, ***" in str(error)
    assert mend in str(error)


async def test_nobody_at_the_address_is_told_as_such():
    async with openai_server() as server:
        url = server.url
    error = await error_of(url)
    assert error.retryable
    assert "llm.base_url" in str(error)


async def test_a_model_that_is_silent_too_long_is_given_up():
    async with openai_server(Script(ANSWER, hold=asyncio.Event())) as server:
        error = await error_of(server.url, timeout_s=0.1)
    assert error.retryable
    assert "llm.timeout_s" in str(error)


async def test_a_model_that_thinks_too_long_is_given_up():
    async with openai_server(Script(("<think>hm", " hm"), hold=asyncio.Event(), hold_at=2)) as s:
        error = await error_of(s.url, timeout_s=0.2)
    assert "llm.timeout_s" in str(error)


async def test_a_model_that_stalls_in_mid_reply_is_given_up_though_the_line_is_kept_alive():
    stalled = Script(ANSWER, hold=asyncio.Event(), hold_at=4, keep_alive_s=0.05)
    async with openai_server(stalled) as server, asyncio.timeout(60):
        error = await error_of(server.url, timeout_s=0.5)
        assert server.sent == 4
    assert error.retryable
    assert "llm.timeout_s" in str(error)


@pytest.mark.parametrize(
    ("reply", "behind"),
    [
        ("Reply: I hear you. That must hurt.<|im_end|>", " user: and then"),
        ('{"reply": "I hear you. That must hurt.", "rationale": "', "since it is sad "),
        ('{"reply": "I hear you. That must hurt."}', "\n"),
    ],
)
async def test_a_reply_that_was_wholly_said_has_not_failed_where_the_model_writes_on(reply, behind):
    timeout_s, is_over = 0.8, asyncio.Event()
    script = Script((reply,), hold=is_over, hold_at=1, keep_alive_s=0.02, keep_alive=event(behind))
    async with openai_server(script) as server:
        asyncio.get_running_loop().call_later(2 * timeout_s, is_over.set)
        _, *clauses = await reply_of(server.url, timeout_s=timeout_s)
    assert [clause.text for clause in clauses] == ["I hear you.", "That must hurt."]


@pytest.mark.parametrize("script", [Script(ANSWER[:4], cut=True), Script(ANSWER[:4], ends=False)])
async def test_a_cut_keeps_what_was_said_and_then_tells(script):
    async with openai_server(script) as server:
        reasoner = EmpathyEarReasoner(LlmSettings(base_url=server.url, model="m"), Metrics())
        got = []

        async def collect() -> None:
            async for item in reasoner.open().reply(request()):
                got.append(item)

        with pytest.raises(ReasonerError) as caught:
            await collect()
        await reasoner.aclose()
    assert caught.value.retryable
    assert [item.text for item in got[1:]] == ["Oh, that sounds lonely."]


@pytest.mark.parametrize("last", [" next?", ' next?"'])
async def test_a_last_sentence_that_came_whole_is_said_though_no_end_was_told(last):
    pieces = ("Oh, I hear you.", " What happened", last, b"data: [DONE]\n\n")
    async with openai_server(Script(pieces, ends=False)) as server:
        reasoner = EmpathyEarReasoner(LlmSettings(base_url=server.url, model="m"), Metrics())
        got = []

        async def collect() -> None:
            async for item in reasoner.open().reply(request()):
                got.append(item)

        with pytest.raises(ReasonerError):
            await collect()
        await reasoner.aclose()
    assert [item.text.strip('"') for item in got[1:]] == ["Oh, I hear you.", "What happened next?"]


@pytest.mark.parametrize(
    ("body", "content_type", "told"),
    [
        (b'{"error": "Unexpected endpoint or method."}', "application/json", "Unexpected endpoint"),
        (b"<html><title>Chat</title></html>", "text/html; charset=utf-8", "a page for people"),
    ],
)
async def test_an_address_that_answers_something_else_is_told_at_once(body, content_type, told):
    async with openai_server(Script((body,), content_type=content_type, ends=False)) as server:
        error = await error_of(server.url)
        assert len(server.asked) == 1
    assert told in str(error)
    assert "/v1" in str(error)


async def test_what_a_content_filter_withholds_is_told_as_such_and_not_asked_for_again():
    end = b'data: {"choices": [{"delta": {}, "finish_reason": "content_filter"}]}\n\n'
    async with openai_server(Script((end, b"data: [DONE]\n\n"), ends=False)) as server:
        assert "content filter" in str(await error_of(server.url))
        assert len(server.asked) == 1


async def test_a_redirection_says_where_to():
    moved = Script(status=308, headers={"Location": "https://api.example.org/v1/chat/completions"})
    async with openai_server(moved) as server:
        assert "https://api.example.org/v1" in str(await error_of(server.url))


@pytest.mark.parametrize(
    "piece", [b"data: {oops\n\n", b"data: [1, 2]\n\n", b'data: {"choices": ["x"]}\n\n']
)
async def test_malformed_events_are_told_as_such(piece):
    async with openai_server(Script((piece,))) as server:
        error = await error_of(server.url)
    assert "OpenAI-compatible" in str(error)


async def test_an_error_inside_the_stream_is_told():
    piece = b'data: {"error": {"message": "out of memory"}}\n\n'
    async with openai_server(Script((piece,))) as server:
        error = await error_of(server.url)
    assert "out of memory" in str(error)


@pytest.mark.parametrize("pieces", [(), ("emotion: sad\ncause: x",), ("<think>forever",)])
async def test_an_answer_without_a_reply_is_an_error(pieces):
    async with openai_server(Script(pieces)) as server:
        error = await error_of(server.url)
    assert "held none" in str(error)


@pytest.mark.parametrize("answer", ["🙂", "...", "emotion: sad\nreply: ❤️ …", "*nods*"])
async def test_an_answer_that_nobody_could_hear_is_asked_for_again_and_then_an_error(answer):
    async with openai_server(Script(tuple(answer)), Script(ANSWER)) as server:
        assert (await reply_of(server.url))[-1].text == "Who do you miss most?"
        assert len(server.asked) == 2
    async with openai_server(Script(tuple(answer))) as server:
        assert "held none" in str(await error_of(server.url))


async def test_stage_directions_of_a_reply_are_not_spoken():
    pieces = ("emotion: sad\nreply: *nods", " slowly", "* I hear", " you. ", "(pauses) Go on.")
    async with openai_server(Script(pieces)) as server:
        _, *clauses = await reply_of(server.url)
    assert [clause.text for clause in clauses] == ["I hear you.", "Go on."]


async def test_an_endpoint_that_leaves_out_the_start_of_thoughts_is_known_from_then_on():
    thought = Script(("I wonder", " what to say.\n", "</thi", "nk>", "\n\nI'm", " here."))
    async with openai_server(thought) as server:
        settings = LlmSettings(base_url=server.url, model="m", coe="off")
        reasoner = EmpathyEarReasoner(settings, Metrics())
        heard = []
        for _ in range(2):
            async with aclosing(reasoner.open().reply(request())) as out:
                heard.append([item.text async for item in out if isinstance(item, Clause)])
        await reasoner.aclose()
    assert heard[0][-1] == "I'm here."
    assert heard[1] == ["I'm here."]


async def test_an_endpoint_that_thinks_no_more_is_heard_again():
    thought, plain = Script(("Let me see.</think>", "I'm here.")), Script(("Go on.",))
    async with openai_server(thought, plain, plain) as server:
        settings = LlmSettings(base_url=server.url, model="m", coe="off")
        reasoner = EmpathyEarReasoner(settings, Metrics())
        for said in ("I'm here.", "Go on."):
            async with aclosing(reasoner.open().reply(request())) as out:
                assert [item.text async for item in out if isinstance(item, Clause)][-1] == said
        await reasoner.aclose()


async def test_an_emoji_before_the_words_does_not_hold_them_up():
    async with openai_server(Script(("🙂", " ", "I'm", " here."))) as server:
        assert [clause.text for clause in (await reply_of(server.url))[1:]] == ["I'm here."]
        assert len(server.asked) == 1


async def test_comments_blanks_and_empty_deltas_do_no_harm():
    first = {"choices": [{"delta": {"role": "assistant", "content": None}}]}
    noise = (
        b": keep-alive\n\n",
        b'data: {"choices": []}\n\n',
        f"data: {json.dumps(first)}\n\n".encode(),
    )
    async with openai_server(Script((*noise, *ANSWER))) as server:
        assert len(await reply_of(server.url)) == 3


async def test_a_server_that_does_not_stream_is_understood():
    whole = {"choices": [{"message": {"content": "".join(ANSWER)}}]}
    script = Script((json.dumps(whole).encode(),), content_type="application/json", ends=False)
    async with openai_server(script) as server:
        assert (await reply_of(server.url))[-1].text == "Who do you miss most?"


# --- what is counted -----------------------------------------------------------------------------
USAGE = b'data: {"choices": [], "usage": {"prompt_tokens": 30, "completion_tokens": 4}}\n\n'


async def test_requests_are_counted_by_what_became_of_them_and_tokens_as_they_are_told():
    scripts = Script(status=503), Script((*ANSWER, USAGE)), Script(ANSWER, hold=asyncio.Event())
    async with openai_server(*scripts) as server:
        metrics = Metrics()
        settings = LlmSettings(base_url=server.url, model="m")
        reasoner = EmpathyEarReasoner(settings, metrics)
        async with aclosing(reasoner.open().reply(request())) as out:
            assert [item async for item in out]
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1), aclosing(reasoner.open().reply(request())) as out:
                await anext(out)
        await reasoner.aclose()
        asked = server.asked[1]
    assert asked["stream_options"] == {"include_usage": True}
    text = metrics.exposition().decode()
    for outcome in ("failed", "answered", "cancelled"):
        assert f'rt_avatar_llm_requests_total{{outcome="{outcome}"}} 1.0' in text
    assert 'rt_avatar_llm_tokens_total{kind="prompt"} 30.0' in text
    assert 'rt_avatar_llm_tokens_total{kind="completion"} 4.0' in text


@pytest.mark.parametrize(
    ("usages", "prompt", "completion"),
    [
        (("{}",), 0, 0),
        (('{"prompt_tokens": null, "completion_tokens": null}',), 0, 0),
        (
            (
                '{"prompt_tokens": 30, "completion_tokens": 1}',
                '{"prompt_tokens": 30, "completion_tokens": 4}',
                "null",
            ),
            30,
            4,
        ),
    ],
)
async def test_tokens_that_are_told_as_sums_or_not_at_all_fail_no_reply(usages, prompt, completion):
    events = (f'data: {{"choices": [], "usage": {usage}}}\n\n'.encode() for usage in usages)
    async with openai_server(Script((*ANSWER, *events))) as server:
        metrics = Metrics()
        reasoner = EmpathyEarReasoner(LlmSettings(base_url=server.url, model="m"), metrics)
        async with aclosing(reasoner.open().reply(request())) as out:
            assert [item async for item in out][-1].text == "Who do you miss most?"
        await reasoner.aclose()
    text = metrics.exposition().decode()
    for kind, count in (("prompt", prompt), ("completion", completion)):
        assert f'rt_avatar_llm_tokens_total{{kind="{kind}"}} {count}.0' in text


# --- another try --------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "first",
    [
        Script(status=503),
        Script(status=429, headers={"Retry-After": "0.1"}),
        Script((), cut=True),
        Script(ANSWER[:1], cut=True),  # the chain, of which nothing is said
        Script((b'data: {"error": {"message": "overloaded"}}\n\n',)),
    ],
)
async def test_what_failed_before_a_word_was_said_is_asked_again(first):
    async with openai_server(first, Script(ANSWER)) as server:
        plan, *clauses = await reply_of(server.url)
        assert len(server.asked) == 2
    assert plan.chain.emotion == "lonely"
    assert [clause.text for clause in clauses] == [
        "Oh, that sounds lonely.",
        "Who do you miss most?",
    ]


async def test_what_failed_after_a_word_was_said_is_not_said_again():
    async with openai_server(Script(ANSWER[:4], cut=True), Script(ANSWER)) as server:
        await error_of(server.url)
        assert len(server.asked) == 1


async def test_what_trying_again_cannot_mend_is_not_tried_again():
    async with openai_server(Script(status=401), Script(ANSWER)) as server:
        await error_of(server.url)
        assert len(server.asked) == 1


async def test_who_must_come_back_later_than_anybody_waits_is_told_so_at_once():
    later = Script(status=429, body="slow down", headers={"Retry-After": "60"})
    async with openai_server(later, Script(ANSWER)) as server:
        error = await error_of(server.url)
        assert len(server.asked) == 1
    assert "slow down" in str(error)


async def test_it_is_not_tried_for_ever():
    async with openai_server(Script(status=500)) as server:
        error = await error_of(server.url)
        assert len(server.asked) == 3
    assert "500" in str(error)


# --- the request --------------------------------------------------------------------------------
async def test_a_key_that_is_not_set_is_not_sent():
    async with openai_server(Script(ANSWER)) as server:
        await reply_of(server.url)
        await reply_of(server.url, stream_usage=False)
        first, second = server.asked
    assert set(first) == {"model", "messages", "stream", "stream_options"}
    assert set(second) == {"model", "messages", "stream"}


async def test_keys_that_are_set_are_sent_and_further_ones_as_they_are():
    further = {"max_completion_tokens": 300, "reasoning_effort": "low"}
    async with openai_server(Script(ANSWER)) as server:
        await reply_of(server.url, temperature=0.0, max_tokens=64, extra_body=further)
        asked = server.asked[0]
    assert (asked["temperature"], asked["max_tokens"]) == (0.0, 64)
    assert further.items() <= asked.items()


# --- connections --------------------------------------------------------------------------------
async def test_the_greeting_opens_the_connection_for_the_first_reply():
    async with openai_server(Script(ANSWER)) as server:
        reasoner = EmpathyEarReasoner(LlmSettings(base_url=server.url, model="m"), Metrics())
        conversation = reasoner.open()
        for what in (request("", greet=True), request()):
            assert [item async for item in conversation.reply(what)]
        assert server.models_asked == 1
        assert len(server.peers) == 1  # both came over the same connection
        await reasoner.aclose()


async def test_a_greeting_is_said_even_if_nobody_is_at_the_address():
    async with openai_server() as server:
        url = server.url
    assert len(await reply_of(url, request("", greet=True))) > 1
