// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
//
// Takes the place of a few functions of the C library in a process that preloads it, so
// that a test can damage a disk or set the clock.
#define _GNU_SOURCE
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

// Number of reads of Parquet files up to the one that fails. Below 1, none fails.
static atomic_long reads_left = 0;
// The byte that cannot be read from then on, as a sector of a disk: inode and offset.
static _Atomic ino_t bad_inode = 0;
static atomic_llong bad_offset = 0;
// Whether each look at the clock of the day finds it some minutes earlier or later.
static atomic_int is_clock_jumping = 0;
static atomic_int num_looks = 0;

void fail_read(long number) {
  bad_inode = 0;
  reads_left = number;
}

int has_failed(void) { return bad_inode != 0; }

void jump_clock(int on) { is_clock_jumping = on; }

static int is_parquet(int fd) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t size = readlink(link, path, sizeof path - 1);
  if (size < 8) return 0;
  path[size] = 0;
  return strcmp(path + size - 8, ".parquet") == 0;
}

// Whether a read fails, which it does at the number that was asked for and wherever it
// touches the byte that is bad since.
static int fails(int fd, long long offset, long long size) {
  if (!is_parquet(fd)) return 0;
  struct stat info;
  if (fstat(fd, &info) != 0) return 0;
  if (reads_left > 0 && atomic_fetch_sub(&reads_left, 1) == 1) {
    bad_offset = offset;
    bad_inode = info.st_ino;
  }
  if (bad_inode != info.st_ino) return 0;
  if (bad_offset < offset || bad_offset >= offset + size) return 0;
  errno = EIO;
  return 1;
}

ssize_t pread64(int fd, void* out, size_t size, off64_t offset) {
  if (fails(fd, offset, (long long)size)) return -1;
  return syscall(SYS_pread64, fd, out, size, offset);
}

ssize_t pread(int fd, void* out, size_t size, off_t offset) {
  return pread64(fd, out, size, offset);
}

ssize_t preadv64(int fd, const struct iovec* parts, int count, off64_t offset) {
  long long size = 0;
  for (int i = 0; i < count; ++i) size += (long long)parts[i].iov_len;
  if (fails(fd, offset, size)) return -1;
  return syscall(SYS_preadv, fd, parts, (long)count, offset, 0L);
}

ssize_t preadv(int fd, const struct iovec* parts, int count, off_t offset) {
  return preadv64(fd, parts, count, offset);
}

int clock_gettime(clockid_t clock, struct timespec* out) {
  const int result = (int)syscall(SYS_clock_gettime, clock, out);
  if (clock == CLOCK_REALTIME && is_clock_jumping) {
    out->tv_sec += atomic_fetch_add(&num_looks, 1) % 2 ? 400 : -400;
  }
  return result;
}

int gettimeofday(struct timeval* restrict out, void* restrict zone) {
  (void)zone;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  out->tv_sec = now.tv_sec;
  out->tv_usec = now.tv_nsec / 1000;
  return 0;
}

time_t time(time_t* out) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (out != NULL) *out = now.tv_sec;
  return now.tv_sec;
}
