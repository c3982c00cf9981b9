/// A postbox that is told nothing, for all tests.
func quietPostbox() -> PostboxDouble { PostboxDouble() }
