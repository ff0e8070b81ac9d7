"""The names that terms of the base set get beside those of their own tables, and those that are
taken from them: names in use that the tables lack, names of the same thing in another vocabulary,
of a gene's protein, of an infection by its cause; none that misleads.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection

from base_set_rules import BaseTerm, Terms, below
from base_set_tables import Tables, add, add_name, current_id

from core.curie import preferred_prefix

# "lithium atom", for which papers write "lithium"
ELEMENT = re.compile(r"(?!(?:non)?metal|lanthanoid|actinoid)([a-z]+) atom")
DRUG_NAME = re.compile(r"[A-Za-z][a-z]{4,}")  # a generic or trade name; not codes nor salts
# what follows a drug's name in the name of its salt: "venlafaxine hydrochloride"
SALT = re.compile(
    r"(?:Hydro(?:chlor|brom)ide|(?:Bes|Tos|Mes|Dimes)ylate|Bromide|Chloride|Acetate|Citrate|Fumarate"
    r"|Maleate|Malate|Phosphate|Succinate|Sulfate|Tartrate|Sodium|Potassium|Calcium|Nitrate)"
)
# "Helicobacter pylori infectious disease", "staphylococcus aureus infection"
INFECTION = re.compile(r"([\w-]+(?: [\w-]+){0,3}?) (?:infections?|infectious disease)")
OF_SPECIES = re.compile(r" protein, |, [a-z]+$")  # "TP53 protein, human": MeSH's own way
SAID = re.compile(r"[a-z]{4}")  # in a name that is no acronym
# "sacubitril and valsartan sodium hydrate drug combination", "ledipasvir, sofosbuvir drug …"
COMBINATION = re.compile(
    r"([a-z]+)(?: [a-z]+)?(?:, | and |-)([a-z]+)(?: [a-z]+){0,2} drug combination"
)
# "P. aeruginosa"
SHORT_SPECIES = re.compile(r"[A-Z]\. [a-z]+")
CODED_LINE = re.compile(r"NCI-(H\d{3,4})")  # "H1299" in papers
# vocabularies whose names go to MeSH's term of the same thing, with their tables
_LENDING = {
    "mondo": ("mondo",), "doid": ("doid",), "chebi": ("chebi", "chebi_more_names"),
    "drugbank": ("drugbank_open",), "efo": ("efo",),
}  # fmt: skip
ANIMALS = ("MONDO:0005583",)  # diseases of animals that are no humans


def usual_names(tables: Tables, terms: Terms, vocabulary: str) -> list[dict[str, str]]:
    """Add the names that papers use and the tables lack; the rows of them. Such a name is that
    term's alone, and so are the terms that no table has. Raises ValueError where a row has
    another label than its term: then the id is not what the row means.
    """
    usual = [row for row in tables.usual_names if row["vocabulary"] == vocabulary]
    meant = {row["name"].casefold(): current_id(row["id"]) for row in usual}
    for id, term in terms.items() if usual else ():
        for name in [name for name in term.names if meant.get(name.casefold(), id) != id]:
            del term.names[name]
    if vocabulary == "cellosaurus":  # one of two lines of one label: INS-1 is no Ins-1
        for id in [id for id, term in terms.items() if meant.get(term.label.casefold(), id) != id]:
            del terms[id]
    for row in usual:
        term = terms.setdefault(current_id(row["id"]), BaseTerm(row["label"]))
        if term.label != row["label"]:
            raise ValueError(f"{row['id']} is called {term.label}, not {row['label']}")
        term.names.pop(row["name"], None)
        add_name(term, row["name"], row["scope"])
    return usual


def name_drugs(tables: Tables, terms: Terms) -> None:
    """Give a substance the one-word names of the MeSH descriptor that is the same thing by the
    mappings, or by its label; a name that two descriptors bear goes to none.
    """
    descriptors: dict[str, list[str]] = {}
    for table in (tables.table("mesh_desc"), tables.former("mesh_desc")):
        for row in table:
            names = descriptors.setdefault(row["id"], [])
            names += [row["label"], row["synonym"]] if not names else [row["synonym"]]
    uses = Counter(
        name.casefold() for names in descriptors.values() for name in {n.casefold() for n in names}
    )
    taken = {name.casefold() for term in terms.values() for name in term.all_names()}
    by_label = {term.label.casefold(): id for id, term in terms.items()}
    mapped = tables.mapped("CHEBI:")
    for descriptor, names in descriptors.items():
        id = mapped.get(descriptor) or by_label.get(names[0].casefold(), "")
        for name in names if id in terms else ():
            folded = name.casefold()
            if DRUG_NAME.fullmatch(name) and uses[folded] == 1 and folded not in taken:
                terms[id].names[name] = "EXACT"
                taken.add(folded)


def names_elsewhere(tables: Tables, terms: Terms) -> None:
    """Give a term of MeSH the exact names of what mapping sets call the same thing in another
    vocabulary, and a salt the name of its drug ("venlafaxine", for which MeSH has the
    hydrochloride alone): all where nothing in MeSH is called so.
    """
    taken = {name.casefold() for term in terms.values() for name in term.all_names()}
    for vocabulary, lending in _LENDING.items():
        stops = {name for of, name in tables.stop_names if of == vocabulary}
        exact: Terms = {}
        for table in lending:
            for row in tables.table(table):
                if (row.get("scope") or "EXACT") in ("EXACT", "label"):
                    add(exact, row)
        if vocabulary == "drugbank":
            drugs = {term.label.casefold() for term in exact.values()}
            for term in terms.values():
                base, _, salt = term.label.rpartition(" ")
                name = base.casefold()
                if SALT.fullmatch(salt) and name in drugs and name not in taken:
                    term.names[base] = "EXACT"
                    taken.add(name)
        uses = Counter(
            name for term in exact.values() for name in {n.casefold() for n in term.all_names()}
        )
        mapped = tables.mapped(preferred_prefix(vocabulary) + ":", "MESH:")
        owner = Counter(mapped.values())
        for id, other in mapped.items():
            if id not in terms or other not in exact or owner[other] > 1:
                continue
            for name in exact[other].all_names():
                folded = name.casefold()
                said = SAID.search(name) and uses[folded] == 1 and folded not in stops
                if said and folded not in taken:
                    terms[id].names[name] = "EXACT"
                    taken.add(folded)


def names_of_products(tables: Tables, terms: Terms) -> None:
    """Give a gene the names of its protein: those of MeSH's records that a mapping set links to
    it alone, where no gene is called so ("glucocorticoid receptor", NR3C1).
    """
    taken = {name.casefold() for term in terms.values() for name in term.all_names()}
    genes = tables.mapped("HGNC:", "MESH:")
    lending = (tables.table("mesh_desc"), tables.table("mesh_scr"), tables.former("mesh_desc"))
    for table in lending:
        for row in table:
            gene, name = genes.get(row["id"], ""), row["synonym"].strip()
            folded = name.casefold()
            said = SAID.search(name) and not OF_SPECIES.search(name)
            if gene in terms and said and folded not in taken:
                terms[gene].names[name] = "EXACT"
                taken.add(folded)


def name_infections(tables: Tables, terms: Terms) -> None:
    """An "infectious disease" is the "infection" of papers; of a species its short form is
    written, too ("H. pylori infection"). All where no other term is called so.
    """
    species = {row["label"].casefold() for row in tables.table("ncbitaxon_slim")}
    taken = {name.casefold() for term in terms.values() for name in term.all_names()}
    ways: dict[str, set[str]] = {}
    for id, term in terms.items():
        for name in term.all_names():
            if met := INFECTION.fullmatch(name):
                ways.setdefault(f"{met[1]} infection", set()).add(id)
                genus, _, rest = met[1].partition(" ")
                if rest and met[1].casefold() in species:
                    ways.setdefault(f"{genus[0].upper()}. {rest} infection", set()).add(id)
    for way, ids in ways.items():
        if len(ids) == 1 and way.casefold() not in taken:
            add_name(terms[ids.pop()], way, "EXACT")


def without_stop_names(tables: Tables, terms: Terms, vocabulary: str) -> None:
    """Names that only mislead are left out; a label stays what a term is called, and is not
    looked for in texts.
    """
    stops = {name for of, name in tables.stop_names if of == vocabulary}
    for term in terms.values() if stops else ():
        term.unspoken = term.label.casefold() in stops
        for name in [name for name in term.names if name.casefold() in stops]:
            del term.names[name]


def animals_behind(terms: Terms) -> None:
    """A name of a human disease names no animal's: "C2 deficiency" is in Mondo's two branches."""
    animals = below(terms, ANIMALS)
    human = {
        name.casefold()
        for id, term in terms.items()
        if id not in animals
        for name in term.all_names()
    }
    for id in animals & terms.keys():
        names = terms[id].names
        terms[id].names = {n: scope for n, scope in names.items() if n.casefold() not in human}


def without_names_of_genes(tables: Tables, terms: Terms) -> None:
    """What genes and their families are called names no activity: GO lists "ERK1" and "NMDA
    receptor" among the names of what they do. "Protein kinase activity" keeps its own.
    """
    genes = {
        row["synonym"].strip().casefold()
        for table in ("hgnc", "famplex", "hgnc_genegroup")
        for row in tables.table(table)
    }
    for term in terms.values():
        if term.label.endswith(" activity"):
            kept = {n: scope for n, scope in term.names.items() if n.casefold() not in genes}
            term.names = kept


def one_species_each(terms: Terms, well_known: Collection[str]) -> None:
    """An abbreviated species that several bear is the one's that MeSH has a heading of, where that
    is one: "S. aureus" is no Streptomyces.
    """
    bearers: dict[str, list[str]] = {}
    for id, term in terms.items():
        for name in term.names:
            if SHORT_SPECIES.fullmatch(name):
                bearers.setdefault(name, []).append(id)
    for name, ids in bearers.items():
        known = [id for id in ids if id in well_known]
        if len(ids) > 1 and len(known) == 1:
            for id in ids:
                if id not in known:
                    del terms[id].names[name]


def name_lines(terms: Terms) -> None:
    """Give a line of the NCI its short name ("H1299"), where no other line is called so."""
    taken = {name.casefold() for term in terms.values() for name in term.all_names()}
    for term in terms.values():
        line = CODED_LINE.fullmatch(term.label)
        if line and line[1].casefold() not in taken:
            add_name(term, line[1], "EXACT")


def name_combinations(terms: Terms) -> None:
    """Give a combination of two drugs the names that papers write ("sacubitril/valsartan"), where
    no other term is called so.
    """
    taken = {name.casefold() for term in terms.values() for name in term.all_names()}
    for term in terms.values():
        if drugs := COMBINATION.fullmatch(term.label.lower()):
            for name in (f"{drugs[1]}/{drugs[2]}", f"{drugs[1]}-{drugs[2]}"):
                if name not in taken:
                    add_name(term, name, "EXACT")
                    taken.add(name)


def name_elements(terms: Terms) -> None:
    """Give elements their bare names, where no other term has that name."""
    taken = {name for term in terms.values() for name in term.all_names()}
    for term in terms.values():
        element = ELEMENT.fullmatch(term.label)
        if element and element[1] not in taken:
            term.names[element[1]] = "EXACT"


def write_small(terms: Terms) -> None:
    """The FDA writes names in capitals; codes with digits stay so."""
    for id, term in terms.items():
        names = {_small(name): scope for name, scope in term.names.items()}
        label = _small(term.label)
        names.pop(label, None)
        terms[id] = BaseTerm(label, names, term.parents, term.taxon)


def _small(name: str) -> str:
    return name if any(map(str.isdigit, name)) or len(name) < 5 else name.lower()
