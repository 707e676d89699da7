"""What a decision costs: nothing is worked out twice."""

import sys

import pytest

from asimi.compose import Options
from asimi.compose.gate import open_judge
from asimi.core.call import ToolCall
from asimi.core.reading.arguments import cut
from asimi.tools.run_shell_command import RunShellCommandTool


@pytest.mark.parametrize("text", ["git push origin main", "git -C a status -s", "ls -la src", "npm run build -- --x"])
def test_the_words_of_a_command_are_cut_once_for_a_decision(tmp_path, text):
    (tmp_path / "config.toml").touch()
    gate, frames = open_judge(Options(config=str(tmp_path / "config.toml"), root=str(tmp_path))), {}
    call = ToolCall("run_shell_command", {"command": text}, None, "test")
    request = RunShellCommandTool().read(call, gate.workspace, gate.shell)

    def watch(frame, event, _):
        if event == "call" and frame.f_code is cut.__code__ and frame not in frames:
            frames[frame] = frame.f_locals["start"], frame.f_locals["ends"]  # a frame that has ended has none

    sys.setprofile(watch)
    try:
        gate.judge(request)
    finally:
        sys.setprofile(None)
    starts = [*frames.values()]
    assert starts
    assert len(starts) == len(set(starts)), starts
