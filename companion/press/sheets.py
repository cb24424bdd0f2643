"""Pages: cards and stickers in a grid with cut marks and a check ruler, the mat in tiles or on one large page."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from companion.codes import BACK, Code
from companion.eye import loose
from companion.eye.mat import CodePlace, Mat, Rect, Shape
from companion.press import PressError
from companion.press.drawing import (
    Drawing,
    Item,
    Line,
    Text,
    box,
    circle,
    fitted,
    moved,
    paragraph,
)
from companion.press.drawing import Shape as Filled
from companion.press.faces import face_drawing, is_token, shape_faces, shape_for
from companion.press.marks import marker_items, qr, quiet_side
from companion.rules.cards import Card, Deck

PAPERS: dict[str, tuple[float, float]] = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Papers by name: width and height, upright (mm)."""
MARGIN = 6.0
"""What a household printer may leave white at the edge (mm)."""
CUT, WORDS = "#8a9490", "#4a5753"


@dataclass(frozen=True)
class Grid:
    """Equal places on a sheet of paper, w × h mm each, from (x, y) on, `gap` mm apart."""

    paper: tuple[float, float]
    w: float
    h: float
    columns: int
    rows: int
    gap: float

    @property
    def corner(self) -> tuple[float, float]:
        """Where the first place begins: the grid stands in the middle of the sheet."""
        return (
            (self.paper[0] - self.columns * (self.w + self.gap) + self.gap) / 2,
            (self.paper[1] - self.rows * (self.h + self.gap) + self.gap) / 2,
        )

    def place(self, index: int, *, mirrored: bool = False) -> tuple[float, float]:
        """Return the corner of the index-th place; on the back of a sheet columns run from the right."""
        row, column = divmod(index, self.columns)
        if mirrored:
            column = self.columns - 1 - column
        x, y = self.corner
        return x + column * (self.w + self.gap), y + row * (self.h + self.gap)

    @property
    def size(self) -> int:
        """The number of places a sheet."""
        return self.columns * self.rows


