"""Makes the pictures of what is printed for README and docs: `python -m docs.images.make`."""

from __future__ import annotations

from pathlib import Path

from PIL import Image, ImageFilter

from companion.codes import BACK
from companion.eye.mat import Mat
from companion.games import STANDARD, load, load_deck, load_neutral_mat, load_printed_mat, names, neutral_mats
from companion.press.faces import face_image, shape_faces, shape_for
from companion.press.mats import ink_of, mat_image
from companion.press.pages import cover_drawing
from companion.press.raster import render
from companion.press.sheets import PAPERS
from companion.rules.cards import Deck

HERE = Path(__file__).resolve().parent

SHOWN: dict[str, tuple[str, ...]] = {
    "five-cards-collector": ("00B", "00P", "00X", "01B", "01N", "004", "01P", "01X", "028", BACK),
    "karmic-collections": ("101", "207", "30B", "40C", "10D", "P11", "P21", "T12", "T35", BACK),
    "collection": ("001", "0A9", "012", "022", "033", "101", "11D", "0A1", BACK),
    "collectors": ("001", "00C", "00M", "00Z", "017", "01J", "01V", "027", "02D", "101", "301", BACK),
    "collectible": ("001", "00L", "010", "01H", "01S", "02C", "02K", "02P", "02R", BACK),
    STANDARD: ("101", "30A", "20B", "30C", "40D", "501", "502", BACK),
}
"""The pieces of each deck that its picture shows; what is not in a deck is left out."""


def printed(game: str) -> tuple[Deck, Mat]:
    """Return a deck and its printed mat; for the standard deck a neutral one."""
    if game == STANDARD:
        return load_deck(game), load_neutral_mat("tricks", 4)
    return load_deck(game), load_printed_mat(game, load(game).info.seats[1])


def lay(table: Image.Image, face: Image.Image, x: float, y: float, rotation: float) -> None:
    """Lay a piece on a picture with a soft shadow, its centre at (x, y) px."""
    room = Image.new("RGBA", (face.width + 40, face.height + 40))
    room.paste(Image.new("RGBA", face.size, (10, 20, 18, 130)), (20, 23))
    room = room.filter(ImageFilter.GaussianBlur(4))
    room.paste(face.convert("RGBA"), (20, 20))
    room = room.rotate(-rotation, Image.Resampling.BICUBIC, expand=True)
    table.paste(room, (round(x) - room.width // 2, round(y) - room.height // 2), room)


def cards(game: str, *, codes: bool = True) -> Image.Image:
    """Show a game's box and some of its pieces on the cloth of its mat, in two rows."""
    deck, mat = printed(game)
    known = deck.by_piece()
    pieces = [piece for piece in SHOWN[game] if piece in known or piece == BACK]
    scale, gap = 3.4, 14
    faces = []
    for piece in pieces:
        card = known.get(piece)
        shape = shape_for(mat, card)
        side = shape_faces(shape)[0] if card else "B"
        faces.append(face_image(card, deck, shape, side, scale, codes=codes))
    half = (len(faces) + 1) // 2
    rows = [faces[:half], faces[half:]]
    wide = max(sum(face.width + gap for face in row) for row in rows)
    high = max(face.height for face in faces)
    box = render(cover_drawing(deck), (2 * high + gap) / 120)
    picture = Image.new("RGB", (box.width + wide + 3 * gap, box.height + 2 * gap), ink_of(mat)["zone"])
    lay(picture, box, gap + box.width / 2, gap + box.height / 2, 0)
    for number, row in enumerate(rows):
        x = box.width + 2.5 * gap
        for face in row:
            lay(picture, face, x + face.width / 2, gap + high / 2 + number * (high + gap), 0)
            x += face.width + gap
    return picture.resize((960, round(960 * picture.height / picture.width)), Image.Resampling.LANCZOS)


def boxes() -> Image.Image:
    """Show all box covers in a row."""
    side = 300
    picture = Image.new("RGB", (6 * side + 7 * 16, side + 32), "#ffffff")
    for number, game in enumerate((*names(), STANDARD)):
        box = render(cover_drawing(load_deck(game)), side / 120)
        lay(picture, box, 16 + side / 2 + number * (side + 16), 16 + side / 2, 0)
    return picture.resize((1200, round(1200 * picture.height / picture.width)), Image.Resampling.LANCZOS)


def table() -> Image.Image:
    """Show the mat of Five Cards Collector with a match of three under way."""
    scale = 1.8
    deck, whole = printed("five-cards-collector")
    mat = load_printed_mat("five-cards-collector", 3)
    picture = mat_image(whole, scale)
    places = {
        "goal.1": ["001"],
        "goal.2": ["006"],
        "goal.3": ["009"],
        "collection.1": ["00B", "00N", "010"],
        "collection.2": ["017", "00P"],
        "collection.3": ["00H", "00L", "00Z", "01D"],
        "deck": [BACK],
        "discard": ["01M", "00W"],
        "used": ["020"],
    }
    for name, pieces in places.items():
        zone = mat.zone(name)
        for index, piece in enumerate(pieces):
            card = deck.by_piece().get(piece)
            face = face_image(card, deck, shape_for(mat, card), "F" if card else "B", scale)
            x, y = zone.spot(index, 63, 88)
            lay(picture, face, x * scale, y * scale, zone.rotation + (index * 37 % 5 - 2) * 0.5)
    return picture


def neutral() -> Image.Image:
    """Show the six neutral mats side by side."""
    scale, gap = 0.42, 10
    mats = [mat_image(load_neutral_mat(name, 6), 2 * scale) for name in neutral_mats()]
    small = [mat.resize((mat.width // 2, mat.height // 2), Image.Resampling.LANCZOS) for mat in mats]
    w, h = small[0].size
    picture = Image.new("RGB", (3 * w + 4 * gap, 2 * h + 3 * gap), "#ffffff")
    for number, mat in enumerate(small):
        picture.paste(mat, (gap + number % 3 * (w + gap), gap + number // 3 * (h + gap)))
    return picture


def test_sheet() -> Image.Image:
    """Show the page that tests a printer."""
    from companion.press.pages import test_page

    return render(test_page(load_deck("five-cards-collector"), PAPERS["a4"]), 2.6)


if __name__ == "__main__":
    pictures = {"boxes": boxes(), "table": table(), "neutral-mats": neutral(), "test-page": test_sheet()}
    for game in (*names(), STANDARD):
        pictures[f"cards-{game}"] = cards(game)
        if game != STANDARD:
            pictures[f"mat-{game}"] = mat_image(printed(game)[1], 1.2)
    pictures["cards-without-codes"] = cards("collectible", codes=False)
    pictures["mat-outlines"] = mat_image(printed("karmic-collections")[1], 1.2, spare=True)
    for name, picture in pictures.items():
        picture.save(HERE / f"{name}.jpg", quality=82, optimize=True)
