import { beforeEach, describe, expect, test } from 'vitest';
import type { Node } from '../../../src/api/node.ts';
import type { Pod, PodStatus } from '../../../src/api/pod.ts';
import { Indexer } from '../../../src/client/informer/indexer.ts';
import type { PodGcApi } from '../../../src/controllers/podgc/pod-gc-api.ts';
import { PodGcController, type PodGcControllerOptions } from '../../../src/controllers/podgc/pod-gc-controller.ts';
import { VirtualEventLoop } from '../../../src/lib/event-loop.ts';
import { internalError, notFound } from '../../../src/store/objects/api-error.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';

const START_MILLIS = Date.UTC(2026, 0, 1);
const OUT_OF_SERVICE = { key: 'node.kubernetes.io/out-of-service', effect: 'NoExecute' };

let loop: VirtualEventLoop;
let pods: Indexer<Pod>;
let nodes: Indexer<Node>;
/** What was asked of the API, in short. */
let calls: string[];
let reported: string[];
/** What the API refuses. */
let refused: Set<string>;

const api: PodGcApi = {
  patchPodStatus: (namespace, name, patch) => {
    const { phase } = (patch as { status: PodStatus }).status;
    call(`patch ${namespace}/${name} ${phase}`);
  },
  deletePod: (namespace, name) => {
    call(`delete ${namespace}/${name}`);
    pods.delete(`${namespace}/${name}`);
  },
  getNode: (name) => {
    call(`get ${name}`);
    throw notFound('nodes', name);
  },
};

function call(text: string): void {
  calls.push(text);
  if (refused.has(text)) throw internalError('boom');
}

beforeEach(() => {
  loop = new VirtualEventLoop(START_MILLIS);
  pods = new Indexer();
  nodes = new Indexer();
  calls = [];
  reported = [];
  refused = new Set();
});

function controller(options: Partial<PodGcControllerOptions> = {}): PodGcController {
  const reportError = (_: unknown, activity: string): number => reported.push(activity);
  return new PodGcController({ api, pods, nodes, loop, hasSynced: () => true, reportError, ...options });
}

function runSeconds(seconds: number): string[] {
  calls = [];
  loop.runUntil(loop.nowMillis() + seconds * 1000);
  return calls;
}

const terminating = (name: string, nodeName?: string, phase = 'Running'): Pod => {
  const pod = makePod(name, { ...(nodeName && { nodeName }), status: { phase } });
  return { ...pod, metadata: { ...pod.metadata, deletionTimestamp: '2025-12-31T00:00:00Z' } };
};

const nodeWith = (name: string, ready: string, taints: Node['spec']): Node => {
  const node = makeNode(name);
  return { ...node, spec: taints, status: { ...node.status, conditions: [{ type: 'Ready', status: ready }] } };
};

