"""What adds up beyond one round? Championships, ratings, possible ranks, series and score boards."""
