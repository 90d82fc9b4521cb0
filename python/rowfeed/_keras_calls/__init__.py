# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""How a dataset notices which call of Keras reads it.

The datasets of NumPy, PyTorch and TensorFlow use this room, under every backend of
Keras. It finds Keras among the loaded modules and never imports it. The callbacks for
Keras are in `_keras`.
"""
