# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The keywords of datasets: what users gave, and what it comes to for their data.

`keywords` has the signature, `options` the one declaration of each option, and
`resolve` makes the immutable `Resolved` of them and of the data, which all faces share.
"""
