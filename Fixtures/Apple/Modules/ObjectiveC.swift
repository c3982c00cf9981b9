// That it can be imported is all that is asked of it.
