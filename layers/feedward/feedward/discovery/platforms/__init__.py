"""The known feeds of platforms: rules by host, a file for each kind of site."""
