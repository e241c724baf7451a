"""OGN as text, one game at a time: words, records, reading, writing; `wari.ogn` is made of it.

Owns: what the notation looks like and means. Must not know: games, files.
"""
