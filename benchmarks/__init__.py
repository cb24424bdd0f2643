"""Measurements for who works on the program: against peers, under load, on photographs. A checkout alone has them.

`python -m benchmarks` runs them; `companion bench` has those that an owner runs on a Pi.
"""

SECTIONS = {
    "identities": "how near the reader that knows the deck comes to saying what is not there",
    "dice": "pips read by the camera: right, wrong and declined",
    "faces": "cards known by their faces, without codes: one change, and a cold table",
    "reading": "ninety codes in cold whole frames, against the libraries",
    "table": "the whole eye on photographs of laid tables",
    "rules": "random playouts, against python-chess",
    "balance": "how often robots win a co-operative game, against the band of its ruling",
    "robots": "how often robots of each level win, against each other and against robots as they were",
    "phones": "from an event to the last phone",
    "pages": "first paint and first visit on a slow processor; what an event sends and paints",
    "screens": "how many screens high the pages are, in every game at its largest number of seats",
    "phone_words": "words on a seat's first screen, in every game at its largest number of seats",
    "load": "200 phones, five events a second; an evening of matches in one process: what it takes, what it leaves",
    "pace": "how many instructions of a Pi an event takes, counted in qemu-user; sets up what it needs (700 MB)",
    "kills": "a process killed in the middle of matches: what is lost, and how soon it is back",
}
"""The sections, in the order in which they run, and what each is about. Section `x` is `measure` of the module `x`."""
