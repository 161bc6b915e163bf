import { describe, expect, it } from 'vitest';
import type { RuntimeFaults } from '../../../src/kubelet/simulated-runtime/simulated-runtime.ts';
import { parseDistribution } from '../../../src/lib/distribution.ts';
import { VirtualEventLoop } from '../../../src/lib/event-loop.ts';
import { Prng } from '../../../src/lib/prng.ts';
import type { PlannedFault } from '../../../src/simulation/faults/fault-file.ts';
import { FaultInjector } from '../../../src/simulation/faults/fault-injector.ts';
import type { FaultTargets } from '../../../src/simulation/faults/fault-targets.ts';
import { FaultyClient } from '../../../src/simulation/faults/faulty-client.ts';
import { RandomNames } from '../../../src/store/objects/names.ts';
import { Store } from '../../../src/store/store.ts';

function setUp() {
  const loop = new VirtualEventLoop(0);
  const store = new Store({ clock: loop, names: new RandomNames(new Prng(1)) });
  const calls: string[] = [];
  const down = new Set<string>();
  const call = (name: string) => (nodeName: string) => void calls.push(`${loop.nowMillis()} ${name} ${nodeName}`);
  const faults = new Map<string, RuntimeFaults>();
  const targets: FaultTargets = {
    client: new FaultyClient({ client: store, loop, prng: new Prng(1) }),
    nodes: {
      nodeNames: ['a', 'b', 'c'],
      isRunning: (name) => !down.has(name),
      crash: (name) => {
        down.add(name);
        call('crash')(name);
      },
      restart: (name) => {
        down.delete(name);
        call('restart')(name);
      },
      partition: call('partition'),
      heal: call('heal'),
      setRuntimeFaults: (name, active) => void faults.set(name, active),
    },
    labelsOf: (name) => ({ zone: name === 'c' ? 'y' : 'x' }),
    restartControllers: () => call('restart')('controllers'),
    slowControllers: (millis) => call('slow')(String(millis)),
    endWorker: () => call('end')('worker'),
    sleep: (millis) => loop.sleep(millis),
  };
  const notes: string[] = [];
  const injector = new FaultInjector({ targets, loop, note: (text) => notes.push(`${loop.nowMillis()} ${text}`) });
  const run = (planned: readonly PlannedFault[], seed = 1) => {
    injector.start(planned, seed);
    loop.runUntil(100_000);
  };
  return { injector, run, calls, notes, faults };
}

const at = (kind: string, atMillis: readonly number[], more: Partial<PlannedFault> = {}): PlannedFault => ({
  ...{ kind, settings: {}, times: { atMillis }, length: undefined },
  ...more,
});

describe('FaultInjector', () => {
  it('crashes all nodes that have the labels', () => {
    const { run, calls, notes } = setUp();
    const length = parseDistribution('2s');
    run([at('nodeCrash', [5000], { settings: { nodes: { zone: 'x' } }, length })]);
    expect(calls).toEqual(['5000 crash a', '5000 crash b', '7000 restart a', '7000 restart b']);
    expect(notes[0]).toBe('5000 nodeCrash of 2 nodes, a b begins');
  });

  it('crashes all nodes that a selector selects', () => {
    const { run, calls } = setUp();
    run([at('nodeCrash', [5000], { settings: { selector: 'zone notin (y,z),zone' } })]);
    expect(calls).toEqual(['5000 crash a', '5000 crash b']);
  });

  it('lets a fault begin and end', () => {
    const { run, injector, calls, notes } = setUp();
    run([at('nodeCrash', [5000], { settings: { node: 'b' }, length: parseDistribution('2s') })]);
    expect(calls).toEqual(['5000 crash b', '7000 restart b']);
    expect(notes).toEqual(['5000 nodeCrash of b begins', '7000 nodeCrash of b ends']);
    expect(injector.counts).toEqual({ nodeCrash: 1 });
    expect(injector.isDone).toBe(true);
  });

  it('is not done while one is to begin or to end', () => {
    const { run, injector } = setUp();
    run([at('networkPartition', [99_000], { length: parseDistribution('2s') })]);
    expect(injector.isDone).toBe(false);
  });

  it('affects healthy nodes only, and says when there is none', () => {
    const { run, calls, notes, injector } = setUp();
    run([at('nodeCrash', [1, 2, 3, 4]), at('networkPartition', [5])]);
    expect(calls.map((text) => text.split(' ')[2]).sort()).toEqual(['a', 'b', 'c']);
    expect(notes.slice(3)).toEqual(['4 nodeCrash finds nothing', '5 networkPartition finds nothing']);
    expect(injector.counts).toEqual({ nodeCrash: 3 });
  });

  it('draws nodes and lengths from the seed', () => {
    const often = at('nodeCrash', [1, 20_000, 40_000, 60_000], { length: parseDistribution('uniform(1s, 9s)') });
    const callsOf = (seed: number): readonly string[] => {
      const { run, calls } = setUp();
      run([often], seed);
      return calls;
    };
    expect(callsOf(1)).toEqual(callsOf(1));
    expect(callsOf(1)).not.toEqual(callsOf(2));
  });

  it('repeats one as often, and as long, as it is planned', () => {
    const { run, injector } = setUp();
    const gap = parseDistribution('10s');
    const times = { gap, fromMillis: 5000, untilMillis: 40_000, count: Number.POSITIVE_INFINITY };
    run([at('controllerRestart', [], { times }), at('workerDeath', [], { times: { ...times, count: 2 } })]);
    expect(injector.counts).toEqual({ controllerRestart: 3, workerDeath: 2 });
  });

  it('keeps the faults of one runtime apart', () => {
    const { run, faults } = setUp();
    run([
      at('slowRelist', [1000], { settings: { node: 'a', delay: '3s' } }),
      at('failingRelist', [2000], { settings: { node: 'a' }, length: parseDistribution('5s') }),
      at('runtimeErrors', [3000], { settings: { node: 'b', operation: 'pull' }, length: parseDistribution('1s') }),
    ]);
    expect(faults.get('a')).toEqual({ listMillis: 3000 });
    expect(faults.get('b')).toEqual({});
  });

  it('undoes what it did to controllers and clock', () => {
    const { run, calls, notes } = setUp();
    run([
      at('slowControllers', [1000], { settings: { delay: '3s' }, length: parseDistribution('5s') }),
      at('clockJump', [2000], { settings: { by: '1m' } }),
    ]);
    expect(calls).toEqual(['1000 slow 3000', '62000 slow -3000']);
    expect(notes[1]).toBe('62000 clockJump by 1m');
  });
});
