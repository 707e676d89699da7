"""Rules as `asimi policy add` keeps them, without its questions."""

from asimi.world.config.store import RuleStore


def add(configuration, text, verdict, *, project=False, expires=None):
    """Keep the rule that an entry means; with the file as its source."""
    store = RuleStore(configuration)
    rule = store.rule_for(text, verdict, expires=expires)
    return rule._replace(source=store.remember((rule,), project=project))
