"""The pages that come with the cards: a first page with the box cover, and one that tests the printer."""

from __future__ import annotations

from companion.codes import BACK, Code
from companion.eye.mat import CodePlace
from companion.press.drawing import CAP, LEADING, Drawing, box, circle, moved, paragraph, wrap
from companion.press.look import COVER, art_of
from companion.press.marks import qr, quiet_side
from companion.press.sheets import SCALE, ruler
from companion.rules.cards import Deck

INK, SOFT = "#22302c", "#55625c"
BODY = 4.2
"""Size (mm) of what is read at leisure."""
CARD = (85.6, 53.98)
"""Width and height (mm) of a bank card (ISO/IEC 7810, ID-1): everybody has one to lay on the page."""
STEPS = (0, 16, 32, 64, 128, 192, 224, 240, 250)
"""Gray levels of the wedge, from black; white paper is the last."""
FINE = (0.1, 0.2, 0.3, 0.5)
"""Widths (mm) of the fine lines: a printer that keeps those of 0.2 mm prints codes true."""
CODES = (10.0, 12.0, 14.0, 16.0)
"""Sides (mm) of the codes on the page; cards carry codes of 14 and 16 mm."""


def first_pages(deck: Deck, paper: tuple[float, float], *, codes: bool) -> tuple[Drawing, Drawing]:
    """Lay out the first sheet: the box cover, and on its back, so that all backs fit, how to print and cut."""
    front, back = Drawing(*paper), Drawing(*paper)
    scale = (paper[0] - 36) / COVER
    front.add(moved(cover_drawing(deck).items, 18, (front.h - COVER * scale) / 2 - 12, scale=scale))
    front.text(front.w / 2, front.h - 18.0, f"{deck.title}: {len(deck.cards)} pieces", BODY, colour=SOFT)
    steps = [
        "Print test-page.pdf first: it shows at a glance whether the printer prints dark, pale or scaled.",
        "Print at 100 % (“actual size”), on both sides, turned over the long edge. Card of 200 to 300 g is best; plain "
        "paper in sleeves will do.",
        "Measure the line below: it is 100 mm long, or the codes are too small for the camera.",
        "Cut along the marks. A millimetre of white more or less at the edge does no harm; codes must stay whole.",
    ]
    if not codes:
        steps[2] = "Measure the line below: it is 100 mm long, or the cards don't fit their places on the mat."
        steps[3] = "Cut along the marks. These cards carry no codes: the camera has to be taught their faces first."
    _steps(back, "How to print the cards", steps)
    return front, back


def _steps(page: Drawing, title: str, steps: list[str]) -> None:
    page.text(24, 36, title, 9.0, colour=INK, align="l", bold=True)
    y = 50.0
    for number, step in enumerate(steps, start=1):
        lines = wrap(step, BODY, page.w - 56)
        page.text(24, y + BODY * CAP, f"{number}.", BODY, colour=INK, align="l", bold=True)
        page.add(paragraph(32, y, lines, BODY, colour=INK, align="l"))
        y += BODY * LEADING * len(lines) + 2.6
    page.add(ruler(24, y + 14.0, SCALE))


def quick_page(deck: Deck, paper: tuple[float, float], table: int, cards: int) -> tuple[Drawing, list[str]]:
    """Lay out the first page of a quick print, and return what it says step by step.

    After it come `table` sheets of the mat, or 0 for the one with loose markers, and `cards` sheets of pieces.
    """
    first = 2 + (table or 1)
    steps = [
        f"Print all {first - 1 + cards} sheets on one side, at 100 % (“actual size”): the line below is 100 mm long.",
        f"Sheets 2 to {first - 1} are the mat. Cut off the margins that each sheet names, lay it over its neighbour, "
        "cross on cross, and tape them together. On the page /host/zones choose “Outlines on white”."
        if table
        else "Sheet 2 stands for a mat: cut out its six markers, and fasten them round the table as it says.",
        f"Cut up sheets {first} to {first - 1 + cards} along the marks; codes must stay whole. Plain paper lets a card "
        "be seen from behind: slip each into a sleeve with an old card behind it.",
        "Backs are not printed; the cards that show one are covers. Lay one on each deck, draw from under it, and take "
        "it away with the deck's last card.",
        "Who lays a card face down on the table, or turns one over there, lays a cover on it; it comes off when the "
        "card is turned up or taken. On a pile one is enough; cards in hands and tokens need none.",
    ]
    page = Drawing(*paper)
    _steps(page, f"{deck.title}, tonight", steps)
    return page, steps


def cover_drawing(deck: Deck) -> Drawing:
    """Draw a deck's box cover: COVER × COVER mm."""
    sheet = Drawing(COVER, COVER)
    art_of(deck.looks or deck.game).cover(sheet, deck)
    return sheet


