print("stuntdouble")
