"""The viewer in notebooks: the engine in this process, and the page as a widget.

SPDX-License-Identifier: Apache-2.0
"""
