"""A report: one HTML page that needs nothing beside itself, `tengen report STORE -o report.html`.

    summary     what the store's games amount to, beyond the standings
    markup      escaping
    marks       the colour and the shape by which a player is known
    charts      numbers as drawings (SVG)
    tables      the sections of a tournament's page
    games       the games, packed for the script
    page        the page, put together: finished HTML, and the games as data
    collection  a page of games from record files, without a tournament
    files       pages as files

The script is page.js and the parts that it is put together from: dom, games (unpacks), record (SGF, psq, and lines of
play in MESSAGEs), board, graph, list (filters and the list of games), tables (sorting, and the hint to scroll).

Names, details and whatever else a brain or a user wrote reach the page only through `markup.escape`, or as JSON that
the script puts into text nodes, made printable; a Content-Security-Policy names the hash of that one script and allows
no other.
"""
