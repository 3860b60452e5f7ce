"""The messages between the page and its server, as types: what may be asked, and what is answered."""
