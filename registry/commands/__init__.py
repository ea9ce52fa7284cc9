"""The commands of the registry, one module each, imported when asked for."""
