"""Does the text of every card say, in every language, what the card does?"""

import pytest

from services.golden_cup import content
from services.golden_cup.content.shapes import (
    Add,
    AllIcons,
    AtLeast,
    Bag,
    Drop,
    DropChampion,
    Effect,
    Fame,
    Improve,
    Modify,
    MoreDice,
    OnDefend,
    OnDevelop,
    OnIncome,
    OnOwnAttack,
    OnPlayIcon,
    OnScore,
    Op,
    PerCard,
    PerCardWith,
    PerDistinctIcon,
    PerEffectType,
    PerIcon,
    ScoreAtOnce,
    Sponsor,
    Supporter,
)
from tests.ledger import rule

EN = {
    "immediate": "At once", "shooting": "Shooting", "endgame": "At the end", "income": "In every campaign", "score": "When you score",
    "defend": "When your Defense counts", "own": "Your attacks", "other": "Opponent's attacks",
    "play": "For each {} icon you play", "develop": "When you develop {}", "or": " or ", "and": " and ", "scout": "Scout", "stadium": "Stadium",
    "with": " with {}", "all": " with all five icons", "per": " for each {} icon", "per2": " for every {} {} icons", "per_first": ", for each {} icon",
    "distinct": " for each different icon", "types": " for each different type of effect", "cards": " for each {} champion",
    "cards_with": " for each champion with a {} effect", "most": " (at most {})",
    "attack": "an Attack token", "defense": "a Defense token", "fame": "{:+} Fame", "sponsor": "a {:+} Sponsor token", "improve": "improve {1} by {0}",
    "add": "take {}", "drop": "discard {}", "champion": "discard another champion", "die": "1 more die", "dice": "{} more dice",
    "auto": "scores without a roll", "coin": "{:+} coin", "coins": "{:+} coins", "attack_down": "attack {:+}", "value": "value {:+}",
    "permanent": "permanent", "kind_shooting": "shooting", "from": "from",
}  # fmt: skip
IT = {
    "immediate": "Subito", "shooting": "Al tiro", "endgame": "A fine partita", "income": "In ogni campagna", "score": "Quando segni",
    "defend": "Quando la tua Difesa conta", "own": "I tuoi attacchi", "other": "Attacchi dell'avversario",
    "play": "Per ogni icona {} che giochi", "develop": "Quando sviluppi {}", "or": " o ", "and": " e ", "scout": "Scout", "stadium": "Stadio",
    "with": " con {}", "all": " con tutte e cinque le icone", "per": " per ogni icona {}", "per2": " ogni {} icone {}", "per_first": ", per ogni icona {}",
    "distinct": " per ogni icona diversa", "types": " per ogni tipo di effetto diverso", "cards": " per ogni campione {}",
    "cards_with": " per ogni campione con un effetto {}", "most": " (al massimo {})",
    "attack": "un gettone Attacco", "defense": "un gettone Difesa", "fame": "{:+} Fama", "sponsor": "un gettone Sponsor {:+}",
    "improve": "migliora di {0} {1}", "add": "prendi {}", "drop": "scarta {}", "champion": "scarta un altro campione", "die": "1 dado in più",
    "dice": "{} dadi in più", "auto": "segna senza tirare il dado", "coin": "{:+} moneta", "coins": "{:+} monete", "attack_down": "attacco {:+}",
    "value": "valore {:+}", "permanent": "permanente", "kind_shooting": "di tiro", "bronze": "di bronzo", "silver": "d'argento", "gold": "d'oro",
    "from": "da",
}  # fmt: skip
PHRASES = {"en": EN, "it": IT}


