double radius(double phi) { return 1 + phi*phi; }