def grid(paper: tuple[float, float], w: float, h: float, gap: float, reserve: float = 0.0) -> Grid:
    """Return the grid of most places; `reserve` mm stay free above and below. Raises PressError if none fits."""
    columns = int((paper[0] - 2 * MARGIN + gap + 1e-6) // (w + gap))
    rows = int((paper[1] - 2 * (MARGIN + reserve) + gap + 1e-6) // (h + gap))
    if columns < 1 or rows < 1:
        raise PressError(f"a piece of {w:g} × {h:g} mm does not fit on this paper; correct its shape in the mat file")
    return Grid(paper, w, h, columns, rows, gap)


def ruler(x: float, y: float, words: str, rotation: float = 0.0) -> list[Item]:
    """Draw a line of exactly 100 mm from (x, y) on, with a tick every 10 mm, and words under it."""
    items: list[Item] = [Line(((0, 0), (100, 0)), 0.25, WORDS)]
    for i in range(11):
        items.append(Line(((10 * i, 0), (10 * i, -2.2 if i % 5 == 0 else -1.3)), 0.25, WORDS))
    items.append(Text(0, 3.1, words, 2.7, WORDS, "l"))
    return moved(items, x, y, rotation=rotation)


SCALE = "This line is 100 mm long. If it is not, print again at 100 % (“actual size”)."


def _margin_ruler(sheet: Drawing, g: Grid, words: str) -> None:
    x, y = g.corner
    if y >= 9:
        sheet.add(ruler(x, sheet.h - y + 6.5, SCALE))
        sheet.text(sheet.w - x, sheet.h - y + 9.6, words, 2.7, colour=WORDS, align="r")
    else:
        sheet.add(ruler(sheet.w - x + 6.0, y + 4, f"{SCALE}   {words}", rotation=90))


def _cut_marks(sheet: Drawing, g: Grid, *, inside: bool) -> None:
    x0, y0 = g.corner
    xs = sorted({x0 + c * (g.w + g.gap) + side for c in range(g.columns) for side in (0, g.w)})
    ys = sorted({y0 + r * (g.h + g.gap) + side for r in range(g.rows) for side in (0, g.h)})
    for x in xs:
        sheet.line(CUT, 0.15, (x, y0 - 4.5), (x, y0 - 1))
        sheet.line(CUT, 0.15, (x, ys[-1] + 1), (x, ys[-1] + 4.5))
    for y in ys:
        sheet.line(CUT, 0.15, (x0 - 4.5, y), (x0 - 1, y))
        sheet.line(CUT, 0.15, (xs[-1] + 1, y), (xs[-1] + 4.5, y))
    if inside:
        for x in xs:
            for y in ys:
                sheet.line(CUT, 0.1, (x - 1, y), (x + 1, y))
                sheet.line(CUT, 0.1, (x, y - 1), (x, y + 1))


COVERS = 8
"""How many covers a quick print has at least: of its games Collectors shows the most backs at once, seven or eight."""


def card_sheets(
    deck: Deck, mat: Mat, paper: tuple[float, float], *, codes: bool = True, quick: bool = False
) -> Iterator[Drawing]:
    """Return the sheets of all cards: each sheet of fronts is followed by its backs, mirrored, or an empty page.

    Without `codes` only tokens carry them. A `quick` print has fronts alone, and after the cards covers: backs
    to lay on decks and cards. Of tokens that are turned down rules ask where they lie, not what shows.

    Raises:
        PressError: if a shape does not fit on the paper.
    """
    for shape in mat.shapes:
        cards = [card for card in deck.cards if shape_for(mat, card) == shape]
        faces: list[tuple[Card | None, str]] = [(card, face) for card in cards for face in shape_faces(shape)[:1]]
        if not faces:
            continue
        g = grid(paper, shape.w, shape.h, 0.0)
        if quick and other_side(shape, "") == "B":
            free = -len(faces) % g.size
            faces += [(None, "B")] * (free if free >= COVERS else free + g.size)
        sheets = math.ceil(len(faces) / g.size)
        for number in range(sheets):
            chosen = faces[number * g.size : (number + 1) * g.size]
            words = f"{deck.title} · {_pieces_of(shape)} {number + 1} of {sheets}"
            coded = codes or is_token(shape)
            yield _card_sheet(deck, shape, g, chosen, words if quick else f"{words} · front", coded=coded)
            if quick:
                continue
            second = [(card, other) for card, face in chosen for other in [other_side(shape, face)]]
            if second[0][1]:
                yield _card_sheet(deck, shape, g, second, f"{words} · back", coded=coded, mirrored=True)
            else:
                empty = Drawing(*paper)
                empty.text(paper[0] - 12, paper[1] - 8, f"{words} · back: empty", 2.7, colour=WORDS, align="r")
                yield empty


def _pieces_of(shape: Shape) -> str:
    if not is_token(shape):
        return "cards"
    return f"tokens ({', '.join(f'{kind}s' for kind in shape.kinds)})" if shape.kinds else "tokens"


def other_side(shape: Shape, face: str) -> str:
    """Return the face that is printed behind a face: the back, or a second face; "" if there is none."""
    if any(place.face == "B" for place in shape.codes):
        return "B"
    return next((other for other in shape_faces(shape) if other != face), "")


def _card_sheet(
    deck: Deck,
    shape: Shape,
    g: Grid,
    faces: Sequence[tuple[Card | None, str]],
    words: str,
    *,
    coded: bool,
    mirrored: bool = False,
) -> Drawing:
    sheet = Drawing(*g.paper)
    for index, (card, face) in enumerate(faces):
        drawn = face_drawing(card, deck, shape, face, codes=coded)
        sheet.add(moved(drawn.items, *g.place(index, mirrored=mirrored)))
    _cut_marks(sheet, g, inside=True)
    _margin_ruler(sheet, g, words)
    return sheet


def sticker_sheets(deck: Deck, mat: Mat, paper: tuple[float, float]) -> Iterator[Drawing]:
    """Return sheets of stickers for a real box: each code with its quiet zone, captioned with the card's title.

    Its upper left corner belongs into the corner of the card in which the code stands.

    Raises:
        PressError: if a sticker does not fit on the paper.
    """
    for shape in mat.shapes:
        cards = [card for card in deck.cards if shape_for(mat, card) == shape]
        wanted: list[tuple[str, str, str, float]] = []
        for face in dict.fromkeys(place.face for place in shape.codes):
            for card in cards:
                title = "Back" if face == "B" else card.title
                piece = BACK if face == "B" else card.piece
                wanted += [(piece, face, title, place.size) for place in shape.codes if place.face == face]
        for size in sorted({size for _, _, _, size in wanted}, reverse=True):
            yield from _sticker_pages(deck, [w for w in wanted if w[3] == size], size, paper)


def _sticker_pages(
    deck: Deck, wanted: Sequence[tuple[str, str, str, float]], size: float, paper: tuple[float, float]
) -> Iterator[Drawing]:
    side = quiet_side(CodePlace("F", 0, 0, size))
    place = CodePlace("F", side / 2, side / 2, size)
    caption = 5.2
    g = grid(paper, side, side + caption, 2.0, reserve=5.0)
    sheets = math.ceil(len(wanted) / g.size)
    for number in range(sheets):
        sheet = Drawing(*paper)
        chosen = wanted[number * g.size : (number + 1) * g.size]
        for index, (piece, face, title, _) in enumerate(chosen):
            sticker = Drawing(side, side + caption)
            sticker.add(qr(str(Code(deck.code, piece, face)), place))
            # the caption may use the code's lower quiet zone only up to a module: the code stays readable
            letters, lines = fitted(title, 2.7, side - 5, 6.4)
            sticker.add(paragraph(side / 2, side - 0.6, lines, letters, colour=WORDS))
            sheet.add(moved(sticker.items, *g.place(index)))
        _cut_marks(sheet, g, inside=True)
        _margin_ruler(sheet, g, f"{deck.title} · stickers {number + 1} of {sheets}")
        yield sheet


MARKERS, MARKER = 8, 25.0
"""How many markers are printed for the corners and edges of an own board, and their side (mm)."""


def marker_sheet(mat: Mat, paper: tuple[float, float]) -> Iterator[Drawing]:
    """Return sheets of numbered markers for the real printed board; raise PressError if they do not fit."""
    white, caption = MARKER * 1.32, 6.0
    g = grid(paper, white, white + caption, 4.0, reserve=5.0)
    sheet = Drawing(*paper)
    for index, marker in enumerate(mat.markers[: min(MARKERS, g.size)]):
        sticker = Drawing(white, white + caption)
        sticker.add(moved(marker_items(mat.dictionary, marker.id, MARKER, white), white / 2, white / 2))
        sticker.text(white / 2, white + 3.0, f"Marker {marker.id} · {MARKER:g} mm", 2.7, colour=WORDS)
        sheet.add(moved(sticker.items, *g.place(index)))
    _cut_marks(sheet, g, inside=True)
    _margin_ruler(sheet, g, f"{mat.title} · markers")
    yield sheet


LAY = (
    "Fasten them flat and far apart: four in the table's corners, one in the middle of its left edge, one of its right."
)


def loose_sheet(paper: tuple[float, float]) -> Drawing:
    """Return the one sheet that stands for a mat: six large markers with white round them, and the ruler."""
    white = loose.SIDE + 2 * loose.PAPER
    g = grid(paper, white, white, 3.0, reserve=10.0)
    sheet = Drawing(*paper)
    for index, number in enumerate(loose.IDS):
        marker = Drawing(white, white)
        drawn = marker_items(loose.DICTIONARY, number, loose.SIDE, white)
        marker.add(moved(drawn, white / 2, white / 2))
        words = f"Marker {index + 1} · {loose.SIDE:g} mm"
        marker.text(white / 2, white - 3.0, words, 2.7, colour=WORDS)
        sheet.add(moved(marker.items, *g.place(index)))
    _cut_marks(sheet, g, inside=True)
    sheet.text(paper[0] / 2, MARGIN + 3.0, LAY, 3.0, colour=WORDS)
    sheet.add(ruler(g.corner[0], sheet.h - 8.0, SCALE))
    return sheet


def mat_page(mat: Mat, drawn: Drawing) -> Drawing:
    """Return one large page with the whole mat as drawn, with cut marks and a ruler in a margin of 12 mm."""
    edge = 12.0
    page = Drawing(mat.w + 2 * edge, mat.h + 2 * edge)
    page.add(moved(drawn.items, edge, edge))
    g = Grid((page.w, page.h), mat.w, mat.h, 1, 1, 0.0)
    _cut_marks(page, g, inside=False)
    page.add(ruler(edge + 8, edge + mat.h + 6, f"{SCALE}   {mat.title} · the mat, {mat.w:g} × {mat.h:g} mm"))
    return page


OVERLAP = 10.0
"""What two neighbouring tiles of the mat both show (mm)."""
TILE_MARGINS = (8.0, 15.0)
"""What a tile leaves white at its sides, and above and below, where the words and the ruler go (mm)."""


def tiles(mat: Mat, paper: tuple[float, float]) -> tuple[tuple[float, float], list[list[Rect]]]:
    """Return overlapping windows of the mat, row by row, on paper turned the way that needs fewer sheets."""
    best: tuple[int, tuple[float, float], list[list[Rect]]] | None = None
    for sheet in (paper, (paper[1], paper[0])):
        w, h = sheet[0] - 2 * TILE_MARGINS[0], sheet[1] - 2 * TILE_MARGINS[1]
        columns = max(1, math.ceil((mat.w - OVERLAP) / (w - OVERLAP)))
        rows = max(1, math.ceil((mat.h - OVERLAP) / (h - OVERLAP)))
        # equal tiles: no last column of a finger's width
        wide, high = (mat.w + (columns - 1) * OVERLAP) / columns, (mat.h + (rows - 1) * OVERLAP) / rows
        cut = [
            [Rect(c * (wide - OVERLAP), r * (high - OVERLAP), wide, high) for c in range(columns)] for r in range(rows)
        ]
        if best is None or columns * rows < best[0]:
            best = (columns * rows, sheet, cut)
    assert best is not None  # noqa: S101  (two sheets were tried)
    return best[1], best[2]


def mat_tiles(mat: Mat, paper: tuple[float, float], drawn: Drawing) -> Iterator[Drawing]:
    """Return the mat as drawn over many overlapping sheets, with crosses to join them and labels ("B1")."""
    sheet, cut = tiles(mat, paper)
    whole = drawn.items + list(_crosses(cut))
    for row, windows in enumerate(cut):
        for column, window in enumerate(windows):
            page = Drawing(*sheet)
            x, y = (sheet[0] - window.w) / 2, (sheet[1] - window.h) / 2
            shown = [item for item in whole if _touches(item, window)]
            page.add(moved(shown, x - window.x, y - window.y))
            _mask(page, x, y, window)
            _cut_marks(page, Grid(sheet, window.w, window.h, 1, 1, 0.0), inside=False)
            _tile_words(page, mat, (row, column), (len(cut), len(windows)), (x, y))
            yield page


def _touches(item: Item, window: Rect) -> bool:
    if isinstance(item, Text):
        reach = len(item.words) * item.size
        points: list[tuple[float, float]] = [(item.x - reach, item.y - reach), (item.x + reach, item.y + reach)]
    elif isinstance(item, Line):
        points = list(item.points)
    else:
        points = [point for loop in item.loops for point in loop]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return (
        min(xs) <= window.x + window.w
        and max(xs) >= window.x
        and min(ys) <= window.y + window.h
        and max(ys) >= window.y
    )


def _mask(page: Drawing, x: float, y: float, window: Rect) -> None:
    """Paint the margins white: a tile shows its window only."""
    w, h = window.w, window.h
    page.fill("#ffffff", box(-1, -1, page.w + 2, y + 1), box(-1, y + h, page.w + 2, page.h - y - h + 1))
    page.fill("#ffffff", box(-1, -1, x + 1, page.h + 2), box(x + w, -1, page.w - x - w + 1, page.h + 2))


def _crosses(cut: list[list[Rect]]) -> Iterator[Item]:
    seams_x = [r.x + OVERLAP / 2 for r in cut[0][1:]]
    seams_y = [row[0].y + OVERLAP / 2 for row in cut[1:]]
    spots = [(x, r.y + part * r.h) for x in seams_x for (r, *_) in cut for part in (0.22, 0.5, 0.78)]
    spots += [(r.x + part * r.w, y) for y in seams_y for r in cut[0] for part in (0.22, 0.5, 0.78)]
    for x, y in spots:
        ring = circle(x, y, 1.6)
        yield Filled((circle(x, y, 2.6),), "#ffffff")
        yield Line((*ring, ring[0]), 0.15, CUT)
        yield Line(((x - 2.4, y), (x + 2.4, y)), 0.15, CUT)
        yield Line(((x, y - 2.4), (x, y + 2.4)), 0.15, CUT)


def _tile_words(page: Drawing, mat: Mat, at: tuple[int, int], of: tuple[int, int], corner: tuple[float, float]) -> None:
    """Write a tile's label, how to join it, and the ruler into the margins; a small map shows where it belongs."""
    row, column = at
    rows, columns = of
    x, y = corner
    label = f"{chr(65 + column)}{row + 1}"
    page.text(x, y - 4.6, label, 5.0, colour=WORDS, align="l", bold=True)
    cuts = [name for name, inner in (("left", column > 0), ("upper", row > 0)) if inner]
    how = f"Cut off the {' and the '.join(cuts)} margin; lay it over its neighbour, cross on cross." if cuts else ""
    words = f"{mat.title}: mat, column {column + 1} of {columns}, row {row + 1} of {rows}."
    page.text(x + 10, y - 4.6, f"{words} {how}".strip(), 2.7, colour=WORDS, align="l")
    for r in range(rows):
        for c in range(columns):
            cell = box(page.w - x - (columns - c) * 3.2, y - 8.2 + r * 2.2, 2.9, 1.9)
            page.fill(WORDS if (r, c) == at else "#d5dcd9", cell)
    page.add(ruler(x + 4, page.h - y + 4.4 + 1.2, SCALE))
