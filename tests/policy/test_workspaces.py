"""A check in packages of a workspace is allowed where a person has confirmed it in each of them, and nowhere else."""

import itertools
import json

import pytest
from helpers.checked import confirmed, write

from asimi.core.call import Verdict

ALLOW, ASK = Verdict.ALLOW, Verdict.ASK


def package(name, scripts=None, **more):
    return json.dumps({"name": name, **({} if scripts is None else {"scripts": scripts}), **more})


def installed(where, name, tool):
    """The files by which pnpm installs a package: once, with a link to it and a shim beside it."""
    store = f"node_modules/.pnpm/{name}@1.0.0/node_modules/{name}"
    up = "../" * (len([each for each in where.split("/") if each]) + 1)
    inside = f"{where}/" if where else ""
    return {
        f"{store}/package.json": package(name, version="1.0.0", bin={tool: f"bin/{tool}"}),
        f"{store}/bin/{tool}": "1\n",
        f"{inside}node_modules/{name}": f"-> {up}{store}",
        f"{inside}node_modules/.bin/{tool}": "#!/bin/sh\nexec node x\n",
    }


SCRIPTS = {"test": "vitest run", "lint": "eslint .", "build": "vite build", "deploy": "ship"}
FILES = {
    "package.json": package("top", SCRIPTS, workspaces=["apps/*", "packages/*"], devDependencies={"typescript": "5"}),
    "pnpm-workspace.yaml": "packages:\n  # what is shipped\n  - 'apps/*'\n  - \"packages/*\"\n  - '!packages/old'\n",
    "apps/web/package.json": package("web", SCRIPTS, devDependencies={"vitest": "1"}),
    "apps/web/src/x.ts": "",
    "packages/ui/package.json": package("@acme/ui", {"test": "x"}),
    "packages/plain/package.json": package("plain"),
    "packages/notes/readme.md": "",
    "tsconfig.json": "{}",
    "apps/web/tsconfig.json": "{}",
    **installed("", "typescript", "tsc"),
    **installed("apps/web", "vitest", "vitest"),
}


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    return confirmed(tmp_path_factory.mktemp("home"), FILES)


@pytest.fixture
def own(tmp_path):
    """A workspace that a test may change."""
    return confirmed(tmp_path, FILES)


PLACES = {
    "pnpm {}": ("-C apps/web", "--dir apps/web", "--dir=apps/web", "-C ./apps/../apps/web"),
    "pnpm {} ": (
        "--filter web",
        "--filter=web",
        "-F web",
        "--filter ./apps/web",
        "--filter './apps/*'",
        "--filter web...",
    ),
    "pnpm {}  ": ("-r", "--recursive --parallel", "-w", "-r --if-present --stream", "--filter web --filter @acme/ui"),
    "npm {}": ("--prefix apps/web", "--prefix=apps/web", "-C apps/web", "-w web", "--workspace=web", "-w apps/web"),
    "npm {} ": ("-ws", "--workspaces --if-present", "-w web -w @acme/ui", "-w packages/ui"),
    "yarn {}": ("--cwd apps/web", "--cwd=apps/web", "workspace web", "workspace @acme/ui"),
    "bun {}": ("--cwd apps/web", "--cwd=apps/web"),
}
"""How a package manager is told where it runs a script."""

WAYS = [way.strip().format(place) for way, places in PLACES.items() for place in places]


@pytest.mark.parametrize("way", WAYS)
def test_a_script_is_a_check_wherever_its_manager_is_told_to_run_it(project, way):
    assert project.decision(f"{way} run test").verdict is ALLOW, project.decision(f"{way} run test").reasons


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "script", ["deploy", "start", "evil", "test ../../../x", "test --script-shell=./x", "test; ./x"]
)
def test_what_is_no_check_is_none_in_a_package(project, way, script):
    assert (
        project.verdict(f"{way} run {script}" if "shell" not in script else f"{way} --script-shell=./x run test")
        is not ALLOW
    )


@pytest.mark.parametrize("text", ["cd apps && pnpm -C web test", "cd packages/ui && pnpm --filter web test"])
def test_a_place_counts_from_where_the_text_is(project, text):
    assert project.verdict(text) is ALLOW


@pytest.mark.parametrize("text", ["npm run test {}", "npm test {}", "npm run {} test"])
@pytest.mark.parametrize("place", ["-w web", "--workspace=web", "--workspaces", "--prefix apps/web"])
def test_npm_takes_the_place_anywhere(project, text, place):
    assert project.verdict(text.format(place)) is ALLOW


ELSEWHERE = ["/tmp", "..", "out", "$x", "missing", "''", "-x", "packages/notes"]


