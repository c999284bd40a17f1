enum HTTPTransportModule {}
