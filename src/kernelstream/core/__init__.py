"""The compiled core: one loop, the function it changes, and the state it works on."""
