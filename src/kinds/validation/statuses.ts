import { objectAt, textAt } from '../defaults/members.ts';
import { invalidValue } from '../object/field-errors.ts';
import type { JsonObject } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import { notNegative } from './checks.ts';
import { conditionsErrors } from './conditions.ts';

/** Checks of what controllers report: counts that agree with each other (pkg/apis/apps/validation and its kin). */

type StatusCheck = (object: JsonObject, old: JsonObject) => FieldError[];

interface Counts {
  /** Numbers that are not negative. */
  readonly all: readonly string[];
  /** The numbers among `all` that are at most `replicas`. */
  readonly ofReplicas: readonly string[];
  /** The limit of `availableReplicas`, as messages name it. */
  readonly available?: string;
}

/** Checks the counts of a status. `collisionCount`, where there is one, never falls. */
function checkedCounts({ all, ofReplicas, available }: Counts): StatusCheck {
  return (object, old) => {
    const status = objectAt(object, 'status') ?? {};
    const count = (name: string): number => Number(status[name] ?? 0);
    const errors = all.flatMap((name) => notNegative(`status.${name}`, status[name]));
    for (const name of ofReplicas) {
      if (count(name) <= count('replicas')) continue;
      errors.push(invalidValue(`status.${name}`, count(name), 'cannot be greater than status.replicas'));
    }
    if (available !== undefined && count('availableReplicas') > count('readyReplicas')) {
      const why = `cannot be greater than ${available}`;
      errors.push(invalidValue('status.availableReplicas', count('availableReplicas'), why));
    }
    const before = objectAt(old, 'status')?.['collisionCount'];
    const isLower = typeof before === 'number' && (status['collisionCount'] === undefined || now(status) < before);
    if (!all.includes('collisionCount') || !isLower) return errors;
    return [...errors, invalidValue('status.collisionCount', now(status), 'cannot be decremented')];
  };
}

function now(status: JsonObject): number {
  return Number(status['collisionCount'] ?? 0);
}

const READY = ['readyReplicas', 'availableReplicas'];

export const deploymentStatusErrors = checkedCounts({
  all: [
    ...['observedGeneration', 'replicas', 'updatedReplicas', 'readyReplicas', 'availableReplicas'],
    ...['unavailableReplicas', 'terminatingReplicas', 'collisionCount'],
  ],
  ofReplicas: ['updatedReplicas', ...READY],
  available: 'readyReplicas',
});

/** Checks the status of a replica set, and that of a replication controller. */
export const replicaStatusErrors = checkedCounts({
  all: ['replicas', 'fullyLabeledReplicas', ...READY, 'terminatingReplicas', 'observedGeneration'],
  ofReplicas: ['fullyLabeledReplicas', ...READY],
  available: 'readyReplicas',
});

export const statefulSetStatusErrors = checkedCounts({
  all: [
    ...['replicas', 'readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'],
    ...['observedGeneration', 'collisionCount'],
  ],
  ofReplicas: ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'],
  available: 'status.readyReplicas',
});

export const daemonSetStatusErrors = checkedCounts({
  all: [
    ...['currentNumberScheduled', 'numberMisscheduled', 'desiredNumberScheduled', 'numberReady', 'observedGeneration'],
    ...['updatedNumberScheduled', 'numberAvailable', 'numberUnavailable', 'collisionCount'],
  ],
  ofReplicas: [],
});

const budgetCountErrors = checkedCounts({
  all: ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'],
  ofReplicas: [],
});

export function budgetStatusErrors(budget: JsonObject, old: JsonObject): FieldError[] {
  return [...conditionsErrors('status', objectAt(budget, 'status')), ...budgetCountErrors(budget, old)];
}

export const autoscalerStatusErrors = checkedCounts({ all: ['currentReplicas', 'desiredReplicas'], ofReplicas: [] });

/** A namespace is active until it is deleted. */
export function namespaceStatusErrors(namespace: JsonObject): FieldError[] {
  const phase = textAt(objectAt(namespace, 'status'), 'phase');
  const isDeleted = objectAt(namespace, 'metadata')?.['deletionTimestamp'] !== undefined;
  if (phase === (isDeleted ? 'Terminating' : 'Active')) return [];
  const why = isDeleted
    ? "may only be 'Terminating' if `deletionTimestamp` is not empty"
    : "may only be 'Active' if `deletionTimestamp` is empty";
  return [invalidValue('status.Phase', phase, why)];
}
