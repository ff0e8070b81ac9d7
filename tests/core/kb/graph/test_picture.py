"""Pictures of a view: SVG, a stand-alone web page, PNG. None loads anything from outside."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from PIL import Image

from core.kb.graph.graph import graph
from core.kb.graph.key import with_key
from core.kb.graph.layout import lay_out
from core.kb.graph.neighbourhood import busiest_points, overview
from core.kb.graph.picture import svg_picture
from core.kb.graph.raster import png_picture
from core.kb.graph.scene import GraphScene, palette, scene_of_view
from core.kb.graph.web_page import web_page
from core.model import Category, Literal, Modality, Node, Statement, Term

TREATS = Term("biolink:treats", "treats")
COLOURS = palette(dict.fromkeys(Category, "#123456"), ["treats"])
SPACE = "{http://www.w3.org/2000/svg}"


def term(number: int, label: str = "") -> Term:
    return Term(f"CHEBI:{number}", label or f"thing {number}", Category.CHEMICAL)


def drawn(*statements: Statement) -> GraphScene:
    view = busiest_points(graph(statements))
    return scene_of_view(view, lay_out(view), COLOURS)


def labelled(label: str) -> str:
    return svg_picture(drawn(Statement(term(0, label), TREATS, term(1))), label)


def test_the_svg_holds_each_thing_and_each_statement():
    dose = Node("n1-o", "Dose", "a dose")
    tree = ElementTree.fromstring(
        svg_picture(
            drawn(
                Statement(term(0), TREATS, term(1)),
                Statement(term(0), TREATS, dose),
                Statement(dose, TREATS, Literal("300", unit="mg")),
            )
        )
    )
    assert len(tree.findall(f".//{SPACE}circle")) == 2
    assert len(tree.findall(f".//{SPACE}polygon")) == 1
    assert len(tree.findall(f"./{SPACE}g/{SPACE}path")) == 3
    words = {text.text for text in tree.iter(f"{SPACE}text")}
    assert {"thing 0", "thing 1", "a dose", "300 mg", "treats"} <= words


@pytest.mark.parametrize(
    ("changed", "dashes"),
    [({}, None), ({"negated": True}, "9 4"), ({"modality": Modality.HYPOTHESIS}, "2 4")],
)
def test_stance_of_a_statement_sets_the_style_of_its_line(changed, dashes):
    tree = ElementTree.fromstring(
        svg_picture(drawn(Statement(term(0), TREATS, term(1), **changed)))
    )
    (line,) = tree.findall(f"./{SPACE}g/{SPACE}path")
    assert line.get("stroke-dasharray") == dashes


def test_statements_of_the_same_two_things_are_lines_of_their_own():
    other = Term("biolink:causes", "causes")
    strokes = drawn(Statement(term(0), TREATS, term(1)), Statement(term(0), other, term(1))).strokes
    assert len({stroke.by for stroke in strokes}) == 2


@pytest.mark.parametrize(
    "label",
    ["</script><script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "</text></svg><b>"],
)
def test_a_label_cannot_leave_its_place(label):
    picture = labelled(label)
    assert picture.count("<script") == 0
    assert "<img" not in picture
    assert ElementTree.fromstring(picture).tag == f"{SPACE}svg"
    page = web_page(drawn(Statement(term(0, label), TREATS, term(1))), COLOURS, label)
    plain = web_page(drawn(Statement(term(0, "x"), TREATS, term(1))), COLOURS, "x")
    for tag in ("<script", "</script", "<img", "</text"):
        assert page.count(tag) == plain.count(tag)


def test_signs_that_turn_the_writing_direction_are_not_drawn():
    assert "\u202e" not in labelled("\u202eevil")


def test_the_web_page_loads_nothing_and_has_each_label_at_its_place():
    shapes = drawn(Statement(term(0, "aspirin"), TREATS, term(1), negated=True))
    page = web_page(shapes, COLOURS, "aspirin")
    assert not re.search(
        r"<link|<img|<iframe|<script[^>]*\bsrc\s*=|@import|url\(\s*[\"']?https?:", page
    )
    assert "default-src 'none'" in page
    (nodes,) = re.findall(r"nodes = new vis\.DataSet\((\[.*?\])\);", page)
    captions = [node for node in json.loads(nodes) if node["shape"] == "text"]
    assert {node["label"] for node in captions} == {"aspirin", "thing 1"}
    boxes = {caption.words: caption.box for caption in shapes.captions}
    for node in captions:
        left, top, right, bottom = boxes[node["label"]]
        assert (node["x"], node["y"]) == pytest.approx(((left + right) / 2, (top + bottom) / 2))
    assert '"dashes": [9, 4]' in page


def test_an_overview_can_be_a_web_page_as_well():
    view = overview(graph([Statement(term(0), TREATS, term(1))]))
    page = web_page(scene_of_view(view, lay_out(view), COLOURS), COLOURS)
    assert "chemical \\u00b7 2" in page


def test_a_picture_is_the_same_every_time():
    assert labelled("aspirin") == labelled("aspirin")
    claim = Statement(term(0), TREATS, term(1), negated=True)
    assert png_picture(drawn(claim)) == png_picture(drawn(claim))


def test_the_png_is_as_large_as_the_picture_says_and_not_empty():
    shapes = drawn(Statement(term(0), TREATS, term(1), modality=Modality.HYPOTHESIS))
    image = Image.open(io.BytesIO(png_picture(shapes)))
    assert image.size == (round(shapes.width * 2), round(shapes.height * 2))
    assert len(image.getcolors(100_000) or ()) > 10


def test_the_key_names_each_colour_and_line_style_once_and_what_is_not_drawn():
    other = Term("HP:1", "pain", Category.PHENOTYPE)
    rare = Term("biolink:prevents", "prevents")
    view = busiest_points(
        graph(
            [
                Statement(term(0), TREATS, term(1)),
                Statement(term(0), TREATS, other),
                Statement(term(1), rare, other, modality=Modality.HYPOTHESIS),
            ]
        )
    )
    picture = scene_of_view(view, lay_out(view), COLOURS)
    keyed = with_key(picture, replace(view, cut=2_700), COLOURS)
    added = keyed.captions[len(picture.captions) :]
    assert [claim.words for claim in added] == [
        "chemical",
        "phenotype",
        "treats",
        "prevents",
        "hypothetical",
        "2,700 more things are not drawn",
    ]
    assert all(picture.height < claim.at[1] < keyed.height for claim in added)
    treats, prevents, hypothetical = keyed.strokes[len(picture.strokes) :]
    assert [treats.colour, prevents.colour] == [COLOURS.relations["treats"], COLOURS.other]
    assert hypothetical.dashes and not treats.dashes


def test_the_key_names_relations_that_share_a_colour_together():
    names = [Term(f"RO:{number}", f"relation {number}") for number in range(3)]
    view = busiest_points(graph([Statement(term(0), name, term(1)) for name in names]))
    keyed = with_key(scene_of_view(view, lay_out(view), COLOURS), view, COLOURS)
    assert "other relations" in [caption.words for caption in keyed.captions]


def test_the_words_of_a_line_from_a_thing_to_itself_stand_above_its_arch():
    (loop,) = drawn(Statement(term(0), TREATS, term(0))).strokes
    top = min(loop.start[1] / 4 + loop.by[1] / 2 + loop.end[1] / 4, loop.start[1])
    assert loop.words and loop.at[1] < top - 5
    assert loop.end[0] - loop.start[0] > 12


def test_an_overview_needs_no_key():
    view = overview(graph([Statement(term(0), TREATS, term(1))]))
    picture = scene_of_view(view, lay_out(view), COLOURS)
    assert with_key(picture, view, COLOURS) == picture
