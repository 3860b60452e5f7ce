"""The command `tengen book`: stores of opening positions."""
