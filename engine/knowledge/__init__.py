"""Opening knowledge: a store of positions that anyone can fill, merge and share. It imports no search.

position   a position in every symmetry, and its key
record     what is known of a position, in ten bytes, and where it comes from
merging    which of two records, notes or counts stays
store      a file of positions, with the shards beside it
shard      a sorted file of records that never changes
renlib     libraries of RenLib (.lib), read and written
rapfi_db   databases of Rapfi and Yixin (.db), read and written
renjunet   databases of RenjuNet (.rif), read
exchange   these three into a store, and a store into the first two

The programs that play do not load this package when they start: they import its modules where they need them.
"""
