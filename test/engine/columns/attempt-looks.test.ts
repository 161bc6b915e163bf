import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { PersistentVolume } from '../../../src/api/storage.ts';
import { AttemptLooks } from '../../../src/engine/columns/attempt-looks.ts';
import { type EngineName, Scheduler } from '../../../src/index.ts';
import { VolumeBinding } from '../../../src/plugins/volume-binding/plugin.ts';
import { EngineColumns } from '../../builders/engine-columns.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makeClaim, makeStorageClass, makeVolume, podWithClaims } from '../../builders/make-storage.ts';
import { runs } from '../../builders/runs.ts';

const HOST = 'kubernetes.io/hostname';
/** More than may have looks of their own for good. */
const NODES = 80;
const SELECTED = 'volume.kubernetes.io/selected-node';

/** A disk that belongs to the nodes with these host names, or to all others. */
function localVolume(name: string, operator: string, hosts: readonly number[], size = '1Gi'): PersistentVolume {
  const values = hosts.map((host) => `h${host}`);
  const nodeSelectorTerms = [{ matchExpressions: [{ key: HOST, operator, values }] }];
  return makeVolume(name, { size, spec: { nodeAffinity: { required: { nodeSelectorTerms } } } });
}

const disk = fc.record({
  operator: fc.constantFrom('In', 'In', 'In', 'NotIn'),
  hosts: fc.uniqueArray(fc.nat(NODES), { minLength: 1, maxLength: 2 }),
  size: fc.constantFrom('1Gi', '2Gi'),
});

const lives = fc.record({
  disks: fc.array(disk, { minLength: 1, maxLength: 8 }),
  /** The claims of each pod, and whether they have the disk with their number. */
  pods: fc.array(fc.uniqueArray(fc.nat(7), { minLength: 1, maxLength: 2 }), { minLength: 2, maxLength: 6 }),
  isBound: fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
  /** Nodes without the label, and nodes that change their host name or go after the first pods. */
  nameless: fc.uniqueArray(fc.nat(NODES - 1), { maxLength: 3 }),
  renamed: fc.uniqueArray(fc.nat(NODES - 1), { maxLength: 3 }),
  gone: fc.uniqueArray(fc.nat(NODES - 1), { maxLength: 3 }),
  /** Claims whose volumes are to be created for a node. */
  selected: fc.array(fc.option(fc.nat(NODES), { freq: 2, nil: null }), { minLength: 8, maxLength: 8 }),
  provisioner: fc.constantFrom('kubernetes.io/no-provisioner', 'csi.example'),
  nodeCount: fc.constantFrom(12, 40, NODES),
  percentage: fc.constantFrom(0, 30, 100),
});

type Life = typeof lives extends fc.Arbitrary<infer T> ? T : never;

function nodeOf(i: number, host: number | null) {
  return makeNode(`n${i}`, { labels: host === null ? {} : { [HOST]: `h${host}` } });
}

function play(engine: EngineName, life: Life): unknown[] {
  const { disks, pods, isBound, nameless, selected, nodeCount, percentage } = life;
  const isThere = (i: number): boolean => i < nodeCount;
  const [renamed, gone] = [life.renamed.filter(isThere), life.gone.filter(isThere)];
  const options = { engine, validate: false, tieBreak: 'upstream', percentageOfNodesToScore: percentage } as const;
  const scheduler = new Scheduler(options);
  for (let i = 0; i < nodeCount; i++) scheduler.addNode(nodeOf(i, nameless.includes(i) ? null : i));
  scheduler.setObject('StorageClass', makeStorageClass('wait', { provisioner: life.provisioner }));
  for (const [i, { operator, hosts, size }] of disks.entries()) {
    const volume = localVolume(`v${i}`, operator, hosts, size);
    const claimRef = { namespace: 'default', name: `c${i}`, uid: `uid-c${i}` };
    const bound = { ...volume, spec: { ...volume.spec, claimRef }, status: { phase: 'Bound' } };
    scheduler.setObject('PersistentVolume', isBound[i] ? bound : volume);
  }
  for (let i = 0; i < 8; i++) {
    const annotations = selected[i] === null ? {} : { [SELECTED]: `n${selected[i]}` };
    scheduler.setObject(
      'PersistentVolumeClaim',
      makeClaim(`c${i}`, isBound[i] ? { volume: `v${i}` } : { annotations }),
    );
  }
  const results: unknown[] = [];
  for (const [i, claims] of pods.entries()) {
    if (i === 2) for (const node of renamed) scheduler.updateNode(nodeOf(node, (node + 1) % NODES));
    if (i === 3) for (const node of gone) scheduler.removeNode(`n${node}`);
    results.push(
      scheduler.schedule(
        podWithClaims(
          `p${i}`,
          claims.map((claim) => `c${claim}`),
        ),
      ),
    );
  }
  return results;
}

