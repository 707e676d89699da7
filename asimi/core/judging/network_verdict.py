"""The verdict on a name on the network, by the configuration, a person's answers and a box's own list.

*Deny* is a search: it holds for every port if none is written, for every spelling of an address, and for every name
that leads to a denied address. *Allow* is a proof: what has two readings is not a name (`names`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.core.call import Act, Assurance, Decision, Deed, Offer, Question, Reason, Request, Verdict
from asimi.core.errors import AsimiError
from asimi.core.judging.names import GROUPS, WEB, Name, host_of, is_address, is_loopback, leads_to, name_of
from asimi.core.judging.rules import REACH, Rule, entry_of
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from asimi.core.call import Place
    from asimi.core.settings import NetworkSettings


ANYWHERE = (Name("0.0.0.0/0"), Name("::/0"))
"""All addresses."""


class NameVerdict(NamedTuple):
    """What becomes of a name.

    Attributes:
        verdict: whether it is reached.
        why: in words.
        private: to which private addresses it may lead.
        rule: the rule that decided, where that is an answer or an entry; None for a list.
        leads: the private addresses that are asked about, where only these are.
    """

    verdict: Verdict
    why: str
    private: tuple[Name, ...] = ()
    rule: Rule | None = None
    leads: tuple[str, ...] = ()


class Lists(NamedTuple):
    """What is said of names.

    Attributes:
        allow: what is reached.
        deny: what is not, whatever else says so.
        private: what may lead to private addresses: names, and blocks of addresses.
        needless: what an agent asks for at its start and does without.
        unlisted: what becomes of the rest: ASK or DENY.
        rules: answers and entries about single names.
    """

    allow: tuple[Name, ...] = ()
    deny: tuple[Name, ...] = ()
    private: tuple[Name, ...] = ()
    needless: tuple[Name, ...] = ()
    unlisted: Verdict = Verdict.ASK
    rules: tuple[Rule, ...] = ()

    def judge(self, host: str, port: int, *, starting: bool = False) -> NameVerdict:
        """What becomes of a name and port, before its address is known.

        Args:
            host: its name, as `host_of` spells it.
            port: its port.
            starting: whether no call of the agent has run yet, so the agent itself wants the name.
        """
        shown = str(Name(host, port))
        if denied := _covering_name(self.deny, host, port):
            return NameVerdict(Verdict.DENY, f"network.deny has {denied}")
        mine = [(rule, name) for rule in self.rules if (name := name_in(rule)) is not None]
        mine.sort(key=lambda each: not opened_by(each[0]))  # one that opens an address says more
        told = {
            verdict: next(
                (
                    rule
                    for rule, name in mine
                    if rule.verdict is verdict and name.covers(host, port, denies=verdict is not Verdict.ALLOW)
                ),
                None,
            )
            for verdict in Verdict
        }
        if (rule := told[Verdict.DENY]) is not None:
            return NameVerdict(Verdict.DENY, f"a rule denies it: {rule.entry}", rule=rule)
        private: tuple[Name, ...] = ANYWHERE if _covering_name(self.private, host, port) else ()
        if (rule := told[Verdict.ASK]) is not None:
            return NameVerdict(Verdict.ASK, f"a rule asks about it each time: {rule.entry}", private, rule)
        allowing = [each for each in self.allow if each.covers(host, port) and each.host != "localhost"]
        if allowing:
            private = ANYWHERE if any(each.private for each in allowing) else private
            return NameVerdict(Verdict.ALLOW, f"{allowing[0]} is on the list", private)
        if (rule := told[Verdict.ALLOW]) is not None:
            private += opened_by(rule)
            return NameVerdict(Verdict.ALLOW, f"a rule allows it: {rule.entry}", private, rule)
        if is_loopback(host):
            why = f"{host} is its own in there, and needs no proxy; a server of this machine needs localhost:{port}"
            return NameVerdict(Verdict.DENY, f"{why} in network.allow, or --reach")
        if self.unlisted is Verdict.DENY:
            return NameVerdict(Verdict.DENY, f'nothing lists {shown}, and network.unlisted = "reject"')
        if starting and _covering_name(self.needless, host, port):
            return NameVerdict(Verdict.DENY, f"the agent's profile says that it does without {shown}")
        if not is_address(host) or not (why := self.usable(host, port, private)):
            return NameVerdict(Verdict.ASK, f"nothing lists {shown}", private)
        found = self.private_question((host,), port)
        return NameVerdict(Verdict.DENY, why) if found is None else found._replace(leads=())

    def private_question(self, addresses: Sequence[str], port: int) -> NameVerdict | None:
        """The question whether a name may lead to private addresses, which it does; None where no answer opens them.

        Args:
            addresses: as numbers.
            port: of the connection.
        """
        hosts = [host_of(f"[{each}]" if ":" in each else each) for each in addresses]
        shut = any(is_loopback(each) or self.usable(each, port, ANYWHERE) for each in hosts)
        if shut or self.unlisted is Verdict.DENY:
            return None
        where = f"the private address{'es' * (len(hosts) > 1)} {', '.join(hosts)} of your network"
        opened = tuple(map(Name, hosts))
        return NameVerdict(Verdict.ASK, f"it leads to {where}", opened, leads=tuple(map(str, opened)))

    def ports(self, host: str) -> tuple[int, ...]:
        """The ports on which a name may be allowed: those of the web, and those that are written for it."""
        names = [*self.allow, *(name for rule in self.rules if (name := name_in(rule)) is not None)]
        written = {each.port for each in names if each.port and each.covers(host, each.port)}
        return tuple(sorted(written.union(WEB)))

    def usable(self, address: str, port: int, private: Sequence[Name]) -> str:
        """Why an address that a name leads to is not connected to; empty where it is.

        Args:
            address: as numbers.
            port: of the connection.
            private: to which private ones the name may lead.
        """
        host = host_of(f"[{address}]" if ":" in address else address)
        if denied := _covering_name(self.deny, host, port):
            return f"it leads to {address}, and network.deny has {denied}"
        leads = leads_to(host)
        if leads == "never":
            return f"it leads to {address}, which is no machine's, or where clouds tell their machines secrets"
        if leads == "private" and not _covering_name((*private, *self.private), host, port):
            if is_loopback(host):
                return f"it leads to {address}, this machine itself: for a server here, list localhost:{port}"
            return f"it leads to the private address {address}: list the name with its port, or use network.private"
        return ""


def lists_of(network: NetworkSettings, more: Iterable[Name] = (), needless: Iterable[Name] = ()) -> Lists:
    """The lists of the configuration, with the names that a caller adds and those that an agent does without.

    The lists leave groups out: the caller adds the names of each.
    """
    allow = tuple(name_of(each) for each in network.allow if each not in GROUPS)
    return Lists(
        (*more, *allow),
        tuple(name_of(each, blocks=True) for each in network.deny),
        tuple(name_of(each, blocks=True) for each in network.private),
        tuple(needless),
        Verdict.DENY if network.unlisted == "reject" else Verdict.ASK,
        network.rules,
    )


def _covering_name(names: Iterable[Name], host: str, port: int) -> Name | None:
    return next((each for each in names if each.covers(host, port, denies=True)), None)


def name_in(rule: Rule) -> Name | None:
    """The name that a rule is about; None for a rule about commands."""
    found = _names_of_rule(rule)
    return found[0] if found else None


def opened_by(rule: Rule) -> tuple[Name, ...]:
    """The private addresses that a rule about a name lets that lead to; of an address, that itself."""
    name, *addresses = _names_of_rule(rule)
    return (*addresses, Name(name.host)) if is_address(name.host) else (*addresses,)


def _names_of_rule(rule: Rule) -> tuple[Name, ...]:
    """The name that a rule is about, and the addresses behind it; nothing for a rule about commands."""
    if rule.tool != REACH or any(len(each) > 1 for each in rule.words or ()):
        return ()
    name, *addresses = [each[0] for each in rule.words or ()] if rule.line is None else rule.line.split(" ")
    try:
        return name_of(name)._replace(private=False), *(name_of(each, blocks=True) for each in addresses)
    except AsimiError:
        return ()


def question_of(
    wanted: tuple[str, int],
    found: NameVerdict,
    place: Place,
    words: str,
    *,
    agent: str | None,
    call: str,
    session: bool,
    patience: float,
) -> Question:
    """The question whether a name is reached.

    Args:
        wanted: the name and its port.
        found: why it is asked.
        place: the project, for which an answer for good holds.
        words: the program that wants it, as it calls itself.
        agent: whose box it is.
        call: the id of the call that it belongs to; empty for none.
        session: whether a session can keep an answer.
        patience: seconds after which no answer is a no.
    """
    said = (str(Name(*wanted)), *found.leads)
    name = " ".join(said)
    request = Request(REACH, name, None, place, "plain", words, id=call or None, agent=agent or "")
    code, rule = ("unlisted", None) if found.rule is None else ("ask_by_rule", found.rule)
    reason = Reason(code, found.why, None, rule.entry if rule else None, rule.source if rule else None)
    offered = () if rule else offers(said)
    voice = Assurance.TERMINAL if rule is not None and rule.terminal else Assurance.ASKED
    decision = Decision(Verdict.ASK, (reason,), offers=offered, needed=(entry_of(REACH, said),), voice=voice)
    does = Act("network", "connects to it; what is sent there is not looked at")
    return Question(request, decision, session, patience, deeds=(Deed(name, (0, len(name)), ("network",), (does,)),))


def offers(words: tuple[str, ...]) -> tuple[Offer, ...]:
    """The rule that a yes to a name could be kept as: exactly that name, which a person may widen.

    Args:
        words: the name with its port, and the private addresses that it leads to.
    """
    where = ", at this address" if len(words) > 1 else ""
    return (Offer(f"this name on this port{where}", (_rule(Verdict.ALLOW, words),)),)


def denials(text: str) -> tuple[Offer, ...]:
    """What "never" could store of a name and port, the narrowest first.

    Args:
        text: the name and the port, as a question has them, and what is behind them.
    """
    name = name_of(text.partition(" ")[0])
    wider = Offer("this name on every port", (_rule(Verdict.DENY, (str(Name(name.host)),)),))
    return Offer("this name on this port", (_rule(Verdict.DENY, (str(name),)),)), wider


def _rule(verdict: Verdict, words: tuple[str, ...]) -> Rule:
    return Rule(verdict, REACH, tuple((each,) for each in words), entry_of(REACH, words), "a person")
