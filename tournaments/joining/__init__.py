"""Joins the scripts and the style sheets of a page into a few small files, without tools from outside Python."""
