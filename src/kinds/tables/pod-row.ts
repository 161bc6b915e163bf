import { objectAt, objectsAt, textAt } from '../defaults/members.ts';
import type { JsonObject, JsonValue } from '../object/json.ts';
import { ageOf, nameOf, numberAt, since } from './cell-texts.ts';

/** The row of a pod, as printPod of pkg/printers/internalversion computes it. */
export function podCells(pod: JsonObject, nowMillis: number): JsonValue[] {
  const spec = objectAt(pod, 'spec');
  const status = objectAt(pod, 'status');
  const seen = new ContainerSummary(spec, status);
  const { reason, ready, restarts, lastRestart } = seen;
  const sidecars = objectsAt(spec, 'initContainers').filter(isSidecar).length;
  const total = objectsAt(spec, 'containers').length + sidecars;
  const restartText =
    restarts > 0 && lastRestart !== '' ? `${restarts} (${since(lastRestart, nowMillis)} ago)` : `${restarts}`;
  const ip = textAt(objectsAt(status, 'podIPs')[0], 'ip') || textAt(status, 'podIP');
  return [
    ...[nameOf(pod), `${ready}/${total}`, finalReason(pod, reason), restartText, ageOf(pod, nowMillis)],
    ...[ip, textAt(spec, 'nodeName'), textAt(status, 'nominatedNodeName')].map((text) => text || '<none>'),
    gatesText(spec, status),
  ];
}

/** A finished pod says so in its row. */
export function podConditions(pod: JsonObject): JsonObject[] | undefined {
  const phase = textAt(objectAt(pod, 'status'), 'phase');
  if (phase !== 'Succeeded' && phase !== 'Failed') return undefined;
  const message = phase === 'Failed' ? 'The pod failed.' : 'The pod has completed successfully.';
  return [{ type: 'Completed', status: 'True', reason: phase, message }];
}

function finalReason(pod: JsonObject, reason: string): string {
  if (objectAt(pod, 'metadata')?.['deletionTimestamp'] === undefined) return reason;
  const status = objectAt(pod, 'status');
  if (textAt(status, 'reason') === 'NodeLost') return 'Unknown';
  const phase = textAt(status, 'phase');
  return phase === 'Succeeded' || phase === 'Failed' ? reason : 'Terminating';
}

function gatesText(spec: JsonObject | undefined, status: JsonObject | undefined): string {
  const gates = objectsAt(spec, 'readinessGates');
  if (gates.length === 0) return '<none>';
  const met = gates.filter((gate) => hasCondition(status, textAt(gate, 'conditionType')));
  return `${met.length}/${gates.length}`;
}

function hasCondition(status: JsonObject | undefined, type: string): boolean {
  return objectsAt(status, 'conditions').some((each) => each['type'] === type && each['status'] === 'True');
}

function isSidecar(container: JsonObject): boolean {
  return container['restartPolicy'] === 'Always';
}

/** What the statuses of containers add up to. */
class ContainerSummary {
  reason: string;
  ready = 0;
  restarts = 0;
  lastRestart = '';
  private sidecarRestarts = 0;
  private lastSidecarRestart = '';

  constructor(spec: JsonObject | undefined, status: JsonObject | undefined) {
    this.reason = textAt(status, 'reason') || textAt(status, 'phase');
    const conditions = objectsAt(status, 'conditions');
    if (conditions.some((each) => each['type'] === 'PodScheduled' && each['reason'] === 'SchedulingGated')) {
      this.reason = 'SchedulingGated';
    }
    const isInitializing = this.addInitContainers(spec, status);
    if (!isInitializing || hasCondition(status, 'Initialized')) this.addContainers(status);
  }

  /** Stops at the first that has not done its work, which is then the reason. */
  private addInitContainers(spec: JsonObject | undefined, status: JsonObject | undefined): boolean {
    const containers = objectsAt(spec, 'initContainers');
    for (const [i, each] of objectsAt(status, 'initContainerStatuses').entries()) {
      const sidecar = containers.some((container) => container['name'] === each['name'] && isSidecar(container));
      const finished = textAt(objectAt(objectAt(each, 'lastState'), 'terminated'), 'finishedAt');
      this.restarts += numberAt(each, 'restartCount');
      if (finished > this.lastRestart) this.lastRestart = finished;
      if (sidecar) {
        this.sidecarRestarts += numberAt(each, 'restartCount');
        if (finished > this.lastSidecarRestart) this.lastSidecarRestart = finished;
      }
      const state = objectAt(each, 'state');
      const terminated = objectAt(state, 'terminated');
      if (terminated !== undefined && numberAt(terminated, 'exitCode') === 0) continue;
      if (sidecar && each['started'] === true) {
        if (each['ready'] === true) this.ready++;
        continue;
      }
      const waiting = textAt(objectAt(state, 'waiting'), 'reason');
      if (terminated !== undefined) this.reason = `Init:${terminationText(terminated)}`;
      else if (waiting !== '' && waiting !== 'PodInitializing') this.reason = `Init:${waiting}`;
      else this.reason = `Init:${i}/${containers.length}`;
      return true;
    }
    return false;
  }

  private addContainers(status: JsonObject | undefined): void {
    this.restarts = this.sidecarRestarts;
    this.lastRestart = this.lastSidecarRestart;
    let isRunning = false;
    let failure = '';
    for (const each of [...objectsAt(status, 'containerStatuses')].reverse()) {
      this.restarts += numberAt(each, 'restartCount');
      const finished = textAt(objectAt(objectAt(each, 'lastState'), 'terminated'), 'finishedAt');
      if (finished > this.lastRestart) this.lastRestart = finished;
      const state = objectAt(each, 'state');
      const waiting = textAt(objectAt(state, 'waiting'), 'reason');
      const terminated = objectAt(state, 'terminated');
      if (waiting !== '') this.reason = waiting;
      else if (terminated !== undefined) {
        this.reason = terminationText(terminated);
        if (numberAt(terminated, 'exitCode') !== 0) failure = this.reason;
      } else if (each['ready'] === true && objectAt(state, 'running') !== undefined) {
        isRunning = true;
        this.ready++;
      }
    }
    if (this.reason !== 'Completed') return;
    if (isRunning && hasCondition(status, 'Ready')) this.reason = 'Running';
    else this.reason = failure || (isRunning ? 'NotReady' : 'Completed');
  }
}

function terminationText(terminated: JsonObject): string {
  const reason = textAt(terminated, 'reason');
  if (reason !== '') return reason;
  const signal = numberAt(terminated, 'signal');
  return signal === 0 ? `ExitCode:${numberAt(terminated, 'exitCode')}` : `Signal:${signal}`;
}