describe('a pass', () => {
  test('leaves living pods on living nodes alone', () => {
    nodes.set(makeNode('n'));
    pods.set(makePod('a', { nodeName: 'n', status: { phase: 'Running' } }));
    pods.set(makePod('b', { status: { phase: 'Pending' } }));
    pods.set(makePod('c', { nodeName: 'n', status: { phase: 'Failed' } }));
    const gc = controller();
    gc.start();
    expect(runSeconds(300)).toEqual([]);
  });

  test('makes pods fail before it deletes them, unless they have ended', () => {
    pods.set(terminating('a'));
    pods.set(terminating('b', undefined, 'Succeeded'));
    controller().gc();
    expect(calls).toEqual(['patch default/a Failed', 'delete default/a', 'delete default/b']);
  });

  test('goes on after a refusal, counts it, and tries again at the next pass', () => {
    pods.set(terminating('a'));
    pods.set(terminating('b'));
    refused.add('patch default/a Failed');
    const gc = controller();
    gc.gc();
    expect(calls).toEqual(['patch default/a Failed', 'patch default/b Failed', 'delete default/b']);
    expect(reported).toEqual(['delete unscheduled pod default/a']);
    expect(gc.metrics.unscheduled).toEqual({ total: 2, errors: 1 });
    refused.clear();
    gc.gc();
    expect(calls.slice(3)).toEqual(['patch default/a Failed', 'delete default/a']);
  });

  test.each([
    ['False', [OUT_OF_SERVICE], 1],
    ['Unknown', [{ ...OUT_OF_SERVICE, effect: 'NoSchedule' }], 1],
    ['True', [OUT_OF_SERVICE], 0],
    ['False', [{ key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' }], 0],
    ['False', undefined, 0],
  ])('on a node with Ready=%s and taints %j', (ready, taints, count) => {
    nodes.set(nodeWith('n', ready, { taints }));
    pods.set(terminating('a', 'n'));
    pods.set(makePod('b', { nodeName: 'n', status: { phase: 'Running' } }));
    const gc = controller();
    gc.gc();
    expect(gc.metrics['out-of-service'].total).toBe(count);
    expect(calls.filter((text) => text.includes('default/b'))).toEqual([]);
  });
});

describe('orphaned pods', () => {
  const orphan = makePod('a', { nodeName: 'gone', status: { phase: 'Running' } });

  test('go when their node is missing for 40 s, and the API does not know it', () => {
    pods.set(orphan);
    controller().start();
    expect(runSeconds(39)).toEqual([]);
    expect(runSeconds(1)).toEqual(['get gone', 'patch default/a Failed', 'delete default/a']);
  });

  test('stay when the node comes into the cache in time', () => {
    pods.set(orphan);
    controller().start();
    runSeconds(30);
    nodes.set(makeNode('gone'));
    expect(runSeconds(300)).toEqual([]);
  });

  test('stay while the API cannot say', () => {
    pods.set(orphan);
    refused.add('get gone');
    controller().start();
    expect(runSeconds(80)).toEqual(['get gone', 'get gone']);
    expect(reported).toEqual(['get node gone', 'get node gone']);
    refused.clear();
    expect(runSeconds(40)).toEqual(['get gone', 'patch default/a Failed', 'delete default/a']);
  });
});

describe('after a time without news', () => {
  test('what goes then is found as if there had been news', () => {
    nodes.set({ metadata: { name: 'gone' } });
    pods.set(makePod('a', { nodeName: 'gone', status: { phase: 'Running' } }));
    controller().start();
    expect(runSeconds(600)).toEqual([]);
    nodes.delete('gone');
    expect(runSeconds(40)).toEqual([]);
    expect(runSeconds(40)).toEqual(['get gone', 'patch default/a Failed', 'delete default/a']);
  });

  test('a node that came back and goes again is in quarantine again', () => {
    pods.set(makePod('a', { nodeName: 'gone', status: { phase: 'Running' } }));
    controller().start();
    expect(runSeconds(30)).toEqual([]);
    nodes.set({ metadata: { name: 'gone' } });
    expect(runSeconds(600)).toEqual([]);
    nodes.delete('gone');
    expect(runSeconds(40)).toEqual([]);
    expect(runSeconds(40)).toEqual(['get gone', 'patch default/a Failed', 'delete default/a']);
  });
});

describe('the passes', () => {
  test('begin when the caches have synced, and come every 20 s until they are stopped', () => {
    let hasSynced = false;
    // A pod that cannot be deleted is tried in each pass.
    const attempt = 'patch default/a Failed';
    refused.add(attempt);
    pods.set(terminating('a'));
    const gc = controller({ hasSynced: () => hasSynced });
    gc.start();
    gc.start();
    expect(runSeconds(60)).toEqual([]);
    hasSynced = true;
    expect(runSeconds(1)).toEqual([attempt]);
    expect(runSeconds(19)).toEqual([]);
    expect(runSeconds(21)).toEqual([attempt, attempt]);
    gc.stop();
    expect(runSeconds(60)).toEqual([]);
  });
});
