// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
//
// What of Hadoop's libhdfs its clients call to read, over a directory of this machine,
// $FAKE_HDFS_ROOT. As the real one it names files by URI, and needs a name node: here
// "namenode", which has port 8020.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

typedef struct {
  int kind;  // 'F' or 'D'
  char* name;
  time_t last_modified;
  int64_t size;
  short replication;
  int64_t block_size;
  char* owner;
  char* group;
  short permissions;
  time_t last_access;
} FileInfo;

typedef struct {
  char node[256];
  uint16_t port;
} Builder;

static char* LocalPath(const char* path) {
  static const char kScheme[] = "hdfs://";
  if (strncmp(path, kScheme, sizeof(kScheme) - 1) == 0) {
    path = strchr(path + sizeof(kScheme) - 1, '/');
    if (path == NULL) path = "/";
  }
  static __thread char local[PATH_MAX];
  snprintf(local, sizeof(local), "%s%s", getenv("FAKE_HDFS_ROOT"), path);
  return local;
}

static int Describe(const char* path, const char* child, FileInfo* info) {
  char inner[PATH_MAX / 2];
  const char* begin = strncmp(path, "hdfs://", 7) == 0 ? strchr(path + 7, '/') : path;
  const size_t size = strlen(begin);
  const int has_slash = size > 0 && begin[size - 1] == '/';
  snprintf(inner, sizeof(inner), "%s%s%s", begin, *child && !has_slash ? "/" : "",
           child);
  struct stat found;
  if (stat(LocalPath(inner), &found) != 0) return -1;
  memset(info, 0, sizeof(*info));
  info->kind = S_ISDIR(found.st_mode) ? 'D' : 'F';
  info->name = malloc(PATH_MAX);
  snprintf(info->name, PATH_MAX, "hdfs://namenode:8020%s", inner);
  info->last_modified = found.st_mtime;
  info->size = found.st_size;
  info->block_size = 1 << 27;
  info->owner = strdup("owner");
  info->group = strdup("group");
  return 0;
}

Builder* hdfsNewBuilder(void) { return calloc(1, sizeof(Builder)); }
void hdfsBuilderSetNameNode(Builder* builder, const char* node) {
  snprintf(builder->node, sizeof(builder->node), "%s", node);
}
void hdfsBuilderSetNameNodePort(Builder* builder, uint16_t port) {
  builder->port = port;
}
void hdfsBuilderSetUserName(Builder* builder, const char* user) {
  (void)builder, (void)user;
}
void hdfsBuilderSetKerbTicketCachePath(Builder* builder, const char* path) {
  (void)builder, (void)path;
}
void hdfsBuilderSetForceNewInstance(Builder* builder) { (void)builder; }
int hdfsBuilderConfSetStr(Builder* builder, const char* key, const char* value) {
  return (void)builder, (void)key, (void)value, 0;
}

void* hdfsBuilderConnect(Builder* builder) {
  const int is_there = strstr(builder->node, "namenode") != NULL &&
                       (builder->port == 8020 || builder->port == 0);
  free(builder);
  if (!is_there) errno = ECONNREFUSED;
  return is_there ? calloc(1, 1) : NULL;
}
int hdfsDisconnect(void* fs) { return free(fs), 0; }

char* hdfsGetWorkingDirectory(void* fs, char* out, size_t size) {
  (void)fs;
  snprintf(out, size, "hdfs://namenode:8020/user/nobody");
  return out;
}

int hdfsExists(void* fs, const char* path) {
  return (void)fs, access(LocalPath(path), F_OK);
}

FileInfo* hdfsGetPathInfo(void* fs, const char* path) {
  (void)fs;
  FileInfo* info = malloc(sizeof(FileInfo));
  if (Describe(path, "", info) == 0) return info;
  free(info);
  return NULL;
}

FileInfo* hdfsListDirectory(void* fs, const char* path, int* count) {
  (void)fs;
  DIR* directory = opendir(LocalPath(path));
  if (directory == NULL) return NULL;
  FileInfo* infos = malloc(1000 * sizeof(FileInfo));
  *count = 0;
  for (struct dirent* entry; *count < 1000 && (entry = readdir(directory)) != NULL;) {
    if (entry->d_name[0] == '.') continue;
    if (Describe(path, entry->d_name, &infos[*count]) == 0) ++*count;
  }
  closedir(directory);
  errno = 0;
  return infos;
}

void hdfsFreeFileInfo(FileInfo* infos, int count) {
  for (int i = 0; i < count; ++i) {
    free(infos[i].name);
    free(infos[i].owner);
    free(infos[i].group);
  }
  free(infos);
}

void* hdfsOpenFile(void* fs, const char* path, int flags, int buffer_size,
                   short replication, int32_t block_size) {
  (void)fs, (void)flags, (void)buffer_size, (void)replication, (void)block_size;
  const int fd = open(LocalPath(path), O_RDONLY);
  if (fd < 0) return NULL;
  int* file = malloc(sizeof(int));
  *file = fd;
  return file;
}
int hdfsCloseFile(void* fs, int* file) {
  (void)fs;
  const int result = close(*file);
  free(file);
  return result;
}
int hdfsSeek(void* fs, int* file, int64_t position) {
  return (void)fs, lseek(*file, position, SEEK_SET) < 0 ? -1 : 0;
}
int64_t hdfsTell(void* fs, int* file) { return (void)fs, lseek(*file, 0, SEEK_CUR); }
// As the real ones they may read less than was asked for.
int32_t hdfsRead(void* fs, int* file, void* out, int32_t size) {
  return (void)fs, (int32_t)read(*file, out, size < 5000 ? size : 5000);
}
int32_t hdfsPread(void* fs, int* file, int64_t position, void* out, int32_t size) {
  return (void)fs, (int32_t)pread(*file, out, size < 5000 ? size : 5000, position);
}

// Nobody writes, or asks for these; clients look for their names.
#define REFUSED(name) \
  int name(void) { return errno = ENOTSUP, -1; }
REFUSED(hdfsCreateDirectory)
REFUSED(hdfsDelete)
REFUSED(hdfsGetCapacity)
REFUSED(hdfsGetUsed)
REFUSED(hdfsWrite)
REFUSED(hdfsFlush)
REFUSED(hdfsHFlush)
REFUSED(hdfsHSync)
REFUSED(hdfsAvailable)
REFUSED(hdfsCopy)
REFUSED(hdfsMove)
REFUSED(hdfsRename)
REFUSED(hdfsSetReplication)
REFUSED(hdfsGetHosts)
REFUSED(hdfsFreeHosts)
REFUSED(hdfsGetDefaultBlockSize)
REFUSED(hdfsChown)
REFUSED(hdfsChmod)
REFUSED(hdfsUtime)
REFUSED(hdfsTruncateFile)
REFUSED(hdfsSetWorkingDirectory)
REFUSED(hdfsConnect)
REFUSED(hdfsConnectAsUser)
