// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
//
// A library to preload into a process. It lets the n-th call of one kind fail: memory
// and threads that rowfeed's libraries ask for, and calls on files in one folder,
// whoever makes them. tests/support/failing_calls.py arms it.
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <new>

extern "C" {
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* memory, size_t size);
void* __libc_memalign(size_t alignment, size_t size);
}

namespace {

enum Kind { kNothing, kMemory, kThread, kOpen, kRead, kWrite, kSync, kRename };
constexpr const char* kNames[] = {"",     "memory", "thread", "open",
                                  "read", "write",  "sync",   "rename"};

std::atomic<int> armed = kNothing;
std::atomic<long> calls_left = 0;
std::atomic<bool> goes_on = false;  // whether all calls after the n-th fail, too
char folder[PATH_MAX];
thread_local bool is_within = false;  // in this library itself

// Whether the call that is counted now fails.
bool Fails() {
  const long left = --calls_left;
  return left == 0 || (left < 0 && goes_on);
}

// Whether code lies in the kernel. Other libraries of the package are left out: where a
// small allocation of their own fails, Arrow and pybind11 end the process.
bool IsOurs(const void* address) {
  Dl_info info;
  if (dladdr(address, &info) == 0 || info.dli_fname == nullptr) return false;
  return strstr(info.dli_fname, "/rowfeed/librowfeed-") != nullptr;
}

bool MemoryFails(const void* caller) {
  if (armed != kMemory || is_within) return false;
  is_within = true;
  const bool fails = IsOurs(caller) && Fails();
  is_within = false;
  return fails;
}

// Threads are started by the C++ library, so the callers above it tell whose they are.
bool ThreadFails() {
  if (armed != kThread || is_within) return false;
  is_within = true;
  void* frames[12];
  bool is_ours = false;
  for (int i = 0, end = backtrace(frames, 12); i < end; ++i) {
    is_ours = is_ours || IsOurs(frames[i]);
  }
  const bool fails = is_ours && Fails();
  is_within = false;
  return fails;
}

bool PathFails(Kind kind, const char* path) {
  if (armed != kind || is_within || path == nullptr) return false;
  if (strncmp(path, folder, strlen(folder)) != 0) return false;
  return Fails();
}

bool FileFails(Kind kind, int file) {
  if (armed != kind || is_within) return false;
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof(link), "/proc/self/fd/%d", file);
  const ssize_t size = readlink(link, path, sizeof(path) - 1);
  if (size < 0) return false;
  path[size] = '\0';
  return PathFails(kind, path);
}

template <typename Function>
Function Next(const char* name) {
  is_within = true;
  const auto next = reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
  is_within = false;
  return next;
}

void* New(size_t size, const void* caller) {
  return MemoryFails(caller) ? nullptr : __libc_malloc(size > 0 ? size : 1);
}

void* NewAligned(size_t size, size_t alignment, const void* caller) {
  return MemoryFails(caller) ? nullptr : __libc_memalign(alignment, size);
}

