import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CounterLease } from '../../../src/engine/topology/counter-lease.ts';
import { SpreadPlan } from '../../../src/engine/topology/spread-plan.ts';
import { compileConstraints } from '../../../src/plugins/pod-topology-spread/constraints.ts';
import { EngineColumns } from '../../builders/engine-columns.ts';
import { makePodInfo } from '../../builders/make-cluster.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';

const one = () => 1;
const onPoolX = {
  key: 'pool x',
  topologyKeys: [],
  looksAt: { taints: false, labels: ['pool'] },
  includes: ({ metadata }: ReturnType<typeof makeNode>) => metadata?.labels?.['pool'] === 'x',
};

test('counters stay until the last holder releases them, and give their memory back', () => {
  const world = new EngineColumns().add(makeNode('n0', { labels: { zone: 'a', pool: 'x' } }));
  const { cluster, topology: index } = world;
  index.podCounter('first', one);
  // Attributes of nodes are kept.
  world.attributes.columnsOf(onPoolX.looksAt);
  const before = world.memory.allocatedBytes;
  const leases = [new CounterLease(index), new CounterLease(index)] as const;
  for (const lease of leases) {
    lease.domainCounter('web', one, 'zone', onPoolX, null);
    lease.domainCounter('web', one, 'shelf', onPoolX, null);
    lease.podCounter('other', one, null);
    lease.domains('rack');
  }
  leases[0].release();
  expect(index.size).toBe(3);
  cluster.pods.add({ ...makePod('a'), spec: { ...makePod('a').spec, nodeName: 'n0' } });
  expect(leases[1].podCounter('other', one, null).total).toBe(1);
  leases[1].release();
  expect([index.size, world.memory.allocatedBytes]).toEqual([1, before]);
  cluster.pods.remove('default', 'a');
  expect(index.podCounter('other', one).total).toBe(0);
});

const topologyKey = fc.constantFrom('kubernetes.io/hostname', 'zone', 'rack');
const whenUnsatisfiable = fc.constantFrom('DoNotSchedule', 'ScheduleAnyway');
/** A plan, by the seat that it has until the next one takes it; null: the seat stays empty. */
const seated = fc.record({ seat: fc.nat(2), asks: fc.option(fc.record({ topologyKey, whenUnsatisfiable })) });
const hosts = fc.array(fc.constantFrom('a', 'b', undefined), { minLength: 1, maxLength: 4 });

test('a plan reads the domains of now, whichever plans that share its counters have come and gone', () => {
  fc.assert(
    fc.property(hosts, fc.array(seated, { maxLength: 12 }), (hostnames, arrivals) => {
      const world = new EngineColumns();
      hostnames.forEach((hostname, i) => {
        const labels = hostname === undefined ? {} : { 'kubernetes.io/hostname': hostname, rack: 'r' };
        world.add(makeNode(`n${i}`, { labels: { ...labels, zone: 'z' } }));
      });
      const { cluster, topology: index } = world;
      const seats: { lease: CounterLease; plan: SpreadPlan; key: string }[] = [];
      for (const { seat, asks } of arrivals) {
        seats[seat]?.lease.release();
        delete seats[seat];
        if (asks !== null) seats[seat] = { ...planOf(index, asks), key: asks.topologyKey };
        for (const { plan, key } of seats.filter((each) => each !== undefined)) {
          for (const { count } of [...plan.rules(world.kernels), ...plan.scores()]) {
            expect(count.domains).toBe(index.domains(key));
            const isPlaced = [...cluster.knownNodes()].map(({ node }) => node.metadata?.labels?.[key] !== undefined);
            expect(hostnames.map((_, slot) => count.domains.domainOf(slot) >= 0)).toEqual(isPlaced);
          }
        }
      }
    }),
  );
});

/** The plan of a pod with one constraint; pods of all constraints are counted alike. */
function planOf(
  index: EngineColumns['topology'],
  asks: { readonly topologyKey: string; readonly whenUnsatisfiable: string },
): { lease: CounterLease; plan: SpreadPlan } {
  const constraint = { maxSkew: 1, ...asks, labelSelector: { matchLabels: { app: 'web' } } };
  const pod = makePodInfo({ ...makePod('p'), spec: { topologySpreadConstraints: [constraint] } });
  const compiled = compileConstraints([constraint], pod.pod, asks.whenUnsatisfiable as 'DoNotSchedule');
  if ('error' in compiled) throw new Error('a selector without expressions is never malformed');
  const lease = new CounterLease(index);
  const hard = asks.whenUnsatisfiable === 'DoNotSchedule';
  return { lease, plan: new SpreadPlan(lease, pod, hard ? compiled : [], hard ? [] : compiled, true) };
}
