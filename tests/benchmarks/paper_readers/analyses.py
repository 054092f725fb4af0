def answer(query, reader):
    return ""
