import { describe, expect, test } from 'vitest';
import { runScript } from './run-script.ts';
import { drawScript } from './script/draw-script.ts';
import { prefixOf, smallestPrefix } from './shrink.ts';

const SEEDS = [1, 2, 3, 4];

describe('a cluster in which things go wrong', () => {
  test.each(SEEDS)('breaks nothing that must hold, and comes to rest: seed %i', (seed) => {
    const { violation } = runScript(drawScript(seed));
    expect(violation && `${violation.invariant}: ${violation.message}`).toBeUndefined();
  });

  test('is the same cluster whenever the seed is', () => {
    const hashesOf = (): string[] => SEEDS.slice(0, 3).map((seed) => runScript(drawScript(seed)).hash);
    const hashes = hashesOf();
    expect(hashesOf()).toEqual(hashes);
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  test('sees a node that has too many pods, and how few events that takes', () => {
    const { events, ...script } = drawScript(1);
    const others = events.filter(({ act }) => act.do !== 'fault');
    const nodeName = 'node-1';
    const requests = { cpu: '5', memory: '1Gi' };
    const tooMuch = ['x', 'y'].map((name) => ({
      atMillis: 100,
      act: {
        do: 'submit' as const,
        resource: 'pods' as const,
        object: {
          metadata: { name, namespace: 'default' },
          spec: { nodeName, containers: [{ name: 'main', image: 'app:1', resources: { requests } }] },
        },
      },
    }));
    const first = others.filter(({ atMillis }) => atMillis === 0);
    const crowded = { ...script, events: [...first, ...tooMuch, ...others.slice(first.length)] };
    const result = runScript(crowded);
    expect(result.violation?.invariant).toBe('no node over-committed');
    const count = smallestPrefix(crowded, result);
    expect(count).toBe(first.length + 2);
    expect(runScript(prefixOf(crowded, count - 1)).violation).toBeUndefined();
  });
});
