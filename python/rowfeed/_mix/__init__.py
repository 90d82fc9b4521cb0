# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""Mixtures: several datasets as one, in given proportions.

`mix` is the public function, `weights` turns proportions into whole rounds, and `mixed`
holds the parameters of a mixture.
"""
