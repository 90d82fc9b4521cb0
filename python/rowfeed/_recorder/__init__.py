# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The flight recorder: which rows came, or will come, in which batch.

Nothing is recorded. The order of rows is a function of the data, of the order options
and of the epoch, so that it can be computed for any batch, before or after it came.
"""
