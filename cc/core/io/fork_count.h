// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_IO_FORK_COUNT_H_
#define ROWFEED_CORE_IO_FORK_COUNT_H_

namespace rowfeed {

// How many forks lie between the process that loaded this library and this one. What
// was made at another count was made by a process that this one is forked from: its
// threads are gone, and its locks may be held for ever. As getpid() would tell, but
// without a system call; of fork(), not of _Fork() and clone().
int ForkCount();

}  // namespace rowfeed

#endif  // ROWFEED_CORE_IO_FORK_COUNT_H_
