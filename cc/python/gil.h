// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_PYTHON_GIL_H_
#define ROWFEED_PYTHON_GIL_H_

#include <pybind11/pybind11.h>

namespace rowfeed {

// Counts a thread that is about to take the GIL, for as long as this object lives.
//
// When Python ends, it ends each other thread that asks for the GIL, by unwinding the
// thread's stack. In a destructor, and in what is noexcept, that is std::terminate. So
// from BeginExit on, only the thread that called it may take the GIL.
class GilReturn {
 public:
  GilReturn();
  ~GilReturn();
  GilReturn(const GilReturn&) = delete;
  GilReturn& operator=(const GilReturn&) = delete;

  bool is_allowed() const { return is_allowed_; }

 private:
  const bool is_allowed_;
};

// Releases the GIL, and takes it back in its destructor. A thread that may not take the
// GIL any more stays in the destructor until the process ends.
class GilReleased {
 public:
  GilReleased() : thread_(PyEval_SaveThread()) {}
  ~GilReleased();
  GilReleased(const GilReleased&) = delete;
  GilReleased& operator=(const GilReleased&) = delete;

 private:
  PyThreadState* const thread_;
};

// For functions that are bound to Python and run without the GIL.
using Unlocked = pybind11::call_guard<GilReleased>;

// Lets no other thread take the GIL through this library from now on, and waits for
// those that are about to. Called with the GIL when Python exits, and threads that are
// no daemons have ended. A fork undoes it in the child.
void BeginExit();

}  // namespace rowfeed

#endif  // ROWFEED_PYTHON_GIL_H_
