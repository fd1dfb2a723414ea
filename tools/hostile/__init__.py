"""Damaged files through the command line: the stage `hostile`, and `./dev fuzz files`.

SPDX-License-Identifier: Apache-2.0
"""
