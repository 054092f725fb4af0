"""sudokufill: page agents fill a record field by field, the surest field first, and debate every value.

Stage I asks every page for every field and puts the fields in an order. Stage II debates one field after another; what
is settled constrains what comes later. All that happens is an event; see ``board`` for the state that they give.
"""