@pytest.mark.parametrize(
    "text",
    [
        way.format(place)
        for way, place in itertools.product(
            (
                *("pnpm -C {} test", "pnpm --filter {} test", "npm --prefix {} test", "npm test -w {}"),
                *(
                    "yarn --cwd {} test",
                    "yarn workspace {} test",
                    "bun --cwd {} run test",
                    "pnpm -C apps/web -C {} test",
                ),
            ),
            ELSEWHERE,
        )
        if not ("packages/notes" in place and way.startswith(("pnpm -C {", "npm --prefix", "yarn --cwd", "bun")))
        and not (place == "missing" and way.startswith(("pnpm -C", "npm --prefix", "yarn --cwd", "bun")))
    ],
)
def test_what_is_no_package_of_the_project_is_asked_about(project, text):
    assert project.verdict(text) is not ALLOW


@pytest.mark.parametrize(
    "text",
    """
pnpm -C apps/web exec vitest run src/x.ts
pnpm -C apps/web vitest run --reporter=verbose
pnpm --filter web exec vitest run
pnpm --filter web exec tsc --noEmit -p tsconfig.json
npm exec -w web -- vitest run
yarn workspace web vitest run
yarn --cwd apps/web vitest run
npx tsc --noEmit -p apps/web/tsconfig.json
npx tsc --noEmit -p apps/web
cd apps/web && npx tsc --noEmit
""".strip().splitlines(),
)
def test_a_tool_is_a_check_in_a_package_that_has_it(project, text):
    assert project.decision(text).verdict is ALLOW, project.decision(text).reasons


@pytest.mark.parametrize(
    "text",
    """
pnpm exec vitest run
pnpm --filter @acme/ui exec vitest run
pnpm -r exec vitest run
pnpm -C apps/web exec zap
pnpm -C /tmp exec tsc
pnpm --filter web dlx vitest
pnpm --filter web publish
pnpm -r publish
pnpm -r deploy
pnpm --filter web add x
pnpm --filter '[origin/main]' test
pnpm --filter web --use-node-version 1 test
npm --prefix apps/web exec -- vitest run
npm publish -w web
npm version patch --no-git-tag-version -w web
npx tsc -p /tmp
npx tsc -p apps/web/tsconfig.evil.json
npx tsc -p ../x
""".strip().splitlines(),
)
def test_another_tool_or_verb_is_asked_about(project, text):
    assert project.verdict(text) is not ALLOW


@pytest.mark.parametrize(
    ("name", "text"),
    {
        "apps/web/package.json": package("web", {**SCRIPTS, "test": "evil"}),
        "packages/ui/package.json": package("@acme/ui", {"test": "evil"}),
        "packages/new/package.json": package("new", {"test": "evil"}),
        ".npmrc": "script-shell=./x\n",
        "apps/web/.npmrc": "script-shell=./x\n",
    }.items(),
)
def test_a_package_that_has_changed_is_asked_about_with_the_others(own, name, text):
    assert own.verdict("pnpm -r test") is own.verdict("npm test -ws") is ALLOW
    write(own.path, {name: text})
    assert own.verdict("pnpm -r test") is own.verdict("npm test -ws") is ASK
    own.checks.confirm(own.root)
    assert own.verdict("pnpm -r test") is own.verdict("npm test -ws") is ALLOW


def test_a_package_that_takes_the_name_of_another_one_is_looked_at_itself(own):
    write(own.path, {"packages/evil/package.json": package("web", {"test": "evil"})})
    assert own.verdict("pnpm --filter web test") is ASK
    assert own.verdict("pnpm -C apps/web test") is ALLOW


@pytest.mark.parametrize(
    "settings",
    [
        "packages:\n  - '../*'\n",
        "packages:\n  - '{apps,x}/*'\n",
        "packages: &x\n  - apps/*\n",
        "packages:\n  apps: x\n",
    ],
)
def test_what_nobody_here_can_read_is_no_workspace(own, settings):
    write(own.path, {"pnpm-workspace.yaml": settings})
    own.checks.confirm(own.root)
    assert own.verdict("pnpm --filter web test") is ASK


@pytest.mark.parametrize(
    "settings", ["packages: ['apps/*', \"packages/*\"]\n", "packages:\n- apps/web\n", "catalog: {}\n"]
)
def test_the_spellings_of_a_list_of_packages(own, settings):
    (own.path / "out").unlink()  # it leads out of the project
    write(own.path, {"pnpm-workspace.yaml": settings, "package.json": package("top", SCRIPTS)})
    own.checks.confirm(own.root)
    assert own.verdict("pnpm --filter web test") is ALLOW


@pytest.mark.parametrize(
    "before",
    [
        "mkdir -p packages/evil && cp x packages/evil/package.json",
        "cp -r x packages/evil",
        "mv x packages",
        "echo x > packages/new/package.json",
        "sed -i s/a/b/ packages/ui/package.json",
        "echo x >> pnpm-workspace.yaml",
        "git checkout x",
    ],
)
@pytest.mark.parametrize("text", ["pnpm --filter web test", "npm test -w web", "yarn workspace web test"])
def test_what_may_bring_another_package_before_that_is_asked_about(project, before, text):
    assert project.verdict(f"{before} && {text}") is ASK
    assert project.verdict(f"touch apps/web/src/y.ts && sed -i s/a/b/ packages/ui/x.ts && {text}") is ALLOW
