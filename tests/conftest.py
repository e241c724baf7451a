"""Settings that every test shares.

Owns: the Hypothesis profile. In CI the examples are the same in every run, so that a red run can be
repeated; elsewhere they are new each time.
"""

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "wari",
    deadline=None,
    derandomize="CI" in os.environ,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("wari")
