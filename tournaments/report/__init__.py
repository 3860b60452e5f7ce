"""A report: one HTML page that needs nothing beside itself, `tengen report STORE -o report.html`.

    summary     totals of the store's games, beyond the standings
    markup      escaping
    marks       the colour and the shape of each player
    charts      numbers as drawings (SVG)
    tables      the sections of a tournament's page
    games       the games, packed for the script
    modules     the page's modules in JavaScript, made into its one script
    page        the page, put together: finished HTML, and the games as data
    collection  a page of games from record files, without a tournament
    files       pages as files

The script is page.js and the modules that it imports: dom, board, games (unpacks), record (SGF, psq, and lines of play
in MESSAGEs), list (filters and order) and replay (the game in the viewer), which draw nothing; list_view, viewer and
graph, which draw the results of these; and tables (sorting, and the hint to scroll).

Names, details and all other texts of a brain or a user reach the page only through `markup.escape`, or as JSON that the
script puts into text nodes, made printable. A Content-Security-Policy names the hash of that one script and allows no
other.
"""
