"""What a curator types reaches the parameters of an API or a Python call, each part of it, or is
asked for.
"""

from __future__ import annotations

import pytest

from core.apis import biotools, builder, oncokb, python_words
from core.errors import InputError
from core.web import Fetched


def parameters(api, question: str) -> dict:
    (query,) = builder.by_rules(api, question)
    return query.model_dump(exclude_defaults=True)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (
            "PIK3CA p.His1047Arg breast",
            {"gene": "PIK3CA", "alteration": "H1047R", "tumor": "breast"},
        ),
        (
            "EGFR p.(Glu746_Ala750del) in lung adenocarcinoma",
            {"gene": "EGFR", "alteration": "E746_A750del", "tumor": "lung adenocarcinoma"},
        ),
        ("KRAS G12C in NSCLC", {"gene": "KRAS", "alteration": "G12C", "tumor": "NSCLC"}),
        (
            "levels of evidence for ERBB2 amplification in breast cancer",
            {"gene": "ERBB2", "copy_number": "AMPLIFICATION", "tumor": "breast cancer"},
        ),
        (
            "Annotate 7:g.140753336A>T in GRCh38",
            {"hgvsg": "7:g.140753336A>T", "genome": "GRCh38"},
        ),
        (
            "chr7:140753336A>T hg38 melanoma",
            {"genomic": "7,140753336,140753336,A,T", "genome": "GRCh38", "tumor": "melanoma"},
        ),
        ("17 7577120 C>T in GRCh37", {"genomic": "17,7577120,7577120,C,T"}),
        (
            "7,140453136,140453136,A,T melanoma",
            {"genomic": "7,140453136,140453136,A,T", "tumor": "melanoma"},
        ),
        (
            "7:140453136,A,T in melanoma",
            {"genomic": "7,140453136,140453136,A,T", "tumor": "melanoma"},
        ),
        ("7-140453136-A-T lung", {"genomic": "7,140453136,140453136,A,T", "tumor": "lung"}),
        ("braf v600e melanoma", {"gene": "BRAF", "alteration": "V600E", "tumor": "melanoma"}),
        ("v600e braf in melanoma", {"gene": "BRAF", "alteration": "V600E", "tumor": "melanoma"}),
        (
            "is kras g12c in nsclc actionable?",
            {"gene": "KRAS", "alteration": "G12C", "tumor": "nsclc"},
        ),
        (
            "erbb2 amplification breast cancer",
            {"gene": "ERBB2", "copy_number": "AMPLIFICATION", "tumor": "breast cancer"},
        ),
    ],
)
def test_a_change_in_cancer_is_placed_with_its_tumour_and_assembly(question: str, expected: dict):
    assert parameters(oncokb.API, question) == expected


@pytest.mark.parametrize(
    "question",
    [
        "Which genes does OncoKB curate?",
        "List all curated genes in OncoKB",
        "list oncokb curated genes",
        "which oncogenes does oncokb curate",
        "Show every gene annotated by OncoKB",
    ],
)
def test_all_curated_genes_of_oncokb_can_be_listed(question: str):
    assert parameters(oncokb.API, question) == {"every_gene": True}
    (query,) = builder.by_rules(oncokb.API, question)
    answer = Fetched(200, '[{"hugoSymbol": "ABL1"}, {"hugoSymbol": "TP53"}]')
    listed = oncokb.interpret(query, [answer]).hits
    assert [record.fields["symbol"] for record in listed] == ["ABL1", "TP53"]


