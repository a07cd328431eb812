"""What puts one of two entrants with equal points ahead? Every tie-break code of the ledger, by its formula."""
