"""Whatever comes in, nothing breaks: random bytes, JSON, pictures, addresses, actions, for as long as is wished."""
