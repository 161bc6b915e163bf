import { describe, expect, it } from 'vitest';
import type { Pod } from '../../src/api/pod.ts';
import { prepareCase } from '../../src/benchmark/bench-case.ts';
import type { Subject } from '../../src/benchmark/subject.ts';
import { basicCluster } from '../../src/benchmark/synthetic/basic.ts';
import { preemptionCluster } from '../../src/benchmark/synthetic/preemption.ts';
import { weigh } from '../../src/benchmark/weigh.ts';
import type { ScheduleResult } from '../../src/core/decision/result.ts';
import { FakeClock } from '../../src/lib/clock.ts';
import type { ClusterManifest } from '../../src/manifests/cluster-manifest.ts';

const [HEAP_BYTES_PER_NODE, SHARED_BYTES_PER_NODE, SIGNATURE_BYTES_PER_NODE, BYTES_PER_POD] = [900, 100, 7, 50];

/** A scheduler of known weight. A pod of priority must evict one; pods of one spec share a signature. */
class WeighedScheduler implements Subject {
  heapBytes = 1_000_000;
  sharedMemoryBytes = 0;
  #nodes = 0;
  readonly #signatures = new Set<Pod['spec']>();
  readonly #nominated = new Set<Pod>();

  setObject(): void {}

  addNode(): void {
    this.#nodes++;
    this.heapBytes += HEAP_BYTES_PER_NODE;
    this.sharedMemoryBytes += SHARED_BYTES_PER_NODE;
  }

  addPod(): void {
    this.heapBytes += BYTES_PER_POD;
  }

  removePod(): void {
    this.heapBytes -= BYTES_PER_POD;
  }

  schedule(pod: Pod): ScheduleResult {
    if (!this.#signatures.has(pod.spec)) this.sharedMemoryBytes += SIGNATURE_BYTES_PER_NODE * this.#nodes;
    this.#signatures.add(pod.spec);
    if (pod.spec?.priority && !this.#nominated.has(pod)) {
      this.#nominated.add(pod);
      return { status: 'unschedulable', message: '', nominatedNode: 'n', victims: ['default/low'] };
    }
    this.heapBytes += BYTES_PER_POD;
    return { status: 'scheduled', node: 'n', score: 1, feasibleNodes: 1, ties: 1 };
  }

  scheduleBatch(pods: readonly Pod[], endsAtFailure = false) {
    const results: ScheduleResult[] = [];
    for (const pod of pods) {
      if (endsAtFailure && results.at(-1)?.status === 'unschedulable') break;
      results.push(this.schedule(pod));
    }
    const scheduledCount = results.filter(({ status }) => status === 'scheduled').length;
    return {
      length: results.length,
      scheduledCount,
      nodeName: () => 'n',
      at: (i: number) => results[i] as ScheduleResult,
    };
  }
}

function weighed(cluster: ClusterManifest, podCount: number) {
  const subject = new WeighedScheduler();
  const memory = { usedBytes: () => subject.heapBytes, heapLimitBytes: 0 };
  const context = { createSubject: () => subject, clock: new FakeClock(), memory, warmUpRounds: 0 };
  const prepared = prepareCase({ suite: 'core', kind: 'x', cluster, engine: 'simd', options: {} }, context);
  return weigh(prepared, podCount, memory);
}

describe('weigh', () => {
  it('distinguishes nodes, signatures and pods', () => {
    expect(weighed(basicCluster(30, 3000), 2500)).toEqual({
      bytesPerNode: 1000,
      classBytesPerNode: 7,
      bytesPerPod: 50,
    });
  });

  it('weighs no signatures and pods when there are too few pods', () => {
    expect(weighed(basicCluster(30, 600), 600).bytesPerPod).toBeNull();
    const expected = { bytesPerNode: 1000, classBytesPerNode: null, bytesPerPod: null };
    expect(weighed(basicCluster(1, 1), 1)).toEqual(expected);
  });

  it('weighs pods that were bound where placing one evicts another', () => {
    const expected = { bytesPerNode: 1000, classBytesPerNode: 7, bytesPerPod: 50 };
    expect(weighed(preemptionCluster(250, 40), 40)).toEqual(expected);
  });
});
