"""Secrets leave a text before it is written down."""

import time

import pytest

from asimi.world.audit.redaction import REDACTED, Redaction

REDACTION = Redaction(
    {"DEPLOY_TOKEN": "correct-horse", "HOME": "/home/someone", "SHORT_KEY": "abc", "EDITOR": "an-editor-name"}
)

# a text, and what must not be in the log of it
SECRETS = [
    ("login --password hunter2 now", "hunter2"),
    ("login --password=hunter2", "hunter2"),
    ("login --password 'hunter 2'", "hunter 2"),
    ('login --password "hunter\\"2"', "hunter"),
    ("login -password hunter2", "hunter2"),
    ("tool --api-key abcdef", "abcdef"),
    ("tool --github-token abcdef", "abcdef"),
    ("tool --client-secret=abcdef", "abcdef"),
    ("tool --PASSWORD hunter2", "hunter2"),
    ("export API_TOKEN=abcdef; ls", "abcdef"),
    ("DB_PASSWORD='a b c' psql", "a b c"),
    ("AWS_SECRET_ACCESS_KEY=abcd/efgh aws s3 ls", "abcd/efgh"),
    ("bash -c 'MY_TOKEN=abcdef run'", "abcdef"),
    ('curl -d \'{"password": "hunter2"}\' http://h', "hunter2"),
    ("echo password: hunter2", "hunter2"),
    ("SSH_KEY=abcdef x", "abcdef"),
    ("git clone https://me:hunter2@example.org/r.git", "hunter2"),
    ("git clone https://0123456789abcdef0123@example.org/r.git", "0123456789abcdef0123"),
    ("psql postgres://u:p%40ss@db/x", "p%40ss"),
    ("curl -u me:hunter2 http://h", "hunter2"),
    ("curl --user me:hunter2 http://h", "hunter2"),
    ("curl -ume:hunter2 http://h", "hunter2"),
    ("curl -H 'Authorization: Bearer abcdefghijk' http://h", "abcdefghijk"),
    ("curl -H 'authorization: Basic YWJjOmRlZg==' http://h", "YWJjOmRlZg"),
    ("curl -H 'Cookie: session=abcdef' http://h", "abcdef"),
    ("curl -H 'X-Api-Key: abcdef' http://h", "abcdef"),
    ('curl -d "{\\"password\\": \\"hunter2\\"}" http://h', "hunter2"),
    ("login --password \\\n hunter2", "hunter2"),
    ("TOKEN+=abcdef x", "abcdef"),
    ("PASSWORD=a\\ bcdef x", "bcdef"),
    ("docker login -u me -p hunter2 reg", "hunter2"),
    ("az login --service-principal -p hunter2", "hunter2"),
    ("redis-cli -h x -a hunter2 ping", "hunter2"),
    ("unzip -P hunter2 a.zip", "hunter2"),
    ("curl 'https://h/?a=1&sig=abcdef'", "abcdef"),
    ("curl 'https://h/?key=abcdef&a=1'", "abcdef"),
    ("curl https://hooks.slack.com/services/T0/B0/abcdef", "abcdef"),
    ("put 'AccountKey=abcdef=='", "abcdef"),
    ("mysql -u root -phunter2 db", "hunter2"),
    ("mysqldump --all -phunter2", "hunter2"),
    ("sshpass -p hunter2 ssh h", "hunter2"),
    ("echo AKIAIOSFODNN7EXAMPLE", "AKIAIOSFODNN7EXAMPLE"),
    ("echo ghp_0123456789abcdefghijABCDEFGHIJ012345", "ghp_0123456789"),
    ("echo github_pat_11ABCDEFG0abcdefghij_abcdefghij", "github_pat_11"),
    ("echo glpat-abcdefghij0123456789", "glpat-abc"),
    ("echo sk-abcdefghij0123456789", "sk-abc"),
    ("echo sk-proj-abcdefghij0123456789", "abcdefghij"),
    ("echo sk_live_abcdefghij0123456789", "sk_live_abc"),
    ("echo xoxb-1234567890-abcdefghij", "xoxb-123"),
    ("echo npm_abcdefghijklmnopqrstuvwxyz0123456789", "npm_abc"),
    ("echo eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abcdef", "eyJzdWIi"),
    ("echo '-----BEGIN RSA PRIVATE KEY-----\nMIIabc\n-----END RSA PRIVATE KEY-----' > k", "MIIabc"),
    ("echo '-----BEGIN PRIVATE KEY-----\nMIIabc", "MIIabc"),
    ("echo correct-horse", "correct-horse"),
    ("echo 'xcorrect-horsex'", "correct-horse"),
]

