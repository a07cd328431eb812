"""One turn of a match as the platform sees it: waiting rows in; steps, outcomes, clocks, letters and records out."""
