enum YAMLModule {}
