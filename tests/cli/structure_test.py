#!/usr/bin/env python3
"""How the examples are sorted and solved: facts about their plans, and formulas compared at random points."""
import json
import os
import unittest

from formulas import Values, compute, evaluate, residual
from program import ProgramTest

SOURCES = os.path.abspath(os.environ.get('SOURCES', '.'))
EXAMPLES = os.path.join(SOURCES, 'models', 'examples')


class Structure(ProgramTest):
    def plan_of(self, file, *options):
        code, out, err = self.run_program('equations', file, '--format', 'json', *options,
                                          environment={'FMUGEN_LIBRARY': os.path.join(SOURCES, 'models')})
        self.assertEqual(code, 0, err)
        return json.loads(out)

    def example(self, name, *options):
        return self.plan_of(os.path.join(EXAMPLES, name + '.dym'), *options)

    def text(self, model, *options):
        self.write('model.dym', model)
        return self.plan_of('model.dym', *options)

    def messages(self, file, *options):
        code, _, err = self.run_program('equations', file, *options,
                                        environment={'FMUGEN_LIBRARY': os.path.join(SOURCES, 'models')})
        self.assertEqual(code, 1)
        return err

    @staticmethod
    def loops(plan):
        return [(block['kind'], block['size']) for block in plan['blocks'] if block['kind'] != 'assignment']

    @staticmethod
    def block_of(plan, unknown):
        return next(block for block in plan['blocks'] if unknown in block['unknowns'])

    @staticmethod
    def differentiated(plan):
        return {d['equation']: d['times'] for d in plan['differentiated']}

    def check_formulas(self, plan, **printed):
        """What the plan computes agrees with printed formulas, whatever the values of what they contain."""
        for seed in range(5):
            values = compute(plan, Values(seed))
            for name, formula in printed.items():
                name = name.replace('der_', 'der(') + ')' if name.startswith('der_') else name
                self.assertAlmostEqual(values[name], evaluate(formula, values), places=9, msg=f'{name} = {formula}')

    def check_equations(self, plan):
        """The blocks solve the equations they were made from."""
        for seed in range(3):
            values = compute(plan, Values(seed))
            for block in plan['blocks']:
                for equation in block['equations']:
                    self.assertAlmostEqual(residual(equation, values), 0, places=7, msg=equation)

    # ---- electrical networks ----------------------------------------------------------------------------------------

    def test_network(self):
        plan = self.example('network/network', '--aliases', 'equal')
        self.assertEqual(plan['states'], ['C.V'])
        self.assertEqual(self.loops(plan), [('linear', 5)])
        self.assertEqual(plan['equations'], plan['unknowns'])
        self.assertEqual(set(self.block_of(plan, 'R2.I')['unknowns']), {'R2.V', 'R2.I', 'R2.Vb', 'R3.V', 'R3.I'})
        self.check_equations(plan)
        code, out, _ = self.run_program('flat', os.path.join(EXAMPLES, 'network/network.dym'), '--format', 'json')
        self.assertEqual((code, len(json.loads(out)['equations'])), (0, 19))

    def test_circuit(self):
        plan = self.example('circuit/circuit', '--aliases', 'equal')
        self.assertEqual(plan['states'], ['iL'])
        self.assertEqual(self.loops(plan), [('linear', 5)])
        self.assertEqual(set(self.block_of(plan, 'i1')['unknowns']) - {'u2', 'u3'}, {'u1', 'i1', 'i2', 'i3'})
        self.check_formulas(plan, i1='U0/(R1 + R2*R3/(R2 + R3))', der_iL='U0/L')
        self.check_equations(plan)

    def test_rcnet(self):
        plan = self.example('rcnet/rcnet')
        self.assertEqual(plan['states'], ['v1', 'v2'])
        self.assertEqual(self.loops(plan), [('linear', 2)])
        self.assertEqual(len(self.block_of(plan, 'i1')['solution']), 2)
        self.check_formulas(plan, i1='(R2*e - (R2+R3)*v1 + R3*v2)/(R1*R2 + R1*R3 + R2*R3)',
                            i2='(R1*e + R3*v1 - (R1+R3)*v2)/(R1*R2 + R1*R3 + R2*R3)', der_v1='i1/C1', der_v2='i2/C2')

    def test_filter(self):
        driven = self.example('filter/filter', '-m', 'driven')
        self.assertEqual((driven['states'], self.loops(driven)), (['F.u2'], []))
        coil = self.example('filter/filter', '-m', 'coil_driven')
        self.assertEqual((sorted(coil['states']), self.loops(coil)), (['F.i', 'F.u2'], []))
        resistive = self.example('filter/filter', '-m', 'resistive')
        self.assertEqual((resistive['states'], self.loops(resistive)), (['F.u2'], [('linear', 2)]))
        for seed in range(5):
            v = compute(driven, Values(seed))
            self.assertAlmostEqual(v['F.i'], (v['F.u1'] - v['F.u2'])/v['F.R'])
            self.assertAlmostEqual(v['der(F.u2)'], v['F.i']/v['F.C'])
            v = compute(coil, Values(seed))
            self.assertAlmostEqual(v['F.u1'], v['F.u2'] + v['F.R']*v['F.i'])
            self.assertAlmostEqual(v['der(F.i)'], (v['e'] - v['F.u1'])/v['L'])
            v = compute(resistive, Values(seed))
            self.assertAlmostEqual(v['F.i'], (v['e'] - v['F.u2'])/(v['F.R'] + v['Ri']))
            self.assertAlmostEqual(v['F.u1'], (v['F.R']*v['e'] + v['Ri']*v['F.u2'])/(v['F.R'] + v['Ri']))

    def test_power_system(self):
        plan = self.example('powersystem/powersystem', '--aliases', 'equal')
        self.assertEqual(plan['equations'], 43)
        self.assertEqual(self.loops(plan), [('linear', 22)])
        self.assertEqual(len(plan['states']), 4)
        self.assertEqual(plan['differentiated'], [])
        self.check_equations(plan)
        self.check_equations(self.example('powersystem/powersystem_us'))

    def test_inverter(self):
        plan = self.example('inverter/inverter')
        self.assertEqual(len(plan['states']), 3)
        times = self.differentiated(plan)
        self.assertEqual(times['Transistor.Cemit.Q = Transistor.Cemit.C*Transistor.Cemit.V'], 1)
        self.assertEqual(times['Transistor.Ccoll.Q = Transistor.Ccoll.C*Transistor.Ccoll.V'], 1)
        self.check_equations(plan)

    # ---- constraints between states ---------------------------------------------------------------------------------

    def test_motor_and_load(self):
        for file, gear in (('motorload', 'gear'), ('motorload_library', 'G')):
            plan = self.example('motorload/' + file)
            self.assertEqual(len(plan['states']), 1)
            self.assertTrue(plan['states'][0].endswith('.Omega') or plan['states'][0].startswith(gear), plan['states'])
            self.assertEqual(self.differentiated(plan), {f'{gear}.Omega2 = {gear}.Omega1*{gear}.N': 1})
        plan = self.example('motorload/motorload')
        for seed in range(5):
            v = compute(plan, Values(seed))
            n = v['gear.N']
            friction = v['load.Dl']*v['load.Omega'] + v['load.Tfr']
            self.assertAlmostEqual(v['der(motor.Omega)'],
                                   (v['motor.Tel'] - n*friction)/(v['motor.J'] + n*n*v['load.Jl']))

    def test_parallel_capacitors(self):
        plan = self.example('parallelcaps/parallelcaps')
        self.assertEqual((plan['states'], plan['differentiated']), (['v1'], []))
        self.check_formulas(plan, i='(e - v1)/R', der_v1='(e - v1)/R/(C1 + C2)')
        whole = self.example('parallelcaps/parallelcaps', '--aliases', 'none')
        self.assertEqual(self.differentiated(whole), {'v1 = v2': 1})
        self.assertEqual((len(whole['states']), whole['equations'], self.loops(whole)), (1, 4, [('linear', 2)]))
        state = whole['states'][0]
        self.check_formulas(whole, **{'der_' + state: f'(e - {state})/R/(C1 + C2)'})

    def test_index(self):
        plan = self.example('index/index', '-m', 'capacitors', '--aliases', 'none')
        self.assertEqual((len(plan['states']), self.differentiated(plan)), (1, {'V1 = V2': 1}))
        self.assertEqual(set(self.block_of(plan, 'i1')['unknowns']), {'i1', 'i2', 'der(V1)', 'der(V2)'})
        self.check_formulas(plan, der_V1='I0/(C1 + C2)', i2='C2*I0/(C1 + C2)', i1='C1*I0/(C1 + C2)')
        self.check_formulas(self.example('index/index', '-m', 'capacitors'), i1='C1*I0/(C1 + C2)')
        plan = self.example('index/index', '-m', 'shafts')
        self.assertEqual(len(plan['states']), 1)
        self.check_formulas(plan, T='3*J2/(J1 + J2)')
        plan = self.example('index/index', '-m', 'motion')
        self.assertEqual((plan['states'], self.loops(plan)), ([], []))
        self.assertIn(2, [times for equation, times in self.differentiated(plan).items() if equation.startswith('x = exp')])
        self.check_formulas(plan, F='m*exp(-time/10)*(-0.99*sin(time) - 0.2*cos(time))')
        plan = self.example('index/index', '-m', 'pendulum')
        self.assertEqual(len(plan['states']), 2)
        self.assertEqual(self.differentiated(plan)['x**2 + y**2 = L**2'], 2)

    def test_ward_leonard(self):
        plan = self.example('wardleonard/wardleonard')
        self.assertEqual(len(plan['states']), 5)
        self.assertEqual(len([name for name in plan['states'] if name.endswith('.omega')]), 2)
        self.assertGreater(len(plan['differentiated']), 0)

    def test_inductance_zero_or_not(self):
        def states(*options):
            return self.example('cablereel/cablereel_inductive', *options)['states']
        full = states()
        self.assertEqual(set(full) - set(states('--set', 'm.La=0')), {'m.ia'})
        self.assertEqual(set(full) - set(states('--set', 'm.La=0', '--set', 'm.Lf=0')), {'m.ia', 'm.if'})

    # ---- order of computation ---------------------------------------------------------------------------------------

    def test_blt(self):
        plan = self.example('blt/blt', '-m', 'triangular')
        self.assertEqual([block['unknowns'] for block in plan['blocks']], [['V0'], ['V1'], ['V2'], ['V3'], ['der(i)']])
        plan = self.example('blt/blt', '-m', 'linear')
        self.assertEqual((plan['states'], self.loops(plan)), (['V3'], [('linear', 3)]))
        self.check_formulas(plan, i='(V0 - V3)/(R1 + R2 + R3)')
        plan = self.example('blt/blt', '-m', 'torn')
        self.assertEqual(self.loops(plan), [('nonlinear', 3)])
        self.assertEqual((self.block_of(plan, 'i')['tearing'], self.block_of(plan, 'i')['torn_size']), (['i'], 1))
        plan = self.example('blt/blt', '-m', 'generic')
        self.assertEqual((self.loops(plan), plan['blocks'][0]['tearing']), ([('nonlinear', 3)], ['x2']))
        plan = self.example('blt/blt', '-m', 'generic', '--tear', 'x3')
        self.assertIn('x3', plan['blocks'][0]['tearing'])

    def test_formula(self):
        self.check_formulas(self.example('formula/formula'), B='(E*F - A - C*D)/(1 + 2*C)')
        self.check_formulas(self.example('formula/formula', '-m', 'cellier'), x='(25 - y*y)/(7 - 3*y)')

    def test_star(self):
        for model in ('voltages', 'centre'):
            self.check_equations(self.example('star/star', '-m', model))
        for aliases in ('all', 'equal', 'none'):
            messages = self.messages(os.path.join(EXAMPLES, 'star/star.dym'), '-m', 'currents', '--aliases', aliases)
            self.assertIn('branches.i1 = branches.i2 + branches.i3', messages)
            self.assertIn("too few equations for 'branches.v1', 'branches.v2', 'branches.v3', 'branches.vc'", messages)

    def test_drum_boiler(self):
        plan = self.example('drumboiler/drumboiler')
        sizes = sorted(size for _, size in self.loops(plan) if size > 1)
        self.assertEqual(sizes, [3]*7 + [10, 17])

    def flat(self, name):
        code, out, err = self.run_program('flat', os.path.join(EXAMPLES, name + '.dym'), '--format', 'json',
                                          environment={'FMUGEN_LIBRARY': os.path.join(SOURCES, 'models')})
        self.assertEqual(code, 0, err)
        return json.loads(out)

    def test_sizes_of_flat_models(self):
        for name, size in [('network/network', 19), ('tanks/tanks', 26), ('inverter/inverter', 64),
                           ('powersystem/powersystem', 59)]:
            counts = self.flat(name)['counts']
            self.assertEqual((counts['equations'], counts['unknowns']), (size, size), name)

    def test_equations_written_in_the_drum_boiler(self):
        flat = self.flat('drumboiler/drumboiler')
        written = [e for e in flat['equations'] if e['origin'] == 'equation']
        inputs_of_sections = [e for e in written if e['path'] in ('interpressturb', 'lowpressturb')]
        condensate_pressures = [e for e in written if e['text'].split(' = ')[0].endswith('.Pc1')]
        self.assertEqual((len(inputs_of_sections), len(condensate_pressures)), (6, 7))
        self.assertEqual(len(written) - 6 - 7, 264)
        # Three members of the cooling water inlet are given from outside.
        self.assertEqual(flat['counts']['unknowns'] - flat['counts']['equations'], 3)

    # ---- small matters ----------------------------------------------------------------------------------------------

    def test_sums_of_rounded_numbers_do_not_contradict(self):
        for aliases in ('all', 'equal', 'none'):
            self.text('model m\n local x, y, z, w\n x = 0.1\n y = 0.2\n z = 0.3\n x + y = z\n w = x*y\nend\n',
                      '--aliases', aliases)

    def test_every_unknown_once(self):
        for name in ('network/network', 'tanks/tanks', 'inverter/inverter', 'cablereel/cablereel', 'waterpath/waterpath'):
            for aliases in ('all', 'equal', 'none'):
                plan = self.example(name, '--aliases', aliases)
                unknowns = [name for block in plan['blocks'] for name in block['unknowns']]
                self.assertEqual(len(unknowns), len(set(unknowns)))
                self.assertEqual(len(unknowns), plan['equations'])
                self.assertFalse(set(unknowns) & set(plan['states']))


unittest.main()
