# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What stands behind `rowfeed.torch`.

This room makes tensors, delivers them on devices, and hands out epochs to iterations,
to the workers of a `DataLoader` and to ranks. Its modules may import PyTorch.
"""
