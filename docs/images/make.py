"""Makes the pictures of the press for README and docs: `python docs/images/make.py`."""

from pathlib import Path

from PIL import Image, ImageFilter

from companion.codes import BACK
from companion.games import load_deck, load_mat
from companion.press.faces import face_image, shape_for
from companion.press.mats import mat_image

GAME = "five-cards-collector"
HERE = Path(__file__).resolve().parent
DECK, MAT = load_deck(GAME), load_mat(GAME, 8)


def lay(table: Image.Image, piece: str, x: float, y: float, rotation: float, scale: float) -> None:
    """Lay a card on a picture with a soft shadow, its centre at (x, y) mm."""
    card = DECK.by_piece().get(piece)
    shape = shape_for(MAT, card)
    face = face_image(card, DECK, shape, "F" if card else "B", scale).convert("RGBA")
    room = Image.new("RGBA", (face.width + 40, face.height + 40))
    shadow = Image.new("RGBA", face.size, (20, 40, 35, 110))
    room.paste(shadow, (20, 22))
    room = room.filter(ImageFilter.GaussianBlur(4))
    room.paste(face, (20, 20))
    room = room.rotate(-rotation, Image.Resampling.BICUBIC, expand=True)
    table.paste(room, (round(x * scale) - room.width // 2, round(y * scale) - room.height // 2), room)


def cards() -> Image.Image:
    """Show ten faces side by side."""
    scale = 3.4
    picture = Image.new("RGB", (round(5 * 70 * scale + 8 * scale), round(2 * 96 * scale + 6 * scale)), "#c3d4cd")
    chosen = ["00B", "00P", "00X", "01B", "01N", "004", "01P", "01X", "028", BACK]
    for index, piece in enumerate(chosen):
        lay(picture, piece, 39 + index % 5 * 70, 51 + index // 5 * 95, 0, scale)
    return picture


def table() -> Image.Image:
    """Show the mat with a match of three under way."""
    scale = 1.8
    mat = load_mat(GAME, 3)
    picture = mat_image(MAT, scale)
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
            x, y = zone.spot(index, 63, 88)
            lay(picture, piece, x, y, zone.rotation + (index * 37 % 5 - 2) * 0.5, scale)
    return picture


if __name__ == "__main__":
    for name, picture in (("cards", cards()), ("table", table()), ("mat", mat_image(MAT, 1.6))):
        picture.save(HERE / f"{name}.jpg", quality=84, optimize=True)
