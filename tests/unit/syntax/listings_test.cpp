// The models printed in the two reports the language comes from, as far as they are not in the other tests: Elmqvist's
// chapters 3 and 6, Cellier's chapter 5. Everything in them must be read, in both spellings.
#include <catch2/catch.hpp>

#include "tests/unit/syntax/parsing.h"

using namespace fmugen;
using namespace fmugen::syntax;

TEST_CASE("electrical network with a resistor, a capacitor and a source") {
  CHECK(tree(R"(
model capacitor
  cut A(Va / I) B(Vb / -I)
  main path P (A - B)
  local V
  parameter C
  V = Va-Vb
  C*V' = I
end
model voltage
  cut A(Va / -I) B(Vb / .)               { the reference node }
  main path P (A - B)
  input V
  Va = V
  Vb = 0
end
model network
  submodel(resistor) R1 R2 R3
  submodel(capacitor) C
  submodel(voltage) E
  R1 to ( C par ( R2 to R3 ) ) par E
end
)") == R"(model capacitor
  cut A (Va / I)
  cut B (Vb / -I)
  main path P (A - B)
  local V
  parameter C
  equation V = (Va - Vb)
  or connection (V at Va to Vb)
  equation (C * V') = I
model voltage
  cut A (Va / -I)
  cut B (Vb / .)
  main path P (A - B)
  input V
  equation Va = V
  or connection (Va at V)
  equation Vb = 0
model network
  submodel (resistor) R1
  submodel (resistor) R2
  submodel (resistor) R3
  submodel (capacitor) C
  submodel (voltage) E
  connection (R1 to (C par (R2 to R3)) par E)
)");
}

TEST_CASE("hierarchical and temporary cuts of a resistor") {
  CHECK(body("cut wire1(V1 / I) wire2(V2 / -I)\ncut conn(wire1, wire2)\nR*I = V1-V2\nnode N1 N2 N3\n"
             "R1:conn at (N1,N2)\nR2:conn at (N2,N3)\nR1 at (N1, N2)\nS1:outlet at S2:inlet\n"
             "R:wire1 at L:wire1 at C:wire1") ==
        "cut wire1 (V1 / I)\ncut wire2 (V2 / -I)\ncut conn (wire1, wire2)\nequation (R * I) = (V1 - V2)\n"
        "node N1\nnode N2\nnode N3\nconnection (R1:conn at list(N1, N2))\nconnection (R2:conn at list(N2, N3))\n"
        "connection (R1 at list(N1, N2))\nconnection (S1:outlet at S2:inlet)\n"
        "connection (R:wire1 at L:wire1 at C:wire1)\n");
}

TEST_CASE("heat exchanger with an indexed submodel and a loop") {
  CHECK(body(R"(
  structure parameter n
  submodel section[n]
  cut hotin hotout coldin coldout
  path hot (hotin - hotout)
  for i:=1 to n-1 do
    begin
    connect (hot) section[i] to section[i+1]
    connect (cold) section[i+1] to section[i]
    end
  hotin to section[1]..hot
  section[n]..hot to hotout
)") == R"(structure parameter n
submodel section[n]
cut hotin
cut hotout
cut coldin
cut coldout
path hot (hotin - hotout)
for i := 1 to (n - 1)
  connection by hot (section[i] to section[(i + 1)])
  connection by cold (section[(i + 1)] to section[i])
connection (hotin to section[1]..hot)
connection (section[n]..hot to hotout)
)");
}

TEST_CASE("motor, gear and load with cuts and paths that have no names") {
  CHECK(tree(R"(
model motorload

  model motor
    input U
    main cut (Omega / Tload)
    parameter J K R
    J*der(Omega) = Tel - Tload
    Tel = K*I
    U = R*I + K*Omega
  end

  model gear
    main path ( (Omega1 / T1) - (Omega2 / T2) )
    parameter N
    Omega2 = Omega1*N
  end

  motor to gear to load
end
)") == R"(model motorload
  model motor
    input U
    main cut (Omega / Tload)
    parameter J
    parameter K
    parameter R
    equation (J * der(Omega)) = (Tel - Tload)
    equation Tel = (K * I)
    equation U = ((R * I) + (K * Omega))
  model gear
    main path ((Omega1 / T1) - (Omega2 / T2))
    parameter N
    equation Omega2 = (Omega1 * N)
  connection (motor to gear to load)
)");
}

TEST_CASE("tanks with parameters and numbers in cuts") {
  CHECK(body(R"(
  submodel (Tank) Tank1(Area=2),
                  Tank2(Area=1)
  (.,.,.,1000/0.2) to
     Tank1 to Pipe1 to Tank2..bottom to Pipe2
  cut inlet(P0, ., ., dens / -qin)
  parameter A1=1, A2=1, H=0, Area, dens
  g*h = P1/dens + (if vut1>0 then vut1**2 else 0)
  L*der(v) + (P2-P1)/dens + g*(H2-H1) = 0
)") == R"(submodel (Tank) Tank1(Area = 2)
submodel (Tank) Tank2(Area = 1)
connection (list(., ., ., 1000 / 0.2) to Tank1 to Pipe1 to Tank2..bottom to Pipe2)
cut inlet (P0, ., ., dens / -qin)
parameter A1 = 1
parameter A2 = 1
parameter H = 0
parameter Area
parameter dens
equation (g * h) = ((P1 / dens) + (if (vut1 > 0) then (vut1 ** 2) else 0))
equation ((L * der(v)) + ((P2 - P1) / dens) + (g * (H2 - H1))) = 0
)");
}

TEST_CASE("inverter with connection signs and temporary paths") {
  CHECK(body(R"(
  submodel Transistor ( Rb = 20 )
  submodel (resistor) Rin(5.6E3),
                      Rbias(10E3)
  submodel (diode) Diode1(3.5E-9, 28)
  Common - Ein - Rin - ( (Rbias - Es1) // C1 //
     Transistor..(Base - Emitter) ) - Common
  Emitter - ( \ Diode1 // Cemit // Revcurr ) - N
  Cemit.C = 3E-9 + 6.7E-9*Diode1.I
  Q' = I
  I = I0*(exp(K*V) - 1)
)") == R"(submodel Transistor(Rb = 20)
submodel (resistor) Rin(5600)
submodel (resistor) Rbias(10000)
submodel (diode) Diode1(3.5e-09, 28)
connection (Common to Ein to Rin to ((Rbias to Es1) par C1 par Transistor..(Base - Emitter)) to Common)
connection (Emitter to ((reversed Diode1) par Cemit par Revcurr) to N)
equation Cemit.C = (3e-09 + (6.7e-09 * Diode1.I))
equation Q' = I
equation I = (I0 * (exp((K * V)) - 1))
)");
}

TEST_CASE("power system with complex phasors and a second derivative") {
  CHECK(body(R"(
  submodel (generator)
     G1(Xd=0.054, H=30,  f0=50, D=0),
     G2(Xd=0.054, H=300, f0=50, D=0)
  submodel (Line) Line1(0.05), Line2(0.05)
  G1 at Bus1
  Line1 from Bus1 to Bus2
  main cut generator(Vx, Vy / -Ix, -Iy)
  Ey =  Xd*Ix + Vy
  delt''*H/(PI*f0) + delt'*D = Pt - Pg
  V = sqrt(Vx**2 + Vy**2)
)") == R"(submodel (generator) G1(Xd = 0.054, H = 30, f0 = 50, D = 0)
submodel (generator) G2(Xd = 0.054, H = 300, f0 = 50, D = 0)
submodel (Line) Line1(0.05)
submodel (Line) Line2(0.05)
connection (G1 at Bus1)
connection (Line1 from Bus1 to Bus2)
main cut generator (Vx, Vy / -Ix, -Iy)
equation Ey = ((Xd * Ix) + Vy)
equation ((delt'' * H / (PI * f0)) + (delt' * D)) = (Pt - Pg)
equation V = sqrt(((Vx ** 2) + (Vy ** 2)))
)");
}

TEST_CASE("drum boiler: media paths, lists, equations over several lines") {
  CHECK(body(R"(
  submodel (preheater) preh1, preh2,
                       preh3
  connect (heat) combustionchamber to (economizer, drum,
     superh1, reheater)
  connect (steam) drum to superh1 to
     attemp2 to superh3
     to lowpressturb to condensor
  connect (extractsteam) highpressturb to preh7,
     interpressturb to (preh6,
        splitsteam to (deaerator, preh3) ),
     lowpressturb to (preh2, preh1)
  -Adrum*der(z)*Rs*Hs + Vs*(RsP*Hs + Rs*HsP)*der(Pd)
     = Wsr*Hsr - Ws*Hs
  Cm*m*TmP*der(Pd) - der(Vb)*Rwr*Hwr +
     der(Vb)*Rs*Hs =
     Q + Wdc*Hdc
  path coolingwater ( (W1, H1, P1) - (W1, H2, .) )
  path extractsteam ( (W, H, P) - ( (W1, H, P), (W2, H, P) ) )
  cut heat ((Q1), (Q2))
  Hwater = if Wwater > 0 then Hstorage else H2
  Tm = Tmix + K*Q**(1/3)
  IP1.S=S1
)") == R"(submodel (preheater) preh1
submodel (preheater) preh2
submodel (preheater) preh3
connection by heat (combustionchamber to list(economizer, drum, superh1, reheater))
connection by steam (drum to superh1 to attemp2 to superh3 to lowpressturb to condensor)
connection by extractsteam (highpressturb to preh7)
connection by extractsteam (interpressturb to list(preh6, (splitsteam to list(deaerator, preh3))))
connection by extractsteam (lowpressturb to list(preh2, preh1))
equation (-(Adrum * der(z) * Rs * Hs) + (Vs * ((RsP * Hs) + (Rs * HsP)) * der(Pd))) = ((Wsr * Hsr) - (Ws * Hs))
equation ((Cm * m * TmP * der(Pd)) - (der(Vb) * Rwr * Hwr) + (der(Vb) * Rs * Hs)) = (Q + (Wdc * Hdc))
path coolingwater ((W1, H1, P1) - (W1, H2, .))
path extractsteam ((W, H, P) - ((W1, H, P), (W2, H, P)))
cut heat ((Q1), (Q2))
equation Hwater = (if (Wwater > 0) then Hstorage else H2)
equation Tm = (Tmix + (K * (Q ** (1 / 3))))
equation IP1.S = S1
or connection (IP1.S at S1)
)");
}

TEST_CASE("Cellier's motor with a field current named if, defaults and both kinds of cuts") {
  CHECK(body(R"(
  terminal theta, omega, ua, uf, tauL, JL
  local ia, if, ui
  parameter La = 0.0, Lf = 0.0
  default ua = 25.0, uf = 25.0
  Lf*der(if) = uf - Rf*if
  La*der(ia) = ua - ui - Ra*ia
  psi = kmot*if ; taum = psi*ia
  Twist = (Jm + JL)*omega
  dcm1.ua = kalph*err
  connect dcm1:mech at cr11:mech
  cut mech(omega, tauL, JL)
  cut both[mech, elect]
  der(R, Rfull) = -((D*D)/(2.0*pi*W))*omega
  terminal in out
  tacho.in = r.v
)") == R"(terminal theta
terminal omega
terminal ua
terminal uf
terminal tauL
terminal JL
local ia
local if
local ui
parameter La = 0
parameter Lf = 0
default ua = 25
default uf = 25
equation (Lf * der(if)) = (uf - (Rf * if))
equation (La * der(ia)) = (ua - ui - (Ra * ia))
equation psi = (kmot * if)
equation taum = (psi * ia)
equation Twist = ((Jm + JL) * omega)
equation dcm1.ua = (kalph * err)
connection (dcm1:mech at cr11:mech)
cut mech (omega, tauL, JL)
cut both[mech, elect]
equation der(R, Rfull) = (-(((D * D) / (2 * pi * W)) * omega))
terminal in
terminal out
equation tacho.in = r.v
or connection (tacho.in at r.v)
)");
}

TEST_CASE("Cellier's connections and paths") {
  CHECK(body(R"(
  cut inwater(w1), outwater(w2)
  path water < inwater - outwater >
  connect (water) pump to pipe to tank
  cut A(v1,v2), B(v3,v4), C(v5,v6)
  main cut D[A,B,C]
  node N
  connect M at (N,N,N)
  connect M:A at N, M:B at N, M:C at N
  connect m1:A at m2:A at m3:A
  (R1 / R2) - R3
)") == R"(cut inwater (w1)
cut outwater (w2)
path water (inwater - outwater)
connection by water (pump to pipe to tank)
cut A (v1, v2)
cut B (v3, v4)
cut C (v5, v6)
main cut D[A, B, C]
node N
connection (M at list(N, N, N))
connection (M:A at N)
connection (M:B at N)
connection (M:C at N)
connection (m1:A at m2:A at m3:A)
connection (list(R1 / R2 or (R1 / R2)) to R3)
)");
}

TEST_CASE("the submodel statement in all its forms") {
  CHECK(body("submodel Tank Pipe\nsubmodel Tank(A=5 H=10)\nsubmodel (Tank) Tank1(A=5) Tank2(A=20)\n"
             "submodel (resistor) R1(5.6) R2(100)\nS3::S5.v = S3::S5.w\nS3::S5:c at S3::S5..p") ==
        "submodel Tank\nsubmodel Pipe\nsubmodel Tank(A = 5, H = 10)\nsubmodel (Tank) Tank1(A = 5)\n"
        "submodel (Tank) Tank2(A = 20)\nsubmodel (resistor) R1(5.6)\nsubmodel (resistor) R2(100)\n"
        "equation S3.S5.v = S3.S5.w\nor connection (S3.S5.v at S3.S5.w)\nconnection (S3.S5:c at S3.S5..p)\n");
}
