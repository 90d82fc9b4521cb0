// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_IO_URI_H_
#define ROWFEED_CORE_IO_URI_H_

#include <string>
#include <string_view>

#include "core/status.h"

namespace rowfeed {

// "s3://bucket/key?region=eu-west-1": a path in a file system elsewhere. Its path is
// percent-encoded, and a `?` begins the options of the file system, so that a glob in a
// URI has no `?`. What is secret (of s3 all before the `@`; else a password there;
// options whose names hold key, secret, token, password or signature, or end in sig) is
// kept apart: it is in no text that is made of a Uri but ForClient().
struct Uri {
  std::string scheme;        // in small letters
  std::string authority;     // "bucket", "container@account.dfs.core.windows.net"
  std::string path;          // decoded, without a slash in front or at the end
  std::string query;         // the options
  std::string secret_user;   // of the authority, with its `@`
  std::string secret_query;  // options

  // The file system: what all of its paths begin with. Nothing secret.
  std::string Root() const { return WithPath(""); }
  // Another path of the file system. Nothing secret.
  std::string WithPath(std::string_view other) const;
  // "s3://bucket/key", for messages.
  std::string Shown(std::string_view other) const;
  // The file system, with all that is secret.
  std::string ForClient() const;
};

// Whether there is a scheme, as RFC 3986 has it, before "://".
bool IsUri(std::string_view path);

// kInvalid names no more of the text than its scheme.
Result<Uri> ParseUri(std::string_view text);

// The URI of the path that `uri` has, taken as it is and not as percent-encoded.
std::string WithLiteralPath(std::string_view uri);

// A path as messages name it: of a URI what is neither secret nor option.
std::string ShownPath(const std::string& path);

// What opens the same in this process once the whole was opened: of a URI all but what
// is secret. For what is kept.
Result<std::string> WithoutSecrets(const std::string& path);

}  // namespace rowfeed

#endif  // ROWFEED_CORE_IO_URI_H_
