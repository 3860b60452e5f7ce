"""The messages between the page and its server, as types: requests and answers."""
