"""Many tables: what a table tells a hall, and the hall itself (docs/hall-topics.md says what goes over the wire)."""
