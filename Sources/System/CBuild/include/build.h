#pragma once

/// The commit that this program was built from, as `git` abbreviates it; empty if the build did not set it.
const char *_Nonnull framebudget_commit(void);
