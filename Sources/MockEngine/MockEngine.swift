enum MockEngineModule {}
