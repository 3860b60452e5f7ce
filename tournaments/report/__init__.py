"""A report: one HTML page that needs nothing beside itself, `tengen report STORE -o report.html`.

    summary     what the store's games amount to, beyond the standings
    markup      escaping
    charts      numbers as drawings (SVG)
    page        the page: tables and charts as finished HTML, the games as data that page.js replays
    collection  a page of games from record files, without a tournament

Names, details and whatever else a brain or a user wrote reach the page only through `markup.escape`, or as JSON that
the script puts into text nodes; a Content-Security-Policy names the hash of that one script and allows no other.
"""
