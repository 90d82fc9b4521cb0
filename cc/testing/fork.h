// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_TESTING_FORK_H_
#define ROWFEED_TESTING_FORK_H_

#include <sys/wait.h>
#include <unistd.h>

namespace rowfeed::testing {

// Calls in_child() in a forked process, and returns its result, which is the exit
// status.
template <typename InChild>
int Fork(InChild in_child) {
  const pid_t child = fork();
  if (child == 0) _exit(in_child());
  int status = 0;
  waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}

}  // namespace rowfeed::testing

#endif  // ROWFEED_TESTING_FORK_H_
