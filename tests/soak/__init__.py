# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""A soak: drawn trainings for minutes in one process, which must not grow.

    python -m tests.soak --minutes 15 --seed 7

Each face of rowfeed has a process of its own, which plays one training after the other.
The model of `tests.simulation` judges each row. Memory, open descriptors and threads of
the process are sampled, and a line is fitted to them. docs/reliability.md says more.
"""
