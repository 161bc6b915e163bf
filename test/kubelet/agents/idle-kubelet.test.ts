import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Cluster } from '../../../src/cluster/cluster.ts';
import { IdleKubelet } from '../../../src/kubelet/agents/idle-kubelet.ts';
import type { OnPleg } from '../../../src/kubelet/kubelet-options.ts';
import { housekeepingGrid, TickWheel, tickAfter } from '../../../src/kubelet/tick-wheel.ts';
import { VirtualEventLoop } from '../../../src/lib/event-loop.ts';
import { keyedPrng } from '../../../src/lib/keyed-prng.ts';
import { makeNode } from '../../builders/make-node.ts';

/** The agent of the node ticks behind this moment of each second. */
const phaseOf = (node: string): number => keyedPrng(1, node).below(1000);

/** The first node, and another one whose agent ticks at the same moments, so that their order can be seen. */
const NODES = ['n1', twinOf('n1')];

function twinOf(node: string): string {
  for (let i = 2; ; i++) if (phaseOf(`n${i}`) === phaseOf(node)) return `n${i}`;
}

const step = fc.record({
  node: fc.constantFrom(...NODES),
  atMillis: fc.oneof(fc.nat(4500), fc.record({ second: fc.nat(3), off: fc.integer({ min: -1, max: 2 }) })),
  what: fc.constantFrom('create', 'create', 'fail', 'mend', 'partition', 'heal', 'crash', 'restart', 'stopAgent'),
  /** Whether informers read what was written at once, before other tasks of that moment. */
  isRead: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

function millisOf({ node, atMillis }: Step): number {
  if (typeof atMillis === 'number') return atMillis;
  return Math.max(0, phaseOf(node) + 1000 * atMillis.second + atMillis.off);
}

function apply(cluster: Cluster, { node, what, isRead }: Step, name: string): void {
  const agents = cluster.nodeAgents!;
  if (what === 'create') {
    cluster.store.create('pods', {
      metadata: { name, namespace: 'default', annotations: { 'berth.dev/run-duration': '3s' } },
      spec: { nodeName: node, restartPolicy: 'Never', containers: [{ name: 'app', image: 'app:1' }] },
    });
  } else if (!agents.nodeNames.includes(node)) return;
  else if (what === 'fail') agents.setRuntimeFaults(node, { listError: 'busy' });
  else if (what === 'mend') agents.setRuntimeFaults(node, {});
  else agents[what](node);
  if (isRead) cluster.informers.catchUp();
}

/** `onPleg`: an agent that is observed has its kubelet from the beginning on. */
function logOf(steps: readonly Step[], onPleg?: OnPleg): readonly string[] {
  const lines: string[] = [];
  const cluster = new Cluster({ nodeAgents: { onPleg }, onLogLine: (line) => lines.push(line), onError: () => {} });
  for (const name of NODES) cluster.store.create('nodes', makeNode(name, { pods: 3 }));
  for (const [i, each] of steps.entries()) cluster.loop.after(millisOf(each), () => apply(cluster, each, `p${i}`));
  cluster.start();
  cluster.runFor(400_000);
  return lines;
}

describe('IdleKubelet', () => {
  it('stands for a kubelet until there is something to do, line by line', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 6 }), (steps) => {
        expect(logOf(steps)).toEqual(logOf(steps, () => {}));
      }),
      { numRuns: 150 },
    );
  });

  it('hands over in the middle of an iteration without changing the order of agents', () => {
    const startMillis = Date.UTC(2026, 0, 1);
    const tickMillis = tickAfter(housekeepingGrid(phaseOf('n1')), startMillis);
    const atMillis = Math.ceil(tickMillis) - startMillis;
    const steps = NODES.toReversed().map((node): Step => ({ node, atMillis, what: 'create', isRead: true }));
    const lines = logOf(steps);
    expect(lines).toEqual(logOf(steps, () => {}));
    // The agent that began first takes its turn first, though its pod came last.
    const isRunning = (line: string): boolean => / MODIFIED pods .* Running/.test(line);
    expect(
      lines
        .filter(isRunning)
        .slice(0, 2)
        .map((line) => line.split(' ')[4]),
    ).toEqual(['default/p1', 'default/p0']);
  });

  it('is healthy from its first relist on, and says how far it has got', () => {
    const loop = new VirtualEventLoop(0);
    const idle = new IdleKubelet({ loop, wheel: new TickWheel(loop) }, { rank: 0, phaseMillis: 300 });
    expect(idle.health().ok).toBe(false);
    loop.runUntil(300);
    expect(idle.health().ok).toBe(false);
    loop.runUntil(301);
    expect(idle.health().ok).toBe(true);
    expect(idle.end()).toMatchObject({ sinceMillis: 0, relistMillis: 300.5, housekeeping: 'done' });
  });

  it('hands over the iteration that its housekeeping has asked for', () => {
    const loop = new VirtualEventLoop(0);
    const idle = new IdleKubelet({ loop, wheel: new TickWheel(loop) }, { rank: 0, phaseMillis: 300 });
    const seen: string[] = [];
    loop.after(301, () => {
      const life = idle.end();
      seen.push(life.housekeeping);
      life.takeIteration(() => seen.push('iteration'));
    });
    loop.runUntilIdle();
    expect(seen).toEqual(['due', 'iteration']);
  });
});
