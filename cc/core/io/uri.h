// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_IO_URI_H_
#define ROWFEED_CORE_IO_URI_H_

#include <string>
#include <string_view>

#include "core/export.h"
#include "core/status.h"

namespace rowfeed {

// A parsed URI such as "s3://bucket/key?region=eu-west-1": a path in a remote file
// system. The path is percent-encoded. A `?` begins the options of the file system, so
// a glob in a URI cannot have a `?`. Secrets are kept apart, and only ForClient()
// writes them. Secret are, for s3, all that stands before the `@`; for other schemes, a
// password there; for unknown schemes, also the name before a password; and options
// whose names contain key, secret, token, password or signature, or end in sig.
struct ROWFEED_EXPORT Uri {
  std::string scheme;  // scheme in lower case
  // Bucket or host: "bucket", "container@account.dfs.core.windows.net".
  std::string authority;
  std::string path;          // decoded path, without slashes at its ends
  std::string query;         // options that are not secret
  std::string secret_user;   // secret part before the authority, with its `@`
  std::string secret_query;  // options that are secret

  // The URI of the file system, with which all of its paths begin. Has no secrets.
  std::string Root() const { return WithPath(""); }
  // The URI of another path of the file system. Has no secrets.
  std::string WithPath(std::string_view other) const;
  // A path of the file system as messages show it: "s3://bucket/key".
  std::string Shown(std::string_view other) const;
  // The URI of the file system with all secrets, for the client.
  std::string ForClient() const;
};

// Whether `path` begins with a scheme, as RFC 3986 defines it, and "://".
bool IsUri(std::string_view path);

// Parses a URI. An error message shows no more of the text than its scheme, as the rest
// may hold secrets.
Result<Uri> ParseUri(std::string_view text);

// Returns `uri` with its path percent-encoded. `uri` has a path that is meant
// literally, not as percent-encoded.
std::string WithLiteralPath(std::string_view uri);

// Returns a path as messages show it: a URI without secrets and options.
std::string ShownPath(const std::string& path);

// Returns a path that can be stored: a URI without its secrets. It opens the same file
// in this process if the whole URI was opened before.
ROWFEED_EXPORT Result<std::string> WithoutSecrets(const std::string& path);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_IO_URI_H_
