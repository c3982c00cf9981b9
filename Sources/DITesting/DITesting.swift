@_exported public import DIContainer
