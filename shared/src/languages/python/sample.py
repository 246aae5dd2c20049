"""Module documentation."""
from . import base, other
from .models import User
import os.path as path, sys

MAX_RETRIES = 3
default_timeout: int = 10


@register("cache")
class Cache(base.Store):
    """Keeps values."""

    size = 0

    @property
    async def entries(self, limit: int = 1) -> list[str]:  # noqa
        """All entries."""
        local = 1
        return []

    def _wrap(self):
        def wrapper():
            pass
        return wrapper


if sys.version_info:
    def guarded():
        pass
