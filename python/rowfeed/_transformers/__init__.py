# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""What the Trainer of Hugging Face's transformers needs of a dataset."""
