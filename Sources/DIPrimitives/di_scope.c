// Definition of the list of open scopes. The functions that use it are inline, in the header.

#include "di_scope.h"

static di_scope_list open_scopes = {.lock = DI_LOCK_INITIALIZER};

di_scope_list *di_open_scopes(void) { return &open_scopes; }
