"""`rootleaf settings`: prints each setting with its value and where that comes from."""

from __future__ import annotations

from rootleaf.indexing.settings_in_effect import settings_in_effect
from rootleaf.store.paths import shown_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from rootleaf.surfaces.cli.console import Console


def run(request: Namespace, console: Console) -> int:
    """Prints the settings that hold here, or for the index that was named."""
    found = settings_in_effect(request.path, request.db_path)
    if request.json:
        console.write_json(found.to_json())
        return 0
    name_width = max(len(setting.name) for setting in found.settings)
    value_width = max(len(setting.value or "-") for setting in found.settings)
    for setting in found.settings:
        origin = setting.origin
        if origin == "recorded" and found.db_path is not None:
            origin = f"recorded in {shown_path(found.db_path)}"
        name = console.style(f"{setting.name:<{name_width}}", "bold")
        value = console.harmless(f"{setting.value or '-':<{value_width}}  {origin}")
        console.write(f"{name}  {value}")
        console.write(console.style(f"{'':<{name_width}}  {setting.meaning}", "dim"))
    return 0
