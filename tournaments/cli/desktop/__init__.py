"""The board as a program with an icon: a starter for the menus of Linux and macOS, and the program for Windows."""
