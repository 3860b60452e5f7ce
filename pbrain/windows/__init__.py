"""The brain as a program for Windows: a launcher, and the packer that puts it into an archive with its own Python."""
