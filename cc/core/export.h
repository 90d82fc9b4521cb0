// SPDX-FileCopyrightText: 2026 The rowfeed authors
// SPDX-License-Identifier: Apache-2.0
#ifndef ROWFEED_CORE_EXPORT_H_
#define ROWFEED_CORE_EXPORT_H_

// Marks what the kernel library exports: the functions and classes of the facade, which
// the adapters call. All other symbols of the library are hidden.
#define ROWFEED_EXPORT __attribute__((visibility("default")))

#endif  // ROWFEED_CORE_EXPORT_H_
