"""asimi as a tool of agent frameworks, one module each: `asimi.adapters.langchain` is in the extra `frameworks`."""

from asimi.core.extras import load

__path__ = load("frameworks").__path__
