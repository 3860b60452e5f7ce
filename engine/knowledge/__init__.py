"""Opening knowledge: a store of positions that anyone can fill, merge and share. It imports no search.

`engine/knowledge/README.md` explains stores to their users. Modules:

position   a position in every symmetry, and its key
record     the score and the best move of a position, in ten bytes, and the source of these
known      the data of a store on a position
merging    which of two records, notes or counts stays
store      a file of positions, with the shards beside it
shard      a sorted file of records that never changes
renlib     libraries of RenLib (.lib), read and written
rapfi_db   databases of Rapfi and Yixin (.db), read and written
renjunet   databases of RenjuNet (.rif), read
exchange   reads files of these three kinds into a store, and writes a store to files of the first two

The programs that play do not load this package when they start: they import its modules where they need them.
"""
