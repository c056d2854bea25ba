"""The one version number: read by the build, by CMake and by the package."""

__version__ = "0.1.0"