PLAIN = [
    "git status && npm --version",
    "git commit --author 'A U Thor <a@example.org>' -m 'the key idea'",
    "ls -la /home/someone",
    "curl -s https://example.org/path?x=1",
    "git push -u origin main",
    "rg -n 'keyboard' src",
    "docker run --rm -p 8080:80 image",
    "echo an-editor-name abc",
    "ssh git@github.com",
]


@pytest.mark.parametrize(("text", "secret"), SECRETS)
def test_a_secret_leaves_the_text(text, secret):
    shown = REDACTION.text(text)
    assert secret not in shown
    assert REDACTED in shown


@pytest.mark.parametrize("text", PLAIN)
def test_what_is_no_secret_stays(text):
    assert REDACTION.text(text) == text


def test_the_rest_of_the_text_stays():
    assert REDACTION.text("a; login --password hunter2 && b") == f"a; login --password {REDACTED} && b"
    assert REDACTION.text("X_TOKEN=abc Y=1 z") == f"X_TOKEN={REDACTED} Y=1 z"


def test_redacting_twice_changes_nothing_more():
    for text, _ in SECRETS:
        once = REDACTION.text(text)
        assert REDACTION.text(once) == once


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (["--password", "a b"], ["--password", REDACTED]),
        (["--password=a b"], [f"--password={REDACTED}"]),
        (["-u", "me:pw"], ["-u", REDACTED]),
        (["--token", "x", "y"], ["--token", REDACTED, "y"]),
        (["status", "--short"], ["status", "--short"]),
        (["--verbose", "password"], ["--verbose", "password"]),
        (["https://me:pw@h/"], [f"https://me:{REDACTED}@h/"]),
        (["-H", "Authorization: Bearer a b"], ["-H", f"Authorization: {REDACTED}"]),
    ],
)
def test_an_argument_after_a_secret_option_is_one_value(words, shown):
    assert REDACTION.words(words) == shown


@pytest.mark.parametrize(
    "piece",
    [
        "a_", "token_", "-token-", "token", "eyJ-", "eyJaaaaaaaa-", "://a", "http://a:", "mysql ", "x-", "-u ", "-u",
        'password="', "'a", "sk-", "secret: ", " ", "bearer ", "-----BEGIN PRIVATE KEY-----", "sshpass ", "--a-",
        "auth", "a:", '="\\', "pass", "cookie", "authorization:\t",
    ],
)  # fmt: skip
def test_no_text_makes_redaction_slow(piece):
    text = ("= : :// - " + piece * 70000)[: 128 << 10]
    started = time.monotonic()
    REDACTION.text(text)
    assert time.monotonic() - started < 30  # linear patterns take some 0.1 s, quadratic ones minutes


@pytest.mark.parametrize(
    ("program", "words"),
    [("mysql", ["-phunter2"]), ("mysql", ["-u", "me", "-phunter2", "db"]), ("sshpass", ["-p", "hunter2", "ssh", "h"])],
)
def test_what_only_the_program_makes_a_secret_leaves_its_arguments(program, words):
    shown = REDACTION.words(words, program)
    assert not any("hunter2" in word for word in shown)
    assert len(shown) == len(words)


def test_a_program_hides_no_argument_that_is_none():
    assert REDACTION.words(["-p", "80:80", "--rm", "x"], "docker") == ["-p", "80:80", "--rm", "x"]
