import type { Event } from '../api/event.ts';
import type { Job } from '../api/job.ts';
import type { KubernetesObject, ObjectReference } from '../api/meta.ts';
import type { ContainerStatus, Pod } from '../api/pod.ts';
import type { Resource } from '../store/objects/resources.ts';

/** A summary of an object in a few words on one line; empty for kinds without one. */
export function summaryOf(resource: Resource, object: KubernetesObject): string {
  if (resource === 'pods') return podSummary(object as Pod);
  const words = wordsOf(resource, object);
  const { deletionTimestamp, finalizers } = object.metadata ?? {};
  if (deletionTimestamp !== undefined) words.push('deleting');
  if (finalizers?.length) words.push(`held by ${finalizers.join(' ')}`);
  return words.join(', ');
}

function wordsOf(resource: Resource, object: KubernetesObject): string[] {
  if (resource === 'jobs') return jobWords(object as Job);
  return resource === 'events' ? eventWords(object as StoredEvent) : [];
}

const NONE: readonly ContainerStatus[] = [];

/** Most lines of a log are about pods, so their text is put together without a list. */
function podSummary({ metadata, spec, status }: Pod): string {
  let text: string = status?.phase ?? 'no phase';
  if (spec?.nodeName) text += `, on ${spec.nodeName}`;
  let restarts = 0;
  const containers = status?.containerStatuses ?? NONE;
  for (let i = 0; i < containers.length; i++) restarts += containers[i]?.restartCount ?? 0;
  if (restarts !== 0) text += `, ${restarts} restarts`;
  if (metadata?.deletionTimestamp !== undefined) text += ', deleting';
  const finalizers = metadata?.finalizers;
  return finalizers?.length ? `${text}, held by ${finalizers.join(' ')}` : text;
}

const JOB_COUNTERS = ['active', 'ready', 'terminating', 'succeeded', 'failed'] as const;

function jobWords({ spec, status = {} }: Job): string[] {
  const words = spec?.suspend ? ['suspended'] : [];
  for (const counter of JOB_COUNTERS) if (status[counter]) words.push(`${status[counter]} ${counter}`);
  if (status.completedIndexes) words.push(`completed ${status.completedIndexes}`);
  if (status.failedIndexes) words.push(`failed ${status.failedIndexes}`);
  for (const { type, reason, status: value } of status.conditions ?? []) {
    if (value === 'True') words.push(`${type} (${reason})`);
  }
  return words;
}

/** An event that a client wrote, in the form of the core group or of `events.k8s.io`. */
type StoredEvent = Event | EventOfEventsGroup;

interface EventOfEventsGroup {
  readonly involvedObject?: undefined;
  readonly regarding?: ObjectReference;
  readonly reason?: string;
  readonly series?: { readonly count?: number };
}

function eventWords(event: StoredEvent): string[] {
  const isCore = event.involvedObject !== undefined;
  const { kind, name } = (isCore ? event.involvedObject : event.regarding) ?? {};
  const count = (isCore ? event.count : event.series?.count) ?? 1;
  return [`${event.reason} of ${kind} ${name}, ${count} times`];
}
