/* Property functions for steam.dym: smooth correlations for 3 kPa to 12 MPa. They are made for this library, are no
 * steam tables, and should not be used to design anything.
 *
 * Saturation follows Antoine's equation ln P = a - b/(T - c); saturated water and steam are polynomials in the
 * temperature t in degrees Celsius; single-phase states continue them with a heat capacity that depends on pressure
 * only, so that RHP and THP are continuous at the saturation lines. SI units throughout: Pa, J/kg, kg/m3, K.
 *
 *   here, and in steam tables     5 kPa                500 kPa              10 MPa
 *   saturation, degC              33.0    32.9         151.8   151.8        312.2   311.0
 *   water, kJ/kg                  139.7   137.8        663     640          1418    1408
 *   steam, kJ/kg                  2570    2561         2732    2748         2721    2725
 *   water, kg/m3                  989     995          909     915          698     688
 *   steam, kg/m3                  0.0354  0.0355       2.59    2.67         55.3    55.5
 *   steam of 540 degC, kJ/kg                                                3473    3477 */
#include <math.h>

static const double kA = 23.1964, kB = 3816.44, kC = 46.13; /* Antoine's constants of water */
static const double kGas = 461.5;             /* gas constant of steam */
static const double kZero = 273.15;

static double positive(double p) { return p > 100.0 ? p : 100.0; }
static double limited(double x, double low, double high) { return x < low ? low : x > high ? high : x; }

double TLP(double P) { return kC + kB / (kA - log(limited(P, 100.0, 4.0e7))); }
double TLPP(double P) {
  double T = TLP(P) - kC;
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

/* Heat capacity of superheated steam, from saturation to 540 degC. */
static double steam_heat(double P) { return 2100.0 + 1.2e-4 * positive(P); }

double THP(double H, double P) {
  if (H <= HWP(P)) return water_temperature(H) + kZero;
  if (H >= HSP(P)) return TLP(P) + (H - HSP(P)) / steam_heat(P);
  return TLP(P);
}
double THPH(double H, double P) {
  if (H <= HWP(P)) return 1.0 / (4200.0 + 2.2 * water_temperature(H));
  if (H >= HSP(P)) return 1.0 / steam_heat(P);
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
  if (H >= HSP(P)) return -R / (THP(H, P) * steam_heat(P));
  return -R * R * (1.0 / RSP(P) - 1.0 / RWP(P)) / (HSP(P) - HWP(P));
}
/* By a central difference: one part in 10000 balances rounding against curvature. */
double RHPP(double H, double P) {
  double step = 1.0e-4 * positive(P);
  return (RHP(H, P + step) - RHP(H, P - step)) / (2.0 * step);
}

/* Isentropic expansion as of an ideal gas. */
static const double kGasHeat = 2400.0;
double ISENX(double H1, double P1, double P2) {
  double ratio = limited(positive(P2) / positive(P1), 1.0e-6, 1.0e6);
  return H1 - kGasHeat * THP(H1, P1) * (1.0 - pow(ratio, kGas / kGasHeat));
}

/* Position 0..1 to flow area; never quite closed, so that flow equations keep a solution. */
double VALVE(double S) { return limited(S, 1.0e-3, 1.0); }
