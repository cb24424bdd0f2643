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
