"""What each platform is known to offer: rules by host, a file for each kind of site."""
