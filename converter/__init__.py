"""Bidirectional, lossless conversion between result formats."""
