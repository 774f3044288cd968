#pragma once

/// The commit that this program was built from, as `git` abbreviates it; empty where nobody said.
const char *_Nonnull framebudget_commit(void);
