"""What only developers measure, against peers that a box does not have: it is in a checkout, and not in the wheel."""
