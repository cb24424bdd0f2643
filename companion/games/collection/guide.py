"""How COLLECTION! goes, in short: what pages show to who never played it."""

from __future__ import annotations

from companion.games.collection.board import TOP_CRISIS
from companion.games.collection.components import Components
from companion.rules.kernel import Guide, Term
from companion.text import plural, t


def guide(components: Components) -> Guide:
    """Return the game in short, with the numbers of its own deck."""
    return Guide(
        aim=t(
            "You win together, or lose together. Have the collectors report until every circle is full, "
            "before a crisis reaches {top}.",
            top=TOP_CRISIS,
        ),
        turn=(
            plural(
                "Take {count} action: MOVE, ENGAGE or ROLL.",
                "Take {count} actions: MOVE, ENGAGE and ROLL, as you like. You may stop earlier.",
                count=components.actions,
            ),
            t(
                "Use a report at once: put its gem into the circle, or bring the crisis down by one, where it "
                "is above {floor}.",
                floor=components.crisis_floor,
            ),
            t(
                "Draw a collection card. A red one is played at once; a blue one you may keep for a later "
                "turn of yours."
            ),
            t("The player at your left goes on."),
        ),
        choices=(
            Term(t("MOVE"), t("To another collector of the same scenario, or to the same collector in another one.")),
            Term(
                t("ENGAGE"),
                t(
                    "Put a gem of your colour where you stand; it stays there. The first gem there puts the "
                    "collector's coin on the response ladder, as high as the crisis, at most on {level}.",
                    level=components.start_response,
                ),
            ),
            Term(
                t("ROLL"),
                t(
                    "A die for each gem there of the colour that you want a report of, {most} at most. If one "
                    "shows less than the collector's level, you have a report. 0 counts as ten.",
                    most=components.most_dice,
                ),
            ),
        ),
        end=(
            t("You have won as soon as the circles of all active scenarios are full."),
            t("You have lost as soon as a crisis reaches {top}, even that of a complete scenario.", top=TOP_CRISIS),
        ),
        points=(t("The points are the reports in the circles: ten a scenario. Everybody has the same."),),
        terms=(
            Term("DH", t("Defense HUMINT, a collector: the military's people who talk to people."), short=True),
            Term("DO", t("Directorate of Operations, a collector: the CIA's people abroad."), short=True),
            Term(
                "NGA",
                t("National Geospatial-Intelligence Agency, a collector: maps and pictures from above."),
                short=True,
            ),
            Term("NSA", t("National Security Agency, a collector: what is said over wires and radio."), short=True),
            Term("OSE", t("Open Source Enterprise, a collector: what everybody can read and hear."), short=True),
            Term("STATE", t("Department of State, a collector: what diplomats report."), short=True),
            Term(t("collector"), t("A source of reports; each has a space in every scenario: “DH in A”.")),
            Term(
                t("scenario A, B, C"), t("Three countries in a crisis. A is active from the start; cards open B and C.")
            ),
            Term(t("crisis ladder"), t("How bad it is in a scenario, from 1 to {top}.", top=TOP_CRISIS)),
            Term(t("response ladder"), t("How willing a collector is. The higher, the more rolls succeed.")),
            Term(t("engagement"), t("The gems on a collector's space. Whoever rolls there rolls for all of them.")),
            Term(t("political, military, economic"), t("The kinds of gems and reports: blue, red, green.")),
            Term(t("circle"), t("Where a scenario's reports lie. Its card says how many of each kind it needs.")),
            Term(
                t("complete"),
                t(
                    "A scenario whose circle is full: its crisis falls to 1, its collectors fall by {drop}.",
                    drop=components.response_drop,
                ),
            ),
            Term(
                t("role"), t("What you are. Its card says which gems and reports are yours, and how you help others.")
            ),
            Term(t("help"), t("Who stands on your space gives you a die or a level more, as their role cards say.")),
            Term(t("crisis expansion"), t("A red card: the crisis rises by one, or a new scenario opens.")),
        ),
    )
