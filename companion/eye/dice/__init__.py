"""Dice in trays: when a tray is read, what lies in it, and what each die shows.

Read `trays` first (when), then `reader` (what), which asks a kind of die, `six_sided` or `ten_sided`, and these their
networks. `straight` pulls a tray straight, `nets` has what both kinds' networks do, `sets` what is known of dice that
were rolled before, `pips` where pips are.
"""
