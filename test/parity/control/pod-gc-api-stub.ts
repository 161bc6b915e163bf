import type { Node } from '../../../src/api/node.ts';
import type { Pod, PodStatus } from '../../../src/api/pod.ts';
import { timeAtMillis } from '../../../src/api/time.ts';
import type { PodGcApi } from '../../../src/controllers/podgc/pod-gc-api.ts';
import type { Clock } from '../../../src/lib/clock.ts';
import { type ApiError, conflict, internalError, notFound } from '../../../src/store/objects/api-error.ts';
import { strategicMerge } from '../../../src/store/patch/strategic-merge.ts';

export interface PodGcFault {
  readonly verb: 'patch' | 'delete' | 'getNode';
  /** `namespace/name` of a pod, or the name of a node; absent: any. */
  readonly name?: string;
  readonly kind: 'internal' | 'conflict' | 'notFound';
  /** Absent: always. */
  readonly times?: number;
}

export interface PodGcCall {
  readonly call: 'patchStatus' | 'delete';
  readonly pod: string;
  readonly patch?: unknown;
  readonly gracePeriodSeconds?: number;
  readonly error?: string;
  readonly statusAfter?: unknown;
}

/** The API of the recordings: the truth, faults that were planted, and what was called. */
export class PodGcApiStub implements PodGcApi {
  readonly pods = new Map<string, Pod>();
  readonly nodes = new Map<string, Node>();
  readonly nodeGets: string[] = [];
  readonly #clock: Clock;
  readonly #onCall: (call: PodGcCall) => void;
  #faults: { readonly fault: PodGcFault; left: number }[] = [];

  constructor(clock: Clock, onCall: (call: PodGcCall) => void) {
    this.#clock = clock;
    this.#onCall = onCall;
  }

  injectFault(fault: PodGcFault): void {
    this.#faults.push({ fault, left: fault.times ?? Number.POSITIVE_INFINITY });
  }

  clearFaults(): void {
    this.#faults = [];
  }

  patchPodStatus(namespace: string, name: string, patch: { metadata: { uid: string }; status: object }): void {
    const pod = `${namespace}/${name}`;
    this.#observed({ call: 'patchStatus', pod, patch }, () => {
      this.#fail('patch', pod);
      const stored = this.#stored(pod);
      if (stored.metadata?.uid !== patch.metadata.uid) throw conflict('pods', name, 'the uid differs');
      const status = withWrittenTimes(strategicMerge('pods', { ...stored.status }, { ...patch.status }));
      this.pods.set(pod, { ...stored, status });
      return { statusAfter: status };
    });
  }

  deletePod(namespace: string, name: string): void {
    const pod = `${namespace}/${name}`;
    this.#observed({ call: 'delete', pod, gracePeriodSeconds: 0 }, () => {
      this.#fail('delete', pod);
      const stored = this.#stored(pod);
      if (stored.metadata?.finalizers?.length) {
        const deletionTimestamp = stored.metadata.deletionTimestamp ?? timeAtMillis(this.#clock.nowMillis());
        const metadata = { ...stored.metadata, deletionTimestamp, deletionGracePeriodSeconds: 0 };
        this.pods.set(pod, { ...stored, metadata });
      } else {
        this.pods.delete(pod);
      }
      return {};
    });
  }

  getNode(name: string): Node {
    this.nodeGets.push(name);
    this.#fail('getNode', name);
    const node = this.nodes.get(name);
    if (node === undefined) throw notFound('nodes', name);
    return node;
  }

  #stored(key: string): Pod {
    const pod = this.pods.get(key);
    if (pod === undefined) throw notFound('pods', key);
    return pod;
  }

  #observed(call: PodGcCall, run: () => Partial<PodGcCall>): void {
    try {
      this.#onCall({ ...call, ...run() });
    } catch (error) {
      this.#onCall({ ...call, error: (error as ApiError).reason });
      throw error;
    }
  }

  #fail(verb: PodGcFault['verb'], name: string): void {
    const planted = this.#faults.find(
      ({ fault, left }) => fault.verb === verb && (fault.name ?? name) === name && left > 0,
    );
    if (planted === undefined) return;
    planted.left--;
    if (planted.fault.kind === 'internal') throw internalError('boom');
    if (planted.fault.kind === 'conflict') throw conflict('pods', name, 'boom');
    throw notFound('pods', name);
  }
}

/** The API always writes the two times of a pod's condition. */
function withWrittenTimes(status: PodStatus): PodStatus {
  if (status.conditions === undefined) return status;
  return { ...status, conditions: status.conditions.map((condition) => ({ lastProbeTime: null, ...condition })) };
}
