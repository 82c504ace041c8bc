"""Which service answers which route: tables of decode, one service, encode."""