class Teller:
    """A second hand that writes the texts of cards, from what they do alone."""

    def __init__(self, language: str) -> None:
        self.say, self.names = PHRASES[language], content.WORDS[language].name

    def card(self, name: str) -> str:
        champion = content.CHAMPIONS[name]
        head = ", ".join(map(self.names, (champion.deck, *champion.icons)))
        return f"{head}. " + " ".join(map(self.effect, champion.effects))

    def effect(self, effect: Effect) -> str:
        many = isinstance(effect.per, PerIcon) and len(effect.ops) > 1
        first = self.say["per_first"].format(self.names(effect.per.icon)) if many else ""  # type: ignore[union-attr]
        done = ", ".join(self.op(op, effect) for op in effect.ops)
        return f"{self.when(effect)}{self.condition(effect)}{first}: {done}{'' if many else self.per(effect)}."

    def when(self, effect: Effect) -> str:
        match effect.trigger:
            case None:
                return self.say[effect.type]
            case OnPlayIcon(icon):
                return self.say["play"].format(self.names(icon))
            case OnDevelop(tracks):
                return self.say["develop"].format(self.say["or"].join(self.say[track] for track in tracks))
            case OnIncome():
                return self.say["income"]
            case OnScore():
                return self.say["score"]
            case OnDefend():
                return self.say["defend"]
            case _:
                return self.say["own" if isinstance(effect.trigger, OnOwnAttack) else "other"]

    def condition(self, effect: Effect) -> str:
        match effect.condition:
            case AtLeast(icons):
                return self.say["with"].format(
                    self.say["and"].join(f"{count} {self.names(icon)}" for icon, count in icons.items())
                )
            case AllIcons():
                return self.say["all"]
        return ""

    def op(self, op: Op, effect: Effect) -> str:
        say = self.say
        match op:
            case Fame(n) | Sponsor(n):
                return say["fame" if isinstance(op, Fame) else "sponsor"].format(n)
            case Improve(kind, n):
                return say["improve"].format(n, say[kind])
            case Add(kind, n):
                return say["add"].format(f"{kind[0].upper()}{n}")
            case Drop(kind):
                return say["drop"].format(say[kind])
            case DropChampion():
                return say["champion"]
            case MoreDice(n):
                return say["die"] if n == 1 else say["dice"].format(n)
            case ScoreAtOnce():
                return say["auto"]
            case Bag(n):
                return say["coin" if n == 1 else "coins"].format(n)
            case Modify(n):
                return say["attack_down"].format(-n) if isinstance(effect.trigger, OnDefend) else say["value"].format(n)

    def per(self, effect: Effect) -> str:
        say, per = self.say, effect.per
        match per:
            case None:
                return ""
            case PerIcon(icon, divide):
                told = say["per"].format(self.names(icon)) if divide == 1 else say["per2"].format(divide, self.names(icon))
            case PerDistinctIcon():
                told = say["distinct"]
            case PerCard(deck):
                told = say["cards"].format(say.get(deck, deck))
            case PerCardWith(kind):
                told = say["cards_with"].format(say["kind_shooting" if kind == "shooting" else kind])
            case PerEffectType():
                told = say["types"]
        return told + (say["most"].format(per.most) if per.most else "")


@rule("GC-340", "PL-358")
@pytest.mark.parametrize("language", PHRASES)
def test_the_text_of_every_champion_says_what_it_does(language: str) -> None:
    labels, teller = content.WORDS[language].sections["labels"], Teller(language)
    told = {name: labels[f"about_{name}"] for name in content.CHAMPIONS}
    assert told == {name: teller.card(name) for name in content.CHAMPIONS}


@rule("GC-524", "PL-358")
@pytest.mark.parametrize("language", PHRASES)
def test_the_text_of_every_supporter_names_all_its_tiers(language: str) -> None:
    def tiers(supporter: Supporter) -> str:
        return ", ".join(f"{PHRASES[language]['from']} {tier.at_least}: {tier.fame}" for tier in supporter.tiers)

    labels = content.WORDS[language].sections["labels"]
    for name, supporter in content.BASE.supporters.items():
        assert labels[f"about_{name}"].endswith(f" ({tiers(supporter)})."), name
        for part in (supporter.icon, supporter.least if supporter.least > 1 else None):
            assert part is None or content.WORDS[language].name(str(part)) in labels[f"about_{name}"].split(" (")[0], name
