"""Fixtures and settings that every test shares."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("dev", max_examples=50, deadline=None)
settings.register_profile(
    "ci", max_examples=200, deadline=None, derandomize=True, print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("nightly", max_examples=5000, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "dev"))

REPOSITORY = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of the checkout."""
    return REPOSITORY


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The directory of corpora, conformance examples and questions; skipped without it, except under CI."""
    directory = Path(os.environ.get("ROOTLEAF_TEST_DATA", REPOSITORY.parent / "shared"))
    if not (directory / "corpora").is_dir():
        message = f"test data is not at {directory}; set ROOTLEAF_TEST_DATA to its directory"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    return directory
