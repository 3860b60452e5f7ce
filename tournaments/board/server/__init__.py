"""The board over the network: who may talk to it, what each message asks for, and the games that are open."""
