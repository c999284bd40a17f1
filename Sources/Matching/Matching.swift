enum MatchingModule {}
