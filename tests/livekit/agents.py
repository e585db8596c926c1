"""Where tests find somebody else's livekit-agents program; it is the benchmarks' own."""

from rt_avatar.benchmarks.livekit.agents import AgentProgram, agent_program

__all__ = ["AgentProgram", "agent_program"]
