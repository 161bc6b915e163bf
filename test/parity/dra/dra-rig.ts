import type { ResourceClaim } from '../../../src/api/resource-claims.ts';
import { featureGates } from '../../../src/config/feature-gates.ts';
import { ClusterState } from '../../../src/framework/cluster/cluster-state.ts';
import { CycleState } from '../../../src/framework/cycle-state.ts';
import type { Handle } from '../../../src/framework/handle.ts';
import type { NodeInfo } from '../../../src/framework/node-info.ts';
import { PodInfo, podRequirements } from '../../../src/framework/pod-info.ts';
import { VirtualEventLoop } from '../../../src/lib/event-loop.ts';
import { ATTEMPT, type AttemptState } from '../../../src/plugins/dynamic-resources/attempt-state.ts';
import { DynamicResources } from '../../../src/plugins/dynamic-resources/plugin.ts';
import { OBJECT_KINDS } from '../read-cases.ts';
import type { DraDecideCase, RecordedPreBind } from './dra-case.ts';

type Written = Record<string, unknown>;

/** The plugin alone, on the cluster of a case, with an API that writes down what it is told. */
export class DraRig {
  readonly #loop = new VirtualEventLoop(Date.UTC(2026, 0, 1));
  readonly #cluster = new ClusterState(podRequirements);
  readonly #api: Written[] = [];
  readonly #events: Written[] = [];
  readonly #plugin: DynamicResources;
  readonly #pod: PodInfo;
  readonly #state = new CycleState();

  constructor({ objects, pod = {}, featureGates: gates = {} }: DraDecideCase) {
    for (const [list, kind] of Object.entries(OBJECT_KINDS)) {
      for (const object of objects[list as keyof typeof OBJECT_KINDS] ?? []) {
        this.#cluster.objects.set(kind, object as never);
      }
    }
    for (const node of objects.nodes ?? []) this.#cluster.addNode(node);
    this.#cluster.updateSnapshot();
    const environment = { gates: featureGates(gates), clock: this.#loop };
    this.#plugin = new DynamicResources(this.#cluster, undefined, this.#handle(), environment);
    this.#pod = new PodInfo(pod, podRequirements(pod), '');
    this.#plugin.preFilter(this.#state, this.#pod);
  }

  /** The devices that the pod would get on the node, by claim. */
  devicesOn(nodeName: string): Record<string, string[]> {
    const attempt = this.#found(nodeName);
    const { results = [] } = attempt?.found.get(nodeName) ?? {};
    const claims = attempt?.unallocated ?? [];
    return Object.fromEntries(
      claims.map(({ metadata }, i) => [metadata?.name ?? '', deviceTexts(results[i]?.devices?.results ?? [])]),
    );
  }

  /** What each claim gets when the pod is reserved on the node. */
  reserve(nodeName: string): Record<string, unknown> {
    const attempt = this.#found(nodeName);
    this.#plugin.reserve(this.#state, this.#pod, this.#node(nodeName));
    return Object.fromEntries(
      [...(attempt?.allocations ?? [])].map(([claim, result]) => [claim.metadata?.name, result]),
    );
  }

  /** Binds the pod that was reserved, and lets time pass until that ends. */
  preBind(nodeName: string): RecordedPreBind {
    if (this.#plugin.preBindPreFlight(this.#state) !== null) return { code: 'Skip' };
    const startMillis = this.#loop.nowMillis();
    let outcome: RecordedPreBind = { code: 'Success' };
    const answer = this.#plugin.preBind(this.#state, this.#pod, nodeName);
    if (typeof answer === 'function') answer((status) => (outcome = statusPart(status)));
    else outcome = statusPart(answer);
    this.#loop.runUntilIdle();
    const waitedSeconds = (this.#loop.nowMillis() - startMillis) / 1000;
    return {
      ...outcome,
      ...(this.#api.length > 0 && { api: this.#api }),
      ...(this.#events.length > 0 && { events: this.#events }),
      ...(waitedSeconds > 0 && { waitedSeconds }),
    };
  }

  #found(nodeName: string): AttemptState | undefined {
    const attempt = this.#state.read(ATTEMPT);
    if (attempt === undefined || !('allocator' in attempt)) return undefined;
    this.#plugin.filter(this.#state, this.#pod, this.#node(nodeName));
    return attempt;
  }

  #node(name: string): NodeInfo {
    const node = this.#cluster.node(name);
    if (node === undefined) throw new Error(`there is no node ${name}`);
    return node;
  }

  #handle(): Handle {
    const write = (claim: ResourceClaim, call: Written): ResourceClaim => {
      const { name = '', namespace } = claim.metadata ?? {};
      this.#api.push({ verb: 'update', resource: 'resourceclaims', name, ...call });
      // A claim that was created is shown by the watch later.
      if (this.#cluster.objects.get('ResourceClaim', name, namespace) === undefined) return claim;
      this.#cluster.objects.set('ResourceClaim', claim);
      return claim;
    };
    const api: Partial<Handle['api']> = {
      createResourceClaim: (claim) => {
        const name = `${claim.metadata?.generateName}00001`;
        const created = { ...claim, metadata: { ...claim.metadata, name, uid: `uid-resourceclaims-${name}` } };
        this.#api.push({ verb: 'create', resource: 'resourceclaims', name, object: created });
        this.#loop.after(1, () => this.#cluster.objects.set('ResourceClaim', created));
        return created;
      },
      patchPodStatus: (_namespace, name, body) => {
        this.#api.push({ verb: 'patch', resource: 'pods', subresource: 'status', name, body });
      },
      updateResourceClaim: (claim) => write(claim, { finalizers: claim.metadata?.finalizers ?? [] }),
      updateResourceClaimStatus: (claim) => write(claim, { subresource: 'status', status: claim.status ?? {} }),
    };
    const handle: Partial<Handle> = {
      api: api as Handle['api'],
      nowMillis: () => this.#loop.nowMillis(),
      after: (delayMillis, task) => this.#loop.after(delayMillis, task),
      event: ({ metadata }, type, reason, _action, note) => {
        this.#events.push({ object: metadata?.name, type, reason, note });
      },
    };
    return handle as Handle;
  }
}

function statusPart(status: { code: string; reasons: readonly string[] } | null): RecordedPreBind {
  if (status === null) return { code: 'Success' };
  return { code: status.code, message: `running PreBind plugin "DynamicResources": ${status.reasons.join(', ')}` };
}

interface NamedDevice {
  readonly request: string;
  readonly driver: string;
  readonly pool: string;
  readonly device: string;
}

export function deviceTexts(results: readonly NamedDevice[]): string[] {
  return results.map(({ request, driver, pool, device }) => `${request} ${driver}/${pool}/${device}`);
}
