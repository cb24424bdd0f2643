"""Measurements for who works on the program: against peers, under load, killed. A wheel has none of them."""
