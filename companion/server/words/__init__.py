"""What is said to people, in their language: see docs/languages.md."""
