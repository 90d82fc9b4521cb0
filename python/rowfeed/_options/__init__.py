# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The keywords of datasets: their signature, declarations, checks and defaults.

`keywords` has the signature, `options` the one declaration of each option, and
`make_parameters` makes the immutable `Parameters` of the options and the data, which
the datasets of all frameworks use.
"""
