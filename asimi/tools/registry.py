"""The tools there are, by name."""

from __future__ import annotations

from asimi.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import ClassVar

    from asimi.tools.base import AITool


class ToolRegistry:
    """The tools that callers can name; one for the whole process, however often it is constructed."""

    _only: ClassVar[ToolRegistry | None] = None
    _tools: ClassVar[dict[str, AITool]] = {}

    def __new__(cls) -> ToolRegistry:  # noqa: PYI034 - there is one, and it is of this class
        """The one registry."""
        if cls._only is None:
            cls._only = super().__new__(cls)
        return cls._only

    def register_tool(self, tool: AITool) -> None:
        """Make a tool known.

        Raises:
            ValueError: another tool has its name.
        """
        known = self._tools.setdefault(tool.name, tool)
        if known is not tool and type(known) is not type(tool):
            raise ValueError(f"there is a tool {tool.name!r} already, a {type(known).__name__}")
        self._tools[tool.name] = tool

    def get_tool(self, name: str) -> AITool | None:
        """The tool of a name, or None."""
        return self._tools.get(name)

    def get_all_tools(self) -> list[AITool]:
        """Every tool, in the order they were registered."""
        return list(self._tools.values())

    def get_tools_by_category(self, category: str) -> list[AITool]:
        """The tools of a category."""
        return [tool for tool in self if tool.category == category]

    def get_tools_by_tag(self, tag: str) -> list[AITool]:
        """The tools that carry a tag."""
        return [tool for tool in self if tag in tool.tags]

    def __iter__(self) -> Iterator[AITool]:
        return iter(self.get_all_tools())

    def __contains__(self, name: object) -> bool:
        return name in self._tools

    def __len__(self) -> int:
        return len(self._tools)
