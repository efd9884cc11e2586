"""Where a person's matches and statistics are kept."""

import os
from pathlib import Path


def data_folder() -> Path:
    """The folder for data of the user, made when first written to: KINGSOLVE_DATA, else the system's."""
    given = os.environ.get("KINGSOLVE_DATA")
    if given:
        return Path(given).expanduser()
    from platformdirs import user_data_path

    return user_data_path("kingsolve", appauthor=False)


def statistics_path() -> Path:
    """The file of the statistics."""
    return data_folder() / "statistics.json"
