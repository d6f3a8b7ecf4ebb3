"""Measurements and reconstructions of published methods. Not part of the wheel."""
