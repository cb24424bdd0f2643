"""The pages, commands and live events that phones and the table screen use."""
