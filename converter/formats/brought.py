"""What does the module of a plug-in say of its format?"""

from __future__ import annotations

from importlib import import_module

from converter.form import Format
from converter.stepping import Step
from registry.catalog import catalog
from registry.plugins import Plugin


def brought(plugin: Plugin) -> tuple[Format, tuple[Step, ...]]:
    """How does the format say facts, and which steps lead to its newest version?

    Raises BrokenPlugin when the module can't be imported, or says something else than its shelf.
    """
    try:
        module = import_module(plugin.module)
    except Exception as error:  # what somebody else's module raises, nobody here can know
        raise plugin.broken(
            f"importing {plugin.module} ended with {type(error).__name__}: {error}",
            "a module that can be imported",
        ) from error
    form, steps = getattr(module, "FORMAT", None), getattr(module, "STEPS", ())
    if not isinstance(form, Format) or not all(isinstance(step, Step) for step in steps):
        raise plugin.broken(
            f"{plugin.module} has no FORMAT, or STEPS that are none",
            "FORMAT: converter.form.Format, and STEPS of converter.stepping.Step if there are any",
        )
    said = [f"{form.id}@{one}" for one in (*(step.lower.version for step in steps), form.version)]
    shelved = [one.ref for one in catalog().versions if one.format == plugin.id]
    if said != shelved:
        raise plugin.broken(
            f"{plugin.module} reads {', '.join(said)}",
            f"{', '.join(shelved)}, as its shelf has",
        )
    return form, steps
