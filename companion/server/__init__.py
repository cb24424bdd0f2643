"""Pages, live events and commands over HTTP: what people's phones and the table screen talk to."""
