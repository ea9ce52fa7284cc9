"""One run as a page to look at, whichever tool wrote it."""
