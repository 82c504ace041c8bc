"""Reading HTML pages: charset, elements, links, visible text. Pure."""
