// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_IO_FORK_COUNT_H_
#define ROWFEED_CORE_IO_FORK_COUNT_H_

namespace rowfeed {

// Returns how many forks lie between the process that loaded this library and this
// process. An object that was made at another count belongs to a parent process: its
// threads do not exist here, and its locks may be held for ever. Tells the same as
// getpid() would, but without a system call. Counts fork(), but not _Fork() and
// clone().
int ForkCount();

}  // namespace rowfeed

#endif  // ROWFEED_CORE_IO_FORK_COUNT_H_
