import type { Node } from '../../api/node.ts';
import type { Pod, PodStatus } from '../../api/pod.ts';
import { isPodFinished } from '../../api/pod-conditions.ts';
import { AttemptTraces } from './attempt-traces.ts';
import type { ClusterTrace, PodHistory, TraceEvent } from './cluster-trace.ts';
import { momentsOf } from './trace-moments.ts';
import { type FoundEvent, inOrder } from './trace-order.ts';

type Draft = { -readonly [Key in keyof PodHistory]: PodHistory[Key] };

/** What a file of events says beside them. */
export interface TraceFacts {
  readonly startMillis: number;
  readonly endMillis: number;
  readonly objects: readonly TraceEvent[];
  readonly warnings: readonly string[];
}

/** Makes a trace of the events of a file. What changes nothing that a simulation reads is left out. */
export function buildTrace(found: readonly FoundEvent[], facts: TraceFacts): ClusterTrace {
  const histories = new Map<string, Draft>();
  const latest = new Map<string, TraceEvent>();
  const traces = new AttemptTraces();
  const attempts = new Map<TraceEvent, string>();
  for (const event of facts.objects) {
    traces.take(undefined, event);
    latest.set(keyOf(event), event);
    if (event.resource === 'pods') note(histories, undefined, event);
  }
  const events = inOrder(found).filter((event) => {
    const key = keyOf(event);
    const before = latest.get(key);
    if (event.type === 'DELETED') latest.delete(key);
    else latest.set(key, event);
    if (event.resource === 'pods') note(histories, before?.object as Pod | undefined, event);
    const attempt = traces.take(before, event);
    if (attempt !== undefined) attempts.set(event, attempt);
    return before === undefined || event.type !== 'MODIFIED' || isNews(before, event);
  });
  return {
    ...facts,
    moments: momentsOf(events, (event) => attempts.get(event)),
    pods: histories,
  };
}

function keyOf({ resource, object: { metadata } }: TraceEvent): string {
  return `${resource} ${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;
}

/** Adds what the event says to the history of its pod. */
function note(histories: Map<string, Draft>, before: Pod | undefined, { type, object, atMillis }: TraceEvent): void {
  const uid = object.metadata?.uid ?? '';
  const known = histories.get(uid);
  if (type === 'DELETED') {
    if (known !== undefined) known.goneMillis = atMillis;
    return;
  }
  const pod = object as Pod;
  const history: Draft = known ?? { first: pod };
  histories.set(uid, history);
  const { nodeName } = pod.spec ?? {};
  const wasThere = before !== undefined && before.metadata?.uid === uid;
  if (nodeName && wasThere && !before.spec?.nodeName) history.bound ??= { node: nodeName, atMillis };
  if (isPodFinished(pod)) history.end ??= { phase: pod.status?.phase ?? '', atMillis };
  if (wasPreempted(pod.status)) history.evictedMillis ??= atMillis;
}

/** Upstream: the condition that preemption writes before it deletes a pod. */
function wasPreempted(status: PodStatus | undefined): boolean {
  return (status?.conditions ?? []).some(
    ({ type, reason }) => type === 'DisruptionTarget' && reason === 'PreemptionByScheduler',
  );
}

/** Whether more has changed than versions and heartbeats. */
function isNews({ object: before }: TraceEvent, { resource, object: after }: TraceEvent): boolean {
  if (resource !== 'nodes') return true;
  return JSON.stringify(withoutHeartbeat(after as Node)) !== JSON.stringify(withoutHeartbeat(before as Node));
}

function withoutHeartbeat({ metadata, spec, status }: Node): object {
  const { resourceVersion: _version, ...named } = metadata ?? {};
  const conditions = (status?.conditions ?? []).map(({ type, status: value }) => [type, value]);
  return { metadata: named, spec, status: { ...status, conditions } };
}
