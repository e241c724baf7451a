"""Plain-Python reference implementation of the rules and solvers.

Written from the rules alone, slow and obvious, and never shipped: it is the yardstick the core is
measured with, so it imports nothing but the standard library and must not know that the core
exists.
"""
