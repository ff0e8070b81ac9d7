# Signatures of scanpy (https://scanpy.readthedocs.io/en/stable/api), the arguments that users set.
# The second line of a docstring holds the words that lead to a call.
from typing import Literal

Name = str  # a variable

class pp:
    def calculate_qc_metrics(
        adata: Name,
        qc_vars: list[str] = [],
        percent_top: list[int] | None = None,
        log1p: bool = True,
        inplace: bool = False,
    ):
        r"""Quality metrics of cells and genes
        qc|quality (?:control )?metrics"""
    def filter_cells(
        adata: Name,
        min_counts: int | None = None,
        min_genes: int | None = None,
        max_counts: int | None = None,
        max_genes: int | None = None,
    ):
        r"""Filter cells by counts and genes
        filter (?:the |out )?cells"""
    def filter_genes(
        adata: Name,
        min_counts: int | None = None,
        min_cells: int | None = None,
        max_counts: int | None = None,
        max_cells: int | None = None,
    ):
        r"""Filter genes by counts and cells
        filter (?:the |out )?genes"""
    def normalize_total(
        adata: Name,
        target_sum: float | None = None,
        exclude_highly_expressed: bool = False,
        key_added: str | None = None,
    ):
        r"""Normalise counts a cell
        normali[sz]e"""
    def log1p(adata: Name, base: float | None = None):
        r"""Logarithm of the counts plus one
        log(?:arithm|1p|-?transform)"""
    def highly_variable_genes(
        adata: Name,
        n_top_genes: int | None = None,
        min_mean: float = 0.0125,
        max_mean: float = 3,
        min_disp: float = 0.5,
        flavor: Literal["seurat", "cell_ranger", "seurat_v3"] = "seurat",
        batch_key: str | None = None,
    ):
        r"""Mark highly variable genes
        (?:highly )?variable genes|hvgs?"""
    def regress_out(adata: Name, keys: list[str]):
        r"""Regress out unwanted sources of variation
        regress"""
    def scale(adata: Name, zero_center: bool = True, max_value: float | None = None):
        r"""Scale to unit variance
        \bscale|unit variance"""
    def pca(
        adata: Name,
        n_comps: int | None = None,
        svd_solver: str | None = None,
        use_highly_variable: bool | None = None,
    ):
        r"""Principal components
        (?:comput|calculat|run)\w* (?:the |a )?(?:pca|principal components)"""
    def neighbors(
        adata: Name,
        n_neighbors: int = 15,
        n_pcs: int | None = None,
        metric: str = "euclidean",
        use_rep: str | None = None,
    ):
        r"""Neighbourhood graph of cells
        neighbo"""
    def scrublet(adata: Name, batch_key: str | None = None, expected_doublet_rate: float = 0.05):
        r"""Find doublets
        doublet|scrublet"""
    def subsample(
        adata: Name, fraction: float | None = None, n_obs: int | None = None, random_state: int = 0
    ):
        r"""Take a part of the cells
        subsampl|downsampl"""

class tl:
    def pca(adata: Name, n_comps: int | None = None):
        r"""Principal components"""
    def umap(
        adata: Name,
        min_dist: float = 0.5,
        spread: float = 1.0,
        n_components: Literal[2, 3] = 2,
        random_state: int = 0,
    ):
        r"""Embed cells with UMAP
        (?:comput|calculat|run|embed)\w*.{0,30}\bumap"""
    def tsne(adata: Name, n_pcs: int | None = None, perplexity: float = 30, random_state: int = 0):
        r"""Embed cells with t-SNE
        (?:comput|calculat|run|embed)\w*.{0,30}\bt-?sne"""
    def diffmap(adata: Name, n_comps: int = 15):
        r"""Diffusion maps
        diffusion map"""
    def draw_graph(adata: Name, layout: Literal["fa", "fr", "kk"] = "fa"):
        r"""Force-directed graph layout
        (?:comput|calculat|run)\w*.{0,30}\bforce-directed"""
    def leiden(
        adata: Name, resolution: float = 1, key_added: str = "leiden", random_state: int = 0
    ):
        r"""Cluster cells with Leiden
        leiden|\bcluster (?:the )?cells"""
    def louvain(adata: Name, resolution: float | None = None, key_added: str = "louvain"):
        r"""Cluster cells with Louvain
        louvain"""
    def rank_genes_groups(
        adata: Name,
        groupby: str,
        method: Literal["t-test", "wilcoxon", "logreg"] | None = None,
        n_genes: int | None = None,
        reference: str = "rest",
    ):
        r"""Genes that mark each group
        marker genes|rank (?:the )?genes|differential(?:ly)? express"""
    def score_genes(adata: Name, gene_list: list[str], score_name: str = "score"):
        r"""Score a set of genes
        score (?:a |the )?(?:set|list|genes)|gene score"""
    def dpt(adata: Name, n_dcs: int = 10):
        r"""Diffusion pseudotime
        pseudotime"""
    def paga(adata: Name, groups: str | None = None):
        r"""Graph of groups of cells
        (?:comput|calculat|run)\w*.{0,20}paga"""
    def dendrogram(adata: Name, groupby: str):
        r"""Hierarchical clustering of groups
        (?:comput|calculat|run)\w*.{0,20}dendrogram"""

class pl:
    def scatter(
        adata: Name,
        x: str | None = None,
        y: str | None = None,
        color: str | list[str] | None = None,
    ):
        r"""Scatter plot
        scatter"""
    def pca(adata: Name, color: str | list[str] | None = None, components: str | None = None):
        r"""Plot the principal components
        \bpc ?a?\b|principal component"""
    def tsne(adata: Name, color: str | list[str] | None = None):
        r"""Plot a t-SNE embedding
        t-?sne"""
    def umap(adata: Name, color: str | list[str] | None = None):
        r"""Plot a UMAP embedding
        umap"""
    def diffmap(adata: Name, color: str | list[str] | None = None):
        r"""Plot a diffusion map
        diffusion map"""
    def draw_graph(
        adata: Name,
        color: str | list[str] | None = None,
        layout: Literal["fa", "fr", "kk"] | None = None,
    ):
        r"""Plot a force-directed graph
        force[- ]directed"""
    def spatial(adata: Name, color: str | list[str] | None = None, library_id: str | None = None):
        r"""Plot spatial data
        spatial"""
    def violin(adata: Name, keys: list[str], groupby: str | None = None):
        r"""Violin plot
        violin"""
    def heatmap(adata: Name, var_names: list[str], groupby: str):
        r"""Heat map of genes by group
        heat ?map"""
    def dotplot(adata: Name, var_names: list[str], groupby: str):
        r"""Dot plot of genes by group
        dot ?plot"""
    def matrixplot(adata: Name, var_names: list[str], groupby: str):
        r"""Matrix plot of genes by group
        matrix ?plot"""
    def stacked_violin(adata: Name, var_names: list[str], groupby: str):
        r"""Stacked violins of genes by group
        stacked violin"""
    def highest_expr_genes(adata: Name, n_top: int = 30):
        r"""Genes with most counts
        highest[- ]express"""
    def rank_genes_groups(adata: Name, n_genes: int = 20, sharey: bool = True):
        r"""Plot marker genes
        plot.{0,30}(?:marker genes|ranked genes)"""
    def paga(adata: Name, color: str | list[str] | None = None, threshold: float | None = None):
        r"""Plot a PAGA graph
        paga"""
    def dendrogram(adata: Name, groupby: str):
        r"""Plot a dendrogram
        dendrogram"""
    def highly_variable_genes(adata: Name, log: bool = False):
        r"""Plot highly variable genes
        plot.{0,30}variable genes"""
