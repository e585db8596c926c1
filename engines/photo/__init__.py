"""A photographed face: one picture → a portrait that is moved by 52 blendshapes and a pose."""

from rt_avatar.engines.photo.engine import PhotoEngine
from rt_avatar.engines.photo.errors import PortraitError
from rt_avatar.engines.photo.landmarks import Landmarks
from rt_avatar.engines.photo.portrait import PhotoPortrait

__all__ = ["Landmarks", "PhotoEngine", "PhotoPortrait", "PortraitError"]