def test_page(deck: Deck, paper: tuple[float, float]) -> Drawing:
    """Lay out the page that shows at a glance whether a printer prints dark, pale or scaled."""
    page = Drawing(*paper)
    page.text(18, 24, "Is the printer right?", 9.0, colour=INK, align="l", bold=True)
    y = _say(page, 18, 30, f"{deck.title}. Print this page as you will print the cards, and look at five things.")
    y = _size(page, y + 6)
    y = _wedge(page, y + 8)
    y = _lines(page, y + 8)
    _codes(page, deck, y + 8)
    return page


def _say(page: Drawing, x: float, y: float, words: str) -> float:
    """Write a paragraph, and return where it ends."""
    lines = wrap(words, BODY, page.w - x - 18)
    page.add(paragraph(x, y, lines, BODY, colour=INK, align="l"))
    return y + BODY * LEADING * len(lines)


def _head(page: Drawing, y: float, number: int, words: str, what: str) -> float:
    page.text(18, y + 4.0, f"{number}. {words}", 5.2, colour=INK, align="l", bold=True)
    return _say(page, 18, y + 7.5, what) + 2.0


def _size(page: Drawing, y: float) -> float:
    """Draw what has a known size: a line of 100 mm each way, and the outline of a bank card."""
    y = _head(
        page,
        y,
        1,
        "Size",
        "A bank card fits the outline exactly, and both lines are 100 mm long. If not, print again at 100 % "
        "(“actual size”, no “fit to page”).",
    )
    page.add(ruler(18, y + 6, "100 mm"))
    page.line(INK, 0.25, *box(18, y + 12, *CARD, 3.18), closed=True)
    page.text(18 + CARD[0] / 2, y + 12 + CARD[1] / 2 + 1.5, "a bank card", BODY, colour=SOFT)
    page.add(ruler(page.w - 30, y + 4, "100 mm", rotation=90))
    return y + 12 + CARD[1]


def _wedge(page: Drawing, y: float) -> float:
    wide = page.w - 80
    lines = wrap(
        "Every field shows a spot. None in the dark ones: too dark, choose less ink or “draft”. None in the pale ones: "
        "too pale, choose “best” or change the cartridge.",
        BODY,
        wide - 18,
    )
    page.text(18, y + 4.0, "2. Dark and pale", 5.2, colour=INK, align="l", bold=True)
    page.add(paragraph(18, y + 7.5, lines, BODY, colour=INK, align="l"))
    y += 7.5 + BODY * LEADING * len(lines) + 2
    step = (page.w - 36) / (len(STEPS) + 1)
    for i, level in enumerate((*STEPS, 255)):
        near = level + (20 if level < 128 else -6)
        page.fill(f"#{level:02x}{level:02x}{level:02x}", box(18 + i * step, y, step, 14))
        page.fill(f"#{near:02x}{near:02x}{near:02x}", circle(18 + (i + 0.5) * step, y + 7, 3.2))
    page.line(SOFT, 0.2, *box(18, y, step * (len(STEPS) + 1), 14), closed=True)
    return y + 14


def _lines(page: Drawing, y: float) -> float:
    y = _head(
        page,
        y,
        3,
        "Fine lines",
        "White lines that close up in the black field: too much ink or too soft a paper. Black lines that break: too "
        "little ink.",
    )
    half = (page.w - 42) / 2
    for side, (ground, ink) in enumerate((("#ffffff", "#000000"), ("#000000", "#ffffff"))):
        x = 18 + side * (half + 6)
        page.fill(ground, box(x, y, half, 14))
        for i, width in enumerate(FINE):
            left = x + 6 + i * (half - 8) / len(FINE)
            for n in range(6):
                at = left + 4.4 * n * max(width, 0.3)
                page.line(ink, width, (at, y + 2), (at, y + 9))
            page.text(left, y + 12.6, f"{width:g} mm", 2.6, colour=ink, align="l")
    return y + 14


def _codes(page: Drawing, deck: Deck, y: float) -> None:
    """Print codes of several sizes: those of the cards have to be read from where the camera hangs."""
    y = _head(
        page,
        y,
        4,
        "Codes",
        "Lay the page on the mat and open “Test a card in front of the camera” on the page with the cards: codes of "
        "14 mm and more must be read. A phone's camera reads all four.",
    )
    x = 18.0
    piece = deck.cards[0].piece if deck.cards else BACK
    for size in CODES:
        side = quiet_side(CodePlace("F", 0, 0, size))
        page.add(qr(str(Code(deck.code, piece, "F")), CodePlace("F", x + side / 2, y + side / 2, size)))
        page.text(x + side / 2, y + quiet_side(CodePlace("F", 0, 0, CODES[-1])) + 3, f"{size:g} mm", 3.0, colour=SOFT)
        x += side + 8
    colours = "5. Colours: red, blue, green, yellow and violet below are five colours, none of them grey or brown."
    mirror = wrap(colours, BODY, page.w - x - 20)
    page.add(paragraph(x, y + 1, mirror, BODY, colour=INK, align="l"))
    for i, hue in enumerate(("#d23c3c", "#2f76c4", "#2b9360", "#efb61a", "#8554b8")):
        page.fill(hue, box(x + i * 10, y + 1 + BODY * LEADING * len(mirror) + 2, 9, 9))
