// A test that imports DITesting can use the containers too.
@_exported public import DIContainer
