enum AdminAPIModule {}