void* OrThrow(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

#define CALLER __builtin_return_address(0)

extern "C" {

// Lets the n-th call from now on fail; with `on` also all that follow.
void fail_nth_arm(const char* kind, long n, const char* within, int on) {
  armed = kNothing;
  snprintf(folder, sizeof(folder), "%s", within);
  goes_on = on != 0;
  calls_left = n;
  for (int i = kMemory; i <= kRename; ++i) {
    if (strcmp(kNames[i], kind) == 0) armed = i;
  }
}

// Lets nothing fail any more. Returns whether the n-th call was reached.
int fail_nth_disarm() {
  armed = kNothing;
  return calls_left <= 0;
}

void* malloc(size_t size) {
  return MemoryFails(CALLER) ? (errno = ENOMEM, nullptr) : __libc_malloc(size);
}
void* calloc(size_t count, size_t size) {
  return MemoryFails(CALLER) ? (errno = ENOMEM, nullptr) : __libc_calloc(count, size);
}
void* realloc(void* memory, size_t size) {
  return MemoryFails(CALLER) ? (errno = ENOMEM, nullptr)
                             : __libc_realloc(memory, size);
}
void* aligned_alloc(size_t alignment, size_t size) {
  return NewAligned(size, alignment, CALLER);
}
int posix_memalign(void** memory, size_t alignment, size_t size) {
  *memory = NewAligned(size, alignment, CALLER);
  return *memory == nullptr ? ENOMEM : 0;
}

void* mmap(void* address, size_t size, int protection, int flags, int file,
           off_t offset) {
  static const auto next = Next<decltype(&mmap)>("mmap");
  if (MemoryFails(CALLER)) return errno = ENOMEM, MAP_FAILED;
  return next(address, size, protection, flags, file, offset);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                   void* (*run)(void*), void* argument) {
  static const auto next = Next<decltype(&pthread_create)>("pthread_create");
  return ThreadFails() ? EAGAIN : next(thread, attributes, run, argument);
}

#define OPEN(name)                                          \
  int name(const char* path, int flags, ...) {              \
    static const auto next = Next<decltype(&name)>(#name);  \
    va_list list;                                           \
    va_start(list, flags);                                  \
    const int mode = va_arg(list, int);                     \
    va_end(list);                                           \
    if (PathFails(kOpen, path)) return errno = EMFILE, -1;  \
    return next(path, flags, mode);                         \
  }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                        \
  int name(int at, const char* path, int flags, ...) {      \
    static const auto next = Next<decltype(&name)>(#name);  \
    va_list list;                                           \
    va_start(list, flags);                                  \
    const int mode = va_arg(list, int);                     \
    va_end(list);                                           \
    if (PathFails(kOpen, path)) return errno = EMFILE, -1;  \
    return next(at, path, flags, mode);                     \
  }
OPENAT(openat)
OPENAT(openat64)

#define ON_FILE(kind, error, result, name, parameters, arguments) \
  result name parameters {                                        \
    static const auto next = Next<decltype(&name)>(#name);        \
    if (FileFails(kind, file)) return errno = error, -1;          \
    return next arguments;                                        \
  }
ON_FILE(kRead, EIO, ssize_t, read, (int file, void* out, size_t size), (file, out, size))
ON_FILE(kRead, EIO, ssize_t, pread, (int file, void* out, size_t size, off_t at),
        (file, out, size, at))
ON_FILE(kRead, EIO, ssize_t, pread64, (int file, void* out, size_t size, off64_t at),
        (file, out, size, at))
ON_FILE(kRead, EIO, ssize_t, preadv,
        (int file, const struct iovec* out, int count, off_t at), (file, out, count, at))
ON_FILE(kRead, EIO, ssize_t, preadv64,
        (int file, const struct iovec* out, int count, off64_t at),
        (file, out, count, at))
ON_FILE(kWrite, ENOSPC, ssize_t, write, (int file, const void* bytes, size_t size),
        (file, bytes, size))
ON_FILE(kWrite, ENOSPC, ssize_t, pwrite,
        (int file, const void* bytes, size_t size, off_t at), (file, bytes, size, at))
ON_FILE(kWrite, ENOSPC, ssize_t, pwrite64,
        (int file, const void* bytes, size_t size, off64_t at), (file, bytes, size, at))
ON_FILE(kSync, EIO, int, fsync, (int file), (file))
ON_FILE(kSync, EIO, int, fdatasync, (int file), (file))

int rename(const char* from, const char* to) noexcept {
  static const auto next = Next<decltype(&rename)>("rename");
  return PathFails(kRename, to) ? (errno = EIO, -1) : next(from, to);
}
int renameat(int from_at, const char* from, int to_at, const char* to) noexcept {
  static const auto next = Next<decltype(&renameat)>("renameat");
  return PathFails(kRename, to) ? (errno = EIO, -1) : next(from_at, from, to_at, to);
}
int link(const char* from, const char* to) noexcept {
  static const auto next = Next<decltype(&link)>("link");
  return PathFails(kRename, to) ? (errno = EIO, -1) : next(from, to);
}

}  // extern "C"

void* operator new(size_t size) { return OrThrow(New(size, CALLER)); }
void* operator new[](size_t size) { return OrThrow(New(size, CALLER)); }
void* operator new(size_t size, const std::nothrow_t&) noexcept {
  return New(size, CALLER);
}
void* operator new[](size_t size, const std::nothrow_t&) noexcept {
  return New(size, CALLER);
}
void* operator new(size_t size, std::align_val_t alignment) {
  return OrThrow(NewAligned(size, static_cast<size_t>(alignment), CALLER));
}
void* operator new[](size_t size, std::align_val_t alignment) {
  return OrThrow(NewAligned(size, static_cast<size_t>(alignment), CALLER));
}
void* operator new(size_t size, std::align_val_t alignment,
                   const std::nothrow_t&) noexcept {
  return NewAligned(size, static_cast<size_t>(alignment), CALLER);
}
void operator delete(void* memory) noexcept { free(memory); }
void operator delete[](void* memory) noexcept { free(memory); }
void operator delete(void* memory, size_t) noexcept { free(memory); }
void operator delete[](void* memory, size_t) noexcept { free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { free(memory); }
void operator delete(void* memory, size_t, std::align_val_t) noexcept { free(memory); }
void operator delete[](void* memory, size_t, std::align_val_t) noexcept { free(memory); }