describe('AttemptLooks', () => {
  test('pods get the nodes that the reference engine chooses, which asks about each', () => {
    fc.assert(
      fc.property(lives, (life) => {
        expect(play('simd', life)).toEqual(play('reference', life));
      }),
      { numRuns: runs(60) },
    );
  });

  test.each([30, 80])('of %i nodes that no disk of the pod belongs to one is asked about', (nodeCount) => {
    const filter = vi.spyOn(VolumeBinding.prototype, 'filter');
    const disks = [0, 1, 2, 3].map((host) => ({ operator: 'In' as const, hosts: [host], size: '1Gi' as const }));
    const selected = Array<null>(8).fill(null);
    const none = {
      nameless: [],
      renamed: [],
      gone: [],
      selected,
      nodeCount: nodeCount as 40,
      percentage: 100 as const,
    };
    const provisioner = 'kubernetes.io/no-provisioner' as const;
    try {
      const [placed] = play('simd', { disks, pods: [[4]], isBound: Array(8).fill(false), provisioner, ...none });
      expect(placed).toMatchObject({ status: 'scheduled' });
      expect(filter).toHaveBeenCalledTimes(5);
    } finally {
      filter.mockRestore();
    }
  });

  test('of nodes for which no volume is created one is asked about', () => {
    const filter = vi.spyOn(VolumeBinding.prototype, 'filter');
    try {
      const scheduler = new Scheduler({ validate: false });
      for (let i = 0; i < NODES; i++) scheduler.addNode(nodeOf(i, i));
      scheduler.setObject('StorageClass', makeStorageClass('wait', { provisioner: 'csi.example' }));
      scheduler.setObject('PersistentVolumeClaim', makeClaim('c', { annotations: { [SELECTED]: 'n7' } }));
      expect(scheduler.schedule(podWithClaims('p', ['c']))).toMatchObject({ status: 'scheduled', node: 'n7' });
      expect(filter).toHaveBeenCalledTimes(2);
    } finally {
      filter.mockRestore();
    }
  });

  test('looks are numbered by the values that count; a slot without a node has one of them', () => {
    const world = new EngineColumns();
    for (let i = 0; i < 40; i++) world.add(nodeOf(i, i));
    world.cluster.removeNode('n1');
    const { cluster, columns, attributes } = world;
    const looks = new AttemptLooks({ cluster, table: columns.table, attributes });
    const values = new Map([[HOST, ['h2', 'h7', 'elsewhere']]]);
    const found = looks.of({ taints: false, labels: [HOST], values }, 0);
    expect(found?.count).toBe(3);
    expect([...(found?.column.values.subarray(0, 9) ?? [])]).toEqual([0, 0, 1, 0, 0, 0, 0, 2, 0]);
    expect([0, 1, 2, 3].map((look) => found?.nodeWith(look)?.name)).toEqual(['n0', 'n2', 'n7', undefined]);
    expect(looks.of({ taints: false, labels: [HOST] }, 0)).toBeNull();
  });

  test('there are no looks where they are too many', () => {
    const world = new EngineColumns();
    for (let i = 0; i < 300; i++) world.add(nodeOf(i, i));
    const { cluster, columns, attributes } = world;
    const looks = new AttemptLooks({ cluster, table: columns.table, attributes });
    const values = new Map([[HOST, Array.from({ length: 290 }, (_, i) => `h${i}`)]]);
    expect(looks.of({ taints: false, labels: [HOST], values }, 0)).toBeNull();
  });
});
