"""The tools there are, by name."""

from __future__ import annotations

from asimi.core.startup import TYPE_CHECKING
from asimi.tools.base import AITool

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import ClassVar


class ToolRegistry:
    """The tools that callers can name: one registry for the whole process, as the tools' specification has it.

    However often it is constructed, it is the same one, so a tool that is registered is there for every caller.
    """

    _only: ClassVar[ToolRegistry | None] = None
    _tools: ClassVar[dict[str, AITool]] = {}

    def __new__(cls) -> ToolRegistry:  # noqa: PYI034 - there is one, and it is of this class
        """Return the one registry."""
        if cls._only is None:
            cls._only = super().__new__(cls)
        return cls._only

    def register_tool(self, tool: AITool) -> None:
        """Make a tool known to the whole process; one that is there already, with the same attributes, may come again.

        Raises:
            TypeError: it is no `AITool`.
            ValueError: another tool has its name, which it would replace for everybody.
        """
        if not isinstance(tool, AITool):
            raise TypeError(f"{type(tool).__name__} is not an AITool")
        known = self._tools.setdefault(tool.name, tool)
        if type(known) is not type(tool):
            raise ValueError(f"there is a tool {tool.name!r} already, a {type(known).__name__}")
        if vars(known) != vars(tool):
            raise ValueError(f"there is a tool {tool.name!r} already, for the whole process, which is set up otherwise")

    def get_tool(self, name: str) -> AITool | None:
        """Return the tool of a name, or None."""
        return self._tools.get(name)

    def get_all_tools(self) -> list[AITool]:
        """Return every tool, in the order they were registered."""
        return list(self._tools.values())

    def get_tools_by_category(self, category: str) -> list[AITool]:
        """Return the tools of a category."""
        return [tool for tool in self if tool.category == category]

    def get_tools_by_tag(self, tag: str) -> list[AITool]:
        """Return the tools that carry a tag."""
        return [tool for tool in self if tag in tool.tags]

    def __iter__(self) -> Iterator[AITool]:
        return iter(self.get_all_tools())

    def __contains__(self, name: object) -> bool:
        return name in self._tools

    def __len__(self) -> int:
        return len(self._tools)
