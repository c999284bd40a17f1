enum StubFilesModule {}