@pytest.mark.parametrize(
    "question",
    ["BRAF in melanoma", "KRAS wild type colorectal", "BRAF c.1799T>A", "BRAF V600E and V600K"],
)
def test_question_without_one_clear_alteration_asks_which_one(question: str):
    with pytest.raises(InputError, match=r"Which change|The question names V600E and V600K"):
        builder.by_rules(oncokb.API, question)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (
            "command line tools written in Python for variant calling",
            {"q": "variant calling", "toolType": "Command-line tool", "language": "Python"},
        ),
        ("R packages for single-cell RNA-seq", {"q": "single-cell RNA-seq", "language": "R"}),
        ("which tools take FASTQ as input and give BAM", {"input": "FASTQ", "output": "BAM"}),
        (
            "tools for mass spectrometry on Windows",
            {"q": "mass spectrometry", "operatingSystem": "Windows"},
        ),
        ("web servers for docking", {"q": "docking", "toolType": "Web application"}),
        (
            "Find web services that take FASTA as input",
            {"input": "FASTA", "toolType": "Web service"},
        ),
        ("SPARQL endpoints for proteomics", {"topic": "proteomics", "toolType": "SPARQL endpoint"}),
        ("tools maintained by Heng Li", {"credit": "Heng Li"}),
        ("find the tool samtools", {"name": "samtools"}),
    ],
)
def test_parts_of_a_biotools_question_become_parameters(question: str, expected: dict):
    assert parameters(biotools.API, question) == expected


@pytest.mark.parametrize(
    ("question", "unplaced"),
    [
        ("tools from ELIXIR Germany for proteomics", "from ELIXIR Germany"),
        ("tools published in 2015 for docking", "published 2015"),
    ],
)
def test_words_without_a_parameter_of_bio_tools_are_asked_for(question: str, unplaced: str):
    with pytest.raises(InputError, match=unplaced):
        builder.by_rules(biotools.API, question)


@pytest.mark.parametrize(
    ("question", "call"),
    [
        ("pca with 50 components", "sc.pp.pca(adata=adata, n_comps=50)"),
        ("tsne with perplexity 50", "sc.tl.tsne(adata=adata, perplexity=50.0)"),
        (
            "compute neighbors with 15 neighbors and 40 pcs",
            "sc.pp.neighbors(adata=adata, n_neighbors=15, n_pcs=40)",
        ),
        (
            "keep the 2000 most variable genes, seurat flavor",
            "sc.pp.highly_variable_genes(adata=adata, n_top_genes=2000, flavor='seurat')",
        ),
        (
            "rank genes by leiden using wilcoxon",
            "sc.tl.rank_genes_groups(adata=adata, groupby='leiden', method='wilcoxon')",
        ),
        (
            "umap coloured by louvain and CST3",
            "sc.pl.umap(adata=adata, color=['louvain', 'CST3'])",
        ),
        (
            "violin plot of n_genes per leiden cluster",
            "sc.pl.violin(adata=adata, keys=['n_genes'], groupby='leiden')",
        ),
        (
            "dotplot of CD3D, MS4A1 grouped by cell_type",
            "sc.pl.dotplot(adata=adata, var_names=['CD3D', 'MS4A1'], groupby='cell_type')",
        ),
        (
            "regress out total_counts and pct_counts_mt",
            "sc.pp.regress_out(adata=adata, keys=['total_counts', 'pct_counts_mt'])",
        ),
        ("umap min dist 0.3 in 3D", "sc.tl.umap(adata=adata, min_dist=0.3, n_components=3)"),
        ("downsample to 1000 cells", "sc.pp.subsample(adata=adata, n_obs=1000)"),
    ],
)
def test_a_note_becomes_the_call_it_means(question: str, call: str):
    assert python_words.call_for_question(question) == call


@pytest.mark.parametrize(
    ("question", "why"),
    [
        ("log normalize the counts", r"normalize_total, sc\.pp\.log1p"),
        ("normalize to 10000 and log transform", r"normalize_total, sc\.pp\.log1p"),
        ("filter cells with more than 5000 genes and 5% mitochondrial", "What is 5 in a call"),
        ("save adata to out.h5ad", "No call fits"),
    ],
)
def test_question_beyond_one_call_gets_no_proposed_call(question: str, why: str):
    with pytest.raises(InputError, match=why):
        python_words.call_for_question(question)
