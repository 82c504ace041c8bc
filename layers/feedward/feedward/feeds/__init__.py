"""Reading feed documents: decoding, repairs, RSS, Atom, RDF and JSON Feed, dates and signatures. Pure."""
