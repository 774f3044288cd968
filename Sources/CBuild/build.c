#include "build.h"

#ifndef FRAMEBUDGET_COMMIT
#define FRAMEBUDGET_COMMIT ""
#endif

const char *framebudget_commit(void) { return FRAMEBUDGET_COMMIT; }
