"""What the tests share.

SPDX-License-Identifier: Apache-2.0
"""
