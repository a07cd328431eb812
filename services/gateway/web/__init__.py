"""The site: pages made on the server, complete without scripts; everything they do, they do through the API."""
