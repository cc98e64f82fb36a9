/* Property functions for steam.dym: smooth correlations with the right order of magnitude between 3 kPa and 18 MPa.
 * They are invented for this library, are no steam tables, and should not be used to design anything.
 *
 * Saturation follows ln P = a - b/T (Clausius and Clapeyron); saturated water and steam are polynomials in the
 * temperature t in degrees Celsius; single-phase states continue them with constant heat capacity, so that RHP and THP
 * are continuous at the saturation lines. SI units throughout: Pa, J/kg, kg/m3, K. */
#include <math.h>

static const double kA = 24.239, kB = 4743.8; /* saturation line through 1 atm at 100 degC and 10 MPa at 311 degC */
static const double kGas = 461.5;             /* gas constant of steam */
static const double kSteamHeat = 2400.0;      /* heat capacity of superheated steam at constant pressure */
static const double kZero = 273.15;

static double positive(double p) { return p > 100.0 ? p : 100.0; }
static double limited(double x, double low, double high) { return x < low ? low : x > high ? high : x; }

double TLP(double P) { return kB / (kA - log(limited(P, 100.0, 4.0e7))); }
double TLPP(double P) {
  double T = TLP(P);
  return T * T / (kB * positive(P));
}

double HWP(double P) {
  double t = TLP(P) - kZero;
  return 4200.0 * t + 1.1 * t * t;
}
double HWPP(double P) { return (4200.0 + 2.2 * (TLP(P) - kZero)) * TLPP(P); }

double HSP(double P) {
  double t = TLP(P) - kZero;
  return 2.5e6 + 2300.0 * t - 5.1 * t * t;
}
double HSPP(double P) { return (2300.0 - 10.2 * (TLP(P) - kZero)) * TLPP(P); }

/* Compressibility: falls linearly with pressure, held above 0.3. */
static double compressibility(double P) { return limited(1.0 - 3.3e-8 * P, 0.3, 1.0); }
static double compressibility_by_pressure(double P) { return 1.0 - 3.3e-8 * P > 0.3 ? -3.3e-8 : 0.0; }

double RSP(double P) { return positive(P) / (kGas * TLP(P) * compressibility(P)); }
double RSPP(double P) {
  double relative = 1.0 / positive(P) - TLPP(P) / TLP(P) - compressibility_by_pressure(P) / compressibility(P);
  return RSP(P) * relative;
}

static double water_density(double t) { return 1000.0 - 0.25 * t - 0.0023 * t * t; }
double RWP(double P) { return water_density(TLP(P) - kZero); }
double RWPP(double P) { return -(0.25 + 0.0046 * (TLP(P) - kZero)) * TLPP(P); }

/* Temperature of water in degrees Celsius from its enthalpy: inverts the polynomial of HWP. */
static double water_temperature(double H) {
  return (-4200.0 + sqrt(4200.0 * 4200.0 + 4.4 * limited(H, 0.0, 1.0e8))) / 2.2;
}

double THP(double H, double P) {
  if (H <= HWP(P)) return water_temperature(H) + kZero;
  if (H >= HSP(P)) return TLP(P) + (H - HSP(P)) / kSteamHeat;
  return TLP(P);
}
double THPH(double H, double P) {
  if (H <= HWP(P)) return 1.0 / (4200.0 + 2.2 * water_temperature(H));
  if (H >= HSP(P)) return 1.0 / kSteamHeat;
  return 0.0;
}

double RHP(double H, double P) {
  if (H <= HWP(P)) return water_density(water_temperature(H));
  if (H >= HSP(P)) return positive(P) / (kGas * THP(H, P) * compressibility(P));
  double x = (H - HWP(P)) / (HSP(P) - HWP(P));
  return 1.0 / ((1.0 - x) / RWP(P) + x / RSP(P));
}
double RHPH(double H, double P) {
  if (H <= HWP(P)) {
    double t = water_temperature(H);
    return -(0.25 + 0.0046 * t) / (4200.0 + 2.2 * t);
  }
  double R = RHP(H, P);
  if (H >= HSP(P)) return -R / (THP(H, P) * kSteamHeat);
  return -R * R * (1.0 / RSP(P) - 1.0 / RWP(P)) / (HSP(P) - HWP(P));
}
/* By a central difference: one part in 10000 balances rounding against curvature. */
double RHPP(double H, double P) {
  double step = 1.0e-4 * positive(P);
  return (RHP(H, P + step) - RHP(H, P - step)) / (2.0 * step);
}

/* Isentropic expansion as of an ideal gas with the heat capacity of superheated steam. */
double ISENX(double H1, double P1, double P2) {
  double ratio = limited(positive(P2) / positive(P1), 1.0e-6, 1.0e6);
  return H1 - kSteamHeat * THP(H1, P1) * (1.0 - pow(ratio, kGas / kSteamHeat));
}

/* Position 0..1 to flow area; never quite closed, so that flow equations keep a solution. */
double VALVE(double S) { return limited(S, 1.0e-3, 1.0); }
