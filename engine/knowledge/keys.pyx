"""The keys after every move of a position, and a sieve for keys.

A walk through a store asks for some two hundred keys at each position, and the store has a few of them. Here the keys
are computed as C numbers; `position.py` explains them. A sieve drops almost all keys that a store lacks, so that only
the rest are looked up in the database.
"""
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free

from engine.checks import whole_number

cdef enum:
    MOST_TURNS = 8       # symmetries
    KEY_BYTES = 12
    BITS_A_KEY = 32      # two of them are set for a key: of other keys, one in 270 passes
    LEAST_BITS = 1 << 16
    MOST_KEYS = 1 << 26  # for which a sieve has 2 GiB of bits; more keys only let more pass


cdef struct Image:       # a number of 96 bits
    uint64_t high
    uint32_t low


cdef inline Image image_of(object number) except *:
    cdef Image image
    image.high = <uint64_t>(number >> 32)
    image.low = <uint32_t>(number & 0xFFFFFFFF)
    return image


cdef class Sieve:
    """A set of keys that takes 4 bytes a key, and also contains a few keys that were not added.

    count: of the keys that will be added.
    """
    cdef uint8_t* bits
    cdef uint32_t mask

    def __cinit__(self, count):
        cdef uint64_t wanted = <uint64_t>whole_number("count", count, 0) * BITS_A_KEY if count < MOST_KEYS else 1 << 31
        cdef uint64_t size = LEAST_BITS
        while size < wanted and size < 1 << 31:
            size *= 2
        self.mask = <uint32_t>(size - 1)
        self.bits = <uint8_t*>calloc(size // 8, 1)
        if self.bits == NULL:
            raise MemoryError()

    def __dealloc__(self):
        free(self.bits)

    def add(self, bytes key not None):
        """Adds a key. Raises ValueError for bytes that are not a key."""
        if len(key) != KEY_BYTES:
            raise ValueError(f"a key has {KEY_BYTES} bytes, not {len(key)}")
        cdef Image image = image_of(int.from_bytes(key, "big"))
        cdef uint32_t one = image.low & self.mask, other = <uint32_t>image.high & self.mask
        self.bits[one >> 3] |= <uint8_t>(1 << (one & 7))
        self.bits[other >> 3] |= <uint8_t>(1 << (other & 7))

    cdef inline bint has(self, Image image) noexcept:
        cdef uint32_t one = image.low & self.mask, other = <uint32_t>image.high & self.mask
        return (self.bits[one >> 3] >> (one & 7)) & (self.bits[other >> 3] >> (other & 7)) & 1


cdef class Stones:
    """The numbers of the stones of one colour on a size of board: for each cell, one for each symmetry."""
    cdef Image* images
    cdef int cells
    cdef int turns

    def __cinit__(self, list numbers not None):
        self.cells, self.turns = len(numbers), len(numbers[0])
        assert self.turns <= MOST_TURNS
        self.images = <Image*>calloc(self.cells * self.turns, sizeof(Image))
        if self.images == NULL:
            raise MemoryError()
        cdef int at = 0
        for cell in numbers:
            for number in cell:
                self.images[at] = image_of(number)
                at += 1

    def __dealloc__(self):
        free(self.images)

    def keys_after(self, images, set taken not None, Sieve sieve=None):
        """The number of each cell that is not among the taken ones, with the key after a move there, as a list.

        images: of the position, with the other side to move; sieve: keys that it lacks are left out.
        """
        cdef Image before[MOST_TURNS]
        cdef Image least, image
        cdef int cell, turn
        cdef list found = []
        for turn in range(self.turns):
            before[turn] = image_of(images[turn])
        for cell in range(self.cells):
            for turn in range(self.turns):
                image.high = before[turn].high ^ self.images[cell * self.turns + turn].high
                image.low = before[turn].low ^ self.images[cell * self.turns + turn].low
                if turn == 0 or image.high < least.high or (image.high == least.high and image.low < least.low):
                    least = image
            if (sieve is None or sieve.has(least)) and cell not in taken:
                found.append((cell, bytes_of(least)))
        return found


cdef bytes bytes_of(Image image):
    cdef bytes key = PyBytes_FromStringAndSize(NULL, KEY_BYTES)
    cdef uint8_t* at = <uint8_t*>PyBytes_AS_STRING(key)
    cdef int place
    for place in range(8):
        at[place] = <uint8_t>(image.high >> (56 - 8 * place))
    for place in range(4):
        at[8 + place] = <uint8_t>(image.low >> (24 - 8 * place))
    return key
