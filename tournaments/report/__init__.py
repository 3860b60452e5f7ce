"""A report: one HTML page that needs nothing beside itself, `tengen report STORE -o report.html`.

    summary     what the store's games amount to, beyond the standings
    markup      escaping
    marks       the colour and the shape by which a player is known
    charts      numbers as drawings (SVG)
    tables      the sections of a tournament's page
    games       the games, packed for the script
    modules     the page's modules in JavaScript, made into its one script
    page        the page, put together: finished HTML, and the games as data
    collection  a page of games from record files, without a tournament
    files       pages as files

The script is page.js and the modules that it imports: dom, board, games (unpacks), record (SGF, psq, and lines of play
in MESSAGEs), list (filters and order) and replay (the game in the viewer), which draw nothing, list_view, viewer and
graph, which draw what those say, and tables (sorting, and the hint to scroll).

Names, details and whatever else a brain or a user wrote reach the page only through `markup.escape`, or as JSON that
the script puts into text nodes, made printable; a Content-Security-Policy names the hash of that one script and allows
no other.
"""
