// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#include "core/io/uri.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstddef>
#include <system_error>

namespace rowfeed {
namespace {

constexpr std::string_view kSeparator = "://";

// Decodes percent-encoded bytes. A percent sign without two hexadecimal digits stays as
// it is.
std::string Decoded(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    unsigned char byte = 0;
    const char* code = text.data() + i + 1;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(code, code + 2, byte, 16).ptr == code + 2) {
      out += static_cast<char>(byte);
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

// Encodes the characters that have a meaning in a URI's path: `%` and `?`.
std::string Encoded(std::string_view path) {
  std::string out;
  for (const char c : path) {
    if (c == '%') {
      out += "%25";
    } else if (c == '?') {
      out += "%3F";
    } else {
      out += c;
    }
  }
  return out;
}

std::string_view WithoutSlashes(std::string_view path) {
  while (path.starts_with('/')) path.remove_prefix(1);
  while (path.ends_with('/')) path.remove_suffix(1);
  return path;
}

std::string Lower(std::string text) {
  for (char& c : text) {
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return text;
}

bool IsSecretOption(std::string_view option) {
  constexpr std::array<std::string_view, 5> kSecrets = {"secret", "key", "token",
                                                        "password", "signature"};
  const std::string name = Lower(Decoded(option.substr(0, option.find('='))));
  if (name.ends_with("sig")) return true;  // "sig" is Azure's shared access signature
  return std::any_of(kSecrets.begin(), kSecrets.end(), [&](std::string_view secret) {
    return name.find(secret) != std::string_view::npos;
  });
}

void AddOption(std::string_view option, std::string* query) {
  if (!query->empty()) *query += '&';
  query->append(option);
}

void SplitQuery(std::string_view query, Uri* uri) {
  while (!query.empty()) {
    const size_t end = std::min(query.find('&'), query.size());
    const std::string_view option = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    if (option.empty()) continue;
    AddOption(option, IsSecretOption(option) ? &uri->secret_query : &uri->query);
  }
}

void SplitAuthority(std::string_view authority, Uri* uri) {
  const size_t at = authority.rfind('@');
  if (at == std::string_view::npos) {
    uri->authority = authority;
    return;
  }
  const std::string_view user = authority.substr(0, at);
  const std::string_view host = authority.substr(at + 1);
  // In these schemes the name of a user or container stands before a password. In an
  // unknown or misspelt one, it may be the key of a store.
  constexpr std::array<std::string_view, 6> kNamed = {"abfs", "abfss",  "hdfs",
                                                      "gs",   "viewfs", "gcs"};
  const bool is_named = std::ranges::find(kNamed, uri->scheme) != kNamed.end() ||
                        uri->scheme.starts_with("tf+");
  const bool has_password = user.find(':') != std::string_view::npos;
  if (uri->scheme == "s3" || (has_password && !is_named)) {
    uri->secret_user.append(user).append("@");
    uri->authority = host;
  } else if (has_password) {
    const size_t colon = user.find(':');
    uri->secret_user.append(user).append("@");
    uri->authority.append(user.substr(0, colon));
    if (colon > 0) uri->authority += '@';
    uri->authority.append(host);
  } else {
    uri->authority = authority;
  }
}

// Whether a `/` or `?` that ends `authority` is part of a secret, whose `@` follows in
// `rest`. A host may have a port after its colon; a bucket has none.
bool EndsInSecret(const Uri& uri, std::string_view authority, std::string_view rest) {
  const size_t colon = authority.find(':', authority.find(']') + 1);
  if (colon == std::string_view::npos || authority.find('@') != std::string_view::npos)
    return false;
  const std::string_view port = authority.substr(colon + 1);
  const bool is_port = uri.scheme != "s3" && !port.empty() &&
                       port.find_first_not_of("0123456789") == std::string_view::npos;
  return !is_port && rest.find('@') != std::string_view::npos;
}

}  // namespace

bool IsUri(std::string_view path) {
  const size_t colon = path.find(kSeparator);
  return colon != std::string_view::npos && colon > 0 && std::isalpha(path[0]) != 0 &&
         std::all_of(path.begin(), path.begin() + colon, [](unsigned char c) {
           return std::isalnum(c) != 0 || c == '+' || c == '-' || c == '.';
         });
}

Result<Uri> ParseUri(std::string_view text) {
  if (!IsUri(text)) return Status::Invalid("a URI without a scheme");
  Uri uri;
  uri.scheme = Lower(std::string(text.substr(0, text.find(kSeparator))));
  text.remove_prefix(uri.scheme.size() + kSeparator.size());
  // Hadoop's clients for S3 use these other names.
  if (uri.scheme == "s3a" || uri.scheme == "s3n") uri.scheme = "s3";
  const size_t end = std::min(text.find_first_of("/?"), text.size());
  if (EndsInSecret(uri, text.substr(0, end), text.substr(end))) {
    return Status::Invalid("a URI of scheme ", uri.scheme,
                           " with a `/` or `?` before its `@`: what is special in a "
                           "secret must be percent-encoded, as %2F and %3F");
  }
  const size_t question = std::min(text.find('?'), text.size());
  std::string_view query = text.substr(question);
  text = text.substr(0, question);
  const size_t slash = std::min(text.find('/'), text.size());
  if (!query.empty()) query.remove_prefix(1);
  SplitQuery(query, &uri);
  SplitAuthority(text.substr(0, slash), &uri);
  uri.path = Decoded(WithoutSlashes(text.substr(slash)));
  if (uri.authority.empty() && uri.scheme != "file") {
    return Status::Invalid("a URI of scheme ", uri.scheme, " without a bucket or host");
  }
  return uri;
}

std::string WithLiteralPath(std::string_view uri) {
  const size_t authority = uri.find(kSeparator) + kSeparator.size();
  const size_t path = std::min(uri.find_first_of("/?", authority), uri.size());
  const size_t query = std::min(uri.find('?', path), uri.size());
  std::string literal(uri.substr(0, path));
  literal += Encoded(uri.substr(path, query - path));
  return literal.append(uri.substr(query));
}

std::string Uri::Shown(std::string_view other) const {
  std::string shown = scheme;
  shown.append(kSeparator).append(authority);
  if (!other.empty()) shown.append("/").append(other);
  return shown;
}

std::string Uri::WithPath(std::string_view other) const {
  std::string text = Shown(Encoded(other));
  if (!query.empty()) text.append("?").append(query);
  return text;
}

std::string Uri::ForClient() const {
  std::string text = scheme;
  text.append(kSeparator).append(secret_user);
  // If there is a user with a password, the user's name stands both in secret_user and
  // in authority.
  const size_t at = authority.rfind('@');
  text += secret_user.empty() || at == std::string::npos ? authority
                                                         : authority.substr(at + 1);
  std::string options = query;
  if (!secret_query.empty()) AddOption(secret_query, &options);
  if (!options.empty()) text.append("?").append(options);
  return text;
}

std::string ShownPath(const std::string& path) {
  if (!IsUri(path)) return path;
  const Result<Uri> uri = ParseUri(path);
  return uri.ok() ? uri->Shown(uri->path) : uri.status().message();
}

Result<std::string> WithoutSecrets(const std::string& path) {
  if (!IsUri(path)) return path;
  ROWFEED_ASSIGN_OR_RETURN(const Uri uri, ParseUri(path));
  return uri.WithPath(uri.path);
}

}  // namespace rowfeed
