"""What `deploy/install` and `companion-update` do. Only the standard library: they run before anything is installed."""
