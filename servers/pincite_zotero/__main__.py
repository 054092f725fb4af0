"""``python -m pincite_zotero``: the server over stdio."""

from pincite_core.startup import importing

if __name__ == "__main__":
    with importing():
        from pincite_core.server import serve
        from pincite_zotero.server import create_server

        server = create_server()
    serve(server)
