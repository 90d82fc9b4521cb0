# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""How a dataset notices the call of Keras that reads it.

All faces use this room, under every backend of Keras. It finds Keras among the loaded
modules and never imports it. The callbacks and models for Keras are in `_keras`.
"""
