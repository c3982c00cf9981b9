// A test that imports DITesting has the containers too.
@_exported public import DIContainer
