"""A taught deck as data, as files, and as one file that somebody hands over."""

import io
import json
import zipfile

import numpy as np
import pytest
from PIL import Image

from companion.eye.faces import storing
from companion.eye.faces.deck import DeckError, TaughtDeck, TaughtFace


@pytest.fixture(autouse=True)
def _own_data(tmp_path, monkeypatch):
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))


def view(seed):
    return np.random.default_rng(seed).integers(0, 255, (80, 60, 3), dtype=np.uint8)


def deck(faces=3):
    made = TaughtDeck("forest", "In the forest", 30.0, 40.0, game="trees")
    for number in range(1, faces + 1):
        made = made.with_face(TaughtFace(f"Tree {number}", (f"00{number}",), (view(number),)))
    return made


def same(a, b):
    assert (a.name, a.title, a.w, a.h, a.game) == (b.name, b.title, b.w, b.h, b.game)
    assert [(f.name, f.pieces, f.side, len(f.views)) for f in a.faces] == [
        (f.name, f.pieces, f.side, len(f.views)) for f in b.faces
    ]
    for one, other in zip(a.faces, b.faces, strict=True):
        for first, second in zip(one.views, other.views, strict=True):
            assert np.array_equal(first, second)


def test_a_deck_is_read_as_it_was_saved():
    made = deck().with_piece("002", "00A").with_view("003", view(9))
    made = made.with_face(TaughtFace("the back", ("000",), (view(8),), "B"))
    storing.save(made)
    assert storing.taught() == ["forest"]
    same(storing.load("forest"), made)


def test_pictures_that_are_no_longer_named_go():
    folder = storing.save(deck())
    storing.save(deck().without("001").without("002"))
    assert len(list(folder.glob("*.png"))) == 1
    same(storing.load("forest"), deck().without("001").without("002"))


def test_copies_share_a_face():
    made = deck().with_piece("001", "00A")
    assert made.face_of("00A") is made.face_of("001")
    assert made.without("001").face_of("00A") is not None
    assert made.without("001").without("00A").face_of("00A") is None
    assert made.missing(["001", "00A", "00B"]) == ("00B",)


def test_corrections_push_out_older_ones_and_never_the_first():
    made = deck()
    for number in range(30):
        made = made.with_view("001", view(100 + number))
    views = made.face_of("001").views
    assert len(views) == 12
    assert np.array_equal(views[0], view(1))
    assert np.array_equal(views[-1], view(129))


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d.with_face(TaughtFace("again", ("001",), (view(1),))),
        lambda d: d.with_face(TaughtFace("other size", ("00Z",), (view(1)[:70],))),
        lambda d: d.with_face(TaughtFace("no picture", ("00Z",), ())),
        lambda d: d.with_piece("00Z", "00Y"),
        lambda d: d.with_piece("001", "002"),
        lambda d: d.with_view("00Z", view(1)),
        lambda d: d.without("00Z"),
    ],
)
def test_what_does_not_fit_is_refused(change):
    with pytest.raises(DeckError):
        change(deck())


@pytest.mark.parametrize("name", ["", "..", "../etc", "A", "a/b", "-a", "a" * 41])
def test_a_name_is_no_path(name):
    with pytest.raises(DeckError):
        storing.load(name)


def test_one_file_is_the_deck():
    same(storing.imported(storing.exported(deck())), deck())
    assert storing.imported(storing.exported(deck()), "mine").name == "mine"
    assert storing.exported(deck()) == storing.exported(deck())


def packed(change):
    """Return an exported deck in which `change` has edited the files (a dict)."""
    with zipfile.ZipFile(io.BytesIO(storing.exported(deck()))) as file:
        files = {name: file.read(name) for name in file.namelist()}
    change(files)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        for name, data in files.items():
            file.writestr(name, data)
    return out.getvalue()


def _edit(**values):
    def change(files):
        files["deck.json"] = json.dumps({**json.loads(files["deck.json"]), **values}).encode()

    return change


def _png(size):
    out = io.BytesIO()
    Image.new("RGB", size).save(out, "PNG")
    return out.getvalue()


def _gif():
    out = io.BytesIO()
    Image.new("RGB", (60, 80)).save(out, "GIF")
    return out.getvalue()


BAD = {
    "no index": lambda files: files.pop("deck.json"),
    "a picture is missing": lambda files: files.pop("000-001-0.png"),
    "a picture of another size": lambda files: files.update({"000-001-0.png": _png((600, 800))}),
    "a picture of another kind": lambda files: files.update({"000-001-0.png": _gif()}),
    "a picture cut short": lambda files: files.update({"000-001-0.png": files["000-001-0.png"][:900]}),
    "another format": _edit(format=2),
    "a size of no card": _edit(w=9000),
    "more than is known": _edit(more=1),
    "a name that is a path": _edit(name="../../x"),
    "no number": _edit(w=float("nan")),
    "a piece that is none": _edit(faces=[{"name": "x", "pieces": ["../"], "side": "F", "views": 1}]),
}


