"""Your own voice agent, with an avatar as its face.

    pip install './rt-avatar[livekit]' 'livekit-plugins-openai~=1.8'
    export LIVEKIT_URL=ws://127.0.0.1:7880 LIVEKIT_API_KEY=devkey LIVEKIT_API_SECRET=secret
    export OPENAI_API_KEY=...            # or OPENAI_BASE_URL of any server that speaks the same
    rt-avatar livekit &                  # the face: here, or on any machine of that LiveKit server
    python agent_with_avatar.py dev      # the agent; then join a room

The three lines under "yours" are an example: any STT, LLM and TTS of livekit-agents will do. The
avatar needs to know none of them; it follows the sound of the voice.

Environment: STT_MODEL, LLM_MODEL, TTS_MODEL, TTS_VOICE (names of your models), AVATAR_PERSONA (see
`rt-avatar personas`), AVATAR_AGENT_NAME (as the avatar's worker is named: `livekit.agent_name`).
"""

import os

from livekit import agents
from livekit.plugins import openai, rt_avatar

server = agents.AgentServer()


@server.rtc_session()
async def entry(ctx: agents.JobContext) -> None:
    """Serve one room."""
    session = agents.AgentSession(
        # --- yours ---
        stt=openai.STT(model=os.environ.get("STT_MODEL", "gpt-4o-mini-transcribe")),
        llm=openai.LLM(model=os.environ.get("LLM_MODEL", "gpt-4.1-mini")),
        tts=openai.TTS(
            model=os.environ.get("TTS_MODEL", "gpt-4o-mini-tts"),
            voice=os.environ.get("TTS_VOICE", "nova"),
        ),
        # An avatar cannot be paused and go on; who interrupts it, interrupts it.
        turn_handling={"interruption": {"resume_false_interruption": False}},
    )
    avatar = rt_avatar.AvatarSession(
        persona=os.environ.get("AVATAR_PERSONA", "ava"),
        agent_name=os.environ.get("AVATAR_AGENT_NAME", "rt-avatar"),
    )
    await avatar.start(session, room=ctx.room)  # before the session, which then speaks through it
    await session.start(
        agent=agents.Agent(instructions="You are a friendly host. Answer in a sentence or two."),
        room=ctx.room,
    )
    await session.generate_reply(instructions="Greet whoever has come in, in one short sentence.")


if __name__ == "__main__":
    agents.cli.run_app(server)
