"""The data that an evaluation reads. It does not come with the app: who wants to measure says where
it is.
"""

from __future__ import annotations

from pathlib import Path

from core.errors import InputError

BESIDE = Path("../shared/data")  # where data lies that stands beside a checkout


def data_folder(folder: Path, holds: str, option: str = "--data") -> Path:
    """The folder, where it is there. Raises InputError that says what is needed (`holds`) and which
    option names it.
    """
    if not folder.is_dir():
        raise missing_data(holds, option)
    return folder


def missing_data(holds: str, option: str = "--data") -> InputError:
    return InputError(
        f"This is measured on data that does not come with the app: {holds}.",
        f"Get it, and name its folder with {option} FOLDER.",
    )