@pytest.mark.parametrize("change", BAD.values(), ids=BAD)
def test_a_file_that_is_no_deck_is_refused_in_words(change):
    with pytest.raises(DeckError) as refused:
        storing.imported(packed(change))
    assert str(refused.value).endswith(".")
    assert storing.taught() == []


@pytest.mark.parametrize("data", [b"", b"PK", b"\x89PNG\r\n", b"x" * 5000])
def test_any_other_file_is_refused(data):
    with pytest.raises(DeckError, match="no taught deck"):
        storing.imported(data)


def test_a_small_file_that_unpacks_to_a_large_one_is_refused():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("deck.json", b" " * (storing.LARGEST + 1))
    with pytest.raises(DeckError, match="too large"):
        storing.imported(out.getvalue())


def test_a_removed_deck_is_gone():
    storing.save(deck())
    storing.remove("forest")
    assert storing.taught() == []
    with pytest.raises(DeckError, match="no taught deck"):
        storing.remove("forest")


def sized(faces, views, mm, pieces=1, game="trees"):
    """Return a file with an index of so many faces and views, all with one plain picture."""
    out, picture = io.BytesIO(), _png((2 * mm, 2 * mm))
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        named = []
        for face in range(faces):
            of_it = [np.base_repr(1 + face * pieces + n, 36).zfill(3) for n in range(pieces)]
            named.append({"name": f"card {face}", "pieces": of_it, "side": "F", "views": views})
            for n in range(views):
                file.writestr(f"{face:03}-{of_it[0]}-{n}.png", picture)
        index = {"format": 1, "name": "large", "title": "Large", "game": game, "w": mm, "h": mm, "faces": named}
        file.writestr("deck.json", json.dumps(index))
    return out.getvalue()


def unpacked(data):
    folder = storing.decks_folder() / "large"
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        file.extractall(folder)


@pytest.mark.parametrize("how", ["taken in", "loaded"])
def test_a_deck_of_too_many_pixels_is_refused_before_any_picture_is_decoded(how, monkeypatch):
    data = sized(250, 12, 250)
    unpacked(data)
    monkeypatch.setattr(storing, "_picture", None)
    with pytest.raises(DeckError, match="too many pictures, or too large ones"):
        storing.imported(data) if how == "taken in" else storing.load("large")


def test_an_honest_deck_of_525_faces_is_loaded():
    unpacked(sized(525, 1, 75))
    assert len(storing.load("large").faces) == 525


def test_of_a_deck_with_more_corrections_than_there_is_room_for_the_newest_are_loaded():
    unpacked(sized(200, 12, 75))
    newest = np.full((150, 150, 3), 9, np.uint8)
    (storing.decks_folder() / "large" / "000-001-11.png").write_bytes(storing.png(newest))
    faces = storing.load("large").faces
    assert [len(face.views) for face in faces] == [3] * 200
    assert np.array_equal(faces[0].views[-1], newest)


def test_a_deck_of_the_most_faces_and_copies_compares_no_face_with_all_others(monkeypatch):
    compared = []
    monkeypatch.setattr(TaughtDeck, "with_face", lambda *_: compared.append(1))
    assert len(storing.imported(sized(700, 1, 15, pieces=60)).faces) == 700
    assert not compared


def test_a_full_deck_takes_corrections_in_the_place_of_older_ones(monkeypatch):
    monkeypatch.setattr("companion.eye.faces.deck.MOST_PIXELS", 4 * 60 * 80)
    made = deck().with_view("001", view(11)).with_view("001", view(12)).with_view("002", view(13))
    assert [len(face.views) for face in made.faces] == [2, 1, 1]
    assert np.array_equal(made.face_of("001").views[1], view(12))
    with pytest.raises(DeckError, match="at most 4 pictures"):
        made.with_face(TaughtFace("one more", ("00Z",), (view(1),)))


def _with_text(png):
    from PIL.PngImagePlugin import PngInfo

    info, out = PngInfo(), io.BytesIO()
    info.add_text("Comment", "x" * 1_000_000, zip=True)
    Image.open(io.BytesIO(png)).save(out, "PNG", pnginfo=info)
    return out.getvalue()


UNPACKING = {
    "a picture with more in it": lambda files: files.update({"000-001-0.png": _with_text(files["000-001-0.png"])}),
    "a picture of megabytes": lambda files: files.update({"000-001-0.png": files["000-001-0.png"] + bytes(10**7)}),
    "an index of megabytes": lambda files: files.update({"deck.json": files["deck.json"] + b" " * 3 * 10**6}),
    "files without end": lambda files: files.update({f"{n}": b"" for n in range(12_010)}),
    "a card twice": _edit(faces=[{"name": "x", "pieces": ["001"], "side": "F", "views": 1}] * 2),
}


@pytest.mark.parametrize("change", UNPACKING.values(), ids=UNPACKING)
def test_nothing_in_a_file_unpacks_to_more_than_a_deck(change, monkeypatch):
    if change is UNPACKING["a picture of megabytes"]:
        monkeypatch.setattr(storing, "_picture", None)
    with pytest.raises(DeckError):
        storing.imported(packed(change))
