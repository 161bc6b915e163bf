import type { AllocationResult } from '../../../src/api/resource-claims.ts';
import { type EngineName, type ScheduleResult, Scheduler } from '../../../src/index.ts';
import { type Difference, differences } from '../differences.ts';
import { addObjects, configurationOf, type RecordedCase } from '../read-cases.ts';
import type { DraSequenceCase, DraStep, UpdatedClaim } from './dra-case.ts';
import { deviceTexts } from './dra-rig.ts';

const START_MILLIS = Date.UTC(2026, 0, 1);

/** Plays the operations one after the other, and compares every attempt. */
export function checkDraSequence(recorded: RecordedCase, engine: EngineName): Difference[] {
  const { steps } = recorded as unknown as DraSequenceCase;
  using player = new SequencePlayer(recorded, engine);
  for (const [i, step] of steps.entries()) {
    const found = differences(`steps[${i}]`, step.expect ?? null, player.play(step));
    if (found.length > 0) return found;
  }
  return [];
}

type Pod = NonNullable<DraStep['object']>;

class SequencePlayer {
  readonly #scheduler: Scheduler;
  readonly #pods = new Map<string, Pod>();
  #nowMillis = START_MILLIS;

  constructor(recorded: RecordedCase, engine: EngineName) {
    const clock = { nowMillis: () => this.#nowMillis };
    this.#scheduler = new Scheduler({ ...configurationOf(recorded), engine, clock });
    addObjects(this.#scheduler, recorded.objects);
  }

  /** Returns what the attempt of the step did; null for a step without one. */
  play(step: DraStep): unknown {
    this.#nowMillis += 1000;
    const scheduler = this.#scheduler;
    for (const claim of step.addClaims ?? []) scheduler.setObject('ResourceClaim', claim);
    if (step.slice !== undefined) scheduler.setObject('ResourceSlice', step.slice);
    if (step.node !== undefined) scheduler.addNode(step.node);
    if (step.op === 'deletePod') this.#deletePod(step);
    const name = step.object?.metadata?.name ?? step.name ?? '';
    if (step.object !== undefined) this.#pods.set(name, step.object);
    return step.op === 'schedule' || step.op === 'retry' ? this.#attempt(name) : null;
  }

  [Symbol.dispose](): void {
    this.#scheduler[Symbol.dispose]();
  }

  #deletePod({ name = '', deletedClaims = [], updatedClaims = [] }: DraStep): void {
    if (this.#scheduler.has('Pod', name, 'default')) this.#scheduler.removePod('default', name);
    for (const claim of deletedClaims) this.#scheduler.removeObject('ResourceClaim', claim, 'default');
    for (const claim of updatedClaims) this.#unreserve(claim);
  }

  /** Does what the controller of claims does when a pod is gone. */
  #unreserve({ claim: name, unreserve, deallocate }: UpdatedClaim): void {
    const claim = this.#scheduler.object('ResourceClaim', name, 'default');
    if (claim === undefined) return;
    const { reservedFor = [], allocation, ...status } = claim.status ?? {};
    const users = reservedFor.filter((user) => user.name !== unreserve);
    const kept = { ...status, ...(users.length > 0 && { reservedFor: users }) };
    this.#scheduler.setObject('ResourceClaim', {
      ...claim,
      status: deallocate === true ? kept : { ...kept, allocation },
    });
  }

  #attempt(name: string): unknown {
    const pod = this.#pods.get(name) ?? {};
    const before = this.#claims(pod);
    const result = this.#scheduler.schedule(pod);
    const after = this.#claims(pod);
    const api = before.flatMap((claim, i) =>
      claim?.status?.allocation !== undefined && after[i]?.status?.allocation === undefined ? [deallocated(claim)] : [],
    );
    return { pod: name, ...outcome(result), ...this.#devices(pod, result), ...(api.length > 0 && { api }) };
  }

  #devices(pod: Pod, { status }: ScheduleResult): { claims?: unknown } {
    const claims = status === 'scheduled' ? this.#claims(pod) : [];
    if (claims.length === 0) return {};
    return { claims: Object.fromEntries(claims.map((claim) => [claim?.metadata?.name, allocationOf(claim)])) };
  }

  #claims({ spec, status }: Pod) {
    const names = (spec?.resourceClaims ?? []).map(({ name, resourceClaimName }) => {
      const made = status?.resourceClaimStatuses?.find((known) => known.name === name);
      return resourceClaimName ?? made?.resourceClaimName ?? '';
    });
    return names.map((name) => this.#scheduler.object('ResourceClaim', name, 'default'));
  }
}

function outcome(result: ScheduleResult): object {
  if (result.status === 'scheduled') {
    const { node, score, feasibleNodes: feasible, ties } = result;
    return { feasible, node, ties, ...(score === null ? {} : { score }) };
  }
  if (result.status === 'error') return { error: result.message };
  if (result.status !== 'unschedulable') return result;
  const end = result.message.search(/(?<=\.) (?=(still not|no new|deallocation of|deletion of))/);
  return { feasible: 0, message: result.message.slice(0, end), postFilter: result.message.slice(end + 1) };
}

type Claim = NonNullable<ReturnType<Scheduler['object']>> & { metadata?: { name?: string | undefined } | undefined };

function deallocated({ metadata }: Claim): object {
  return { verb: 'update', resource: 'resourceclaims', subresource: 'status', name: metadata?.name, status: {} };
}

function allocationOf(claim: { status?: { allocation?: object | undefined } | undefined } | undefined): object {
  const { devices, nodeSelector } = (claim?.status?.allocation ?? {}) as AllocationResult;
  const results = devices?.results ?? [];
  const consumed = results.flatMap(({ consumedCapacity }) =>
    consumedCapacity === undefined ? [] : [consumedCapacity],
  );
  return {
    devices: deviceTexts(results),
    ...(nodeSelector !== undefined && { nodeSelector }),
    ...(consumed.length > 0 && { consumedCapacity: consumed }),
  };
}
