import { describe, expect, it } from 'vitest';
import type { KubernetesObject } from '../../../src/api/meta.ts';
import type { Pod } from '../../../src/api/pod.ts';
import { realCluster } from '../../../src/benchmark/synthetic/real.ts';
import { Scheduler } from '../../../src/core/scheduler.ts';
import { Anonymiser } from '../../../src/live/anonymise/anonymise.ts';
import { Pseudonyms } from '../../../src/live/anonymise/pseudonyms.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';

const SEED = 7;

/** The objects of a cluster as a dump has them. */
function objectsOf(nodeCount: number, podCount: number): KubernetesObject[] {
  const { nodes, pods, others = [] } = realCluster(nodeCount, podCount, SEED);
  return [
    ...nodes.map((node) => ({ ...node, kind: 'Node' })),
    ...others.map(({ kind, object }) => ({ ...(object as KubernetesObject), kind })),
    ...pods.map((pod) => ({ ...pod, kind: 'Pod' })),
  ];
}

/** Where each pod goes, in turn: the position of the node, or why there is none. */
function placementsOf(objects: readonly KubernetesObject[]): (number | string)[] {
  using scheduler = new Scheduler();
  scheduler.load(objects.filter(({ kind }) => kind !== 'Pod'));
  const nodes = scheduler.nodes().map(({ name }) => name);
  const pods = objects.filter(({ kind }) => kind === 'Pod') as Pod[];
  return pods.map((pod) => {
    const result = scheduler.schedule(pod);
    return result.status === 'scheduled' ? nodes.indexOf(result.node) : result.status;
  });
}

describe('Anonymiser', () => {
  it('changes no decision', () => {
    const objects = objectsOf(30, 400);
    const anonymiser = new Anonymiser(SEED);
    expect(placementsOf(objects.map((object) => anonymiser.object(object)))).toEqual(placementsOf(objects));
  });

  it('lets no word of a user through', () => {
    const pod = makePod('payroll-0');
    const object = {
      ...pod,
      metadata: {
        ...pod.metadata,
        labels: { 'acme.example/team': 'treasury' },
        annotations: { 'acme.example/owner': 'jane', 'volume.kubernetes.io/selected-node': 'rack7-payroll' },
      },
      spec: {
        ...pod.spec,
        nodeSelector: { 'acme.example/room': 'vault', 'kubernetes.io/arch': 'amd64' },
        containers: [
          { name: 'ledger', image: 'registry.acme.example/ledger:v3', env: [{ name: 'KEY', value: 'hunter2' }] },
        ],
        tolerations: [{ key: 'acme.example/only', operator: 'Equal', value: 'treasury', effect: 'NoSchedule' }],
      },
    } as unknown as KubernetesObject;
    const text = JSON.stringify(new Anonymiser(SEED).object(object));
    expect(text).not.toMatch(/acme|payroll|treasury|jane|rack7|vault|ledger|registry|hunter2|KEY/);
    for (const kept of ['kubernetes.io/arch', 'amd64', 'NoSchedule', 'Equal', '-0"']) expect(text).toContain(kept);
  });

  it('keeps what names are made of', () => {
    const names = new Pseudonyms(SEED, ['kube']);
    const set = names.of('db');
    expect(names.of('data-db-0')).toBe(`${names.of('data')}-${set}-0`);
    expect(set).toMatch(/^[a-z]{2}$/);
    expect(names.of('Web2')).toMatch(/^[A-Z][a-z]{2}\d$/);
    expect(names.of('kube-1')).toBe('kube-1');
    expect(new Pseudonyms(SEED + 1, []).of('database')).not.toBe(names.of('database'));
  });

  it('never makes one word of two', () => {
    const letters = [...'abcdefghijklmnopqrstuvwxyz'];
    const names = new Pseudonyms(SEED, []);
    expect(new Set(letters.map((letter) => names.of(letter))).size).toBe(letters.length);
  });

  it('leaves the given object as it is', () => {
    const node = makeNode('rack7');
    const before = structuredClone(node);
    new Anonymiser(SEED).object(node);
    expect(node).toEqual(before);
  });
});
