"""Hooks of these tests."""

from plnkit.tests.gpu import pytest_runtest_setup as pytest_runtest_setup
