# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The private modules of `rowfeed.torch`.

They make tensors, deliver them on devices, and hand out epochs to iterations, to the
workers of a `DataLoader` and to ranks. They may import PyTorch.
"""
