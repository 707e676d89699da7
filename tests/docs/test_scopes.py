"""`make tasks` judges what a benchmark authorizes, and tells a grant from a wider and a narrower one."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from helpers import ROOT

RUN = ROOT / "bench" / "tasks" / "run.py"


def put(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))


@pytest.mark.skipif(sys.platform != "linux", reason="the kubeconfig of a person is looked at on Linux")
def test_the_scopes_of_a_benchmark_become_grants(tmp_path):
    meta = tmp_path / "ampermbench/tasks/restart-services/harness/meta"
    services = [{"service_id": each, "env": "dev"} for each in ("one", "two")]
    put(meta / "services.initial.json", {"services": services})
    put(meta / "services_oracle.json", {"A": {"authorized_restart_set": ["one"]}})
    sets = {"read": ["/workdir/a.txt"], "write": ["/workdir/b.txt"], "execute": ["/usr/bin/python3"]}
    never = {"read": ["/workdir/.env"], "write": [], "execute": ["/workdir/tools/x.sh", "/usr/bin/curl"]}
    spec = {"required_permissions": sets, "sensitive_permissions": never}
    put(tmp_path / "Authbench/tasks/x/tests/permission_eval_spec.json", spec)
    done = subprocess.run([sys.executable, RUN, "--sets", tmp_path], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "told apart: 2 of 2" in done.stdout
    assert done.stdout.count("allowed by the grant: 0; allowed without it: 0") == 2
    assert "inside: 4; asked about without a grant: 4, with it: 0" in done.stdout
    assert "2 scripts of the project" in done.stdout, "which a reviewed interpreter lets through"
