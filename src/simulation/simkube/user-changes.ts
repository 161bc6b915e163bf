import type { CronJob } from '../../api/cron-job.ts';
import { isJobFinished, type Job } from '../../api/job.ts';
import type { KubernetesObject, ObjectMeta } from '../../api/meta.ts';
import type { Pod } from '../../api/pod.ts';
import { isPodFinished } from '../../api/pod-conditions.ts';
import { quote, type UnknownObject } from '../../api/validation/check.ts';
import { plural } from '../../lib/shown-count.ts';
import { FieldWarnings } from '../../manifests/field-warnings.ts';
import { LeftOut } from '../../manifests/left-out.ts';
import { titleOf } from '../../manifests/read.ts';
import { manifestError } from '../../manifests/source-document.ts';
import { keyOf, type PlannedChange } from '../workload/planned-change.ts';
import type { ReadingOptions } from '../workload/read-objects.ts';
import { namedObject } from '../workload/read-objects.ts';
import { creationRank, type NamedObject, SUBMITTED_KINDS, type SubmittedObject } from '../workload/submitted-object.ts';
import { withRunDuration } from '../workload/templated-source.ts';
import type { BesideTrace } from '../workload/user-trace.ts';
import type { ReadChanges } from '../workload/workload-changes.ts';
import type { SimkubeEvent, SimkubeFile } from './simkube-file.ts';

/**
 * What the users of the recorded cluster did, at times since the first event. Controllers of the simulation do the
 * rest, so that objects are left out which they make. Within a second objects are applied before others are deleted,
 * as SimKube does.
 *
 * @throws CodedError `InvalidObject` with file, object, field and reason; `UnsupportedKind`
 */
export function userChanges(trace: SimkubeFile, file: string, beside: BesideTrace): ReadChanges {
  const reader = new ChangeReader(trace, file, beside);
  for (const [i, event] of trace.events.entries()) reader.take(event, `events[${i}]`);
  return { changes: reader.changes, warnings: reader.warnings() };
}

class ChangeReader {
  readonly changes: PlannedChange[] = [];
  readonly #trace: SimkubeFile;
  readonly #file: string;
  readonly #reading: ReadingOptions;
  readonly #startTs: number;
  /** The objects that are there, by key. */
  readonly #present: Set<string>;
  readonly #applied: ReadonlySet<string>;
  readonly #leftOut = new LeftOut();
  readonly #unknown: FieldWarnings;
  #ownedCount = 0;
  #finishedCount = 0;

  constructor(trace: SimkubeFile, file: string, { objects, reading }: BesideTrace) {
    this.#trace = trace;
    this.#file = file;
    this.#reading = reading;
    this.#startTs = trace.events[0]?.ts ?? 0;
    this.#present = new Set(objects.map(({ submitted }) => keyOf(submitted)));
    this.#applied = new Set(trace.events.flatMap((event) => event.applied_objs.map(ownKey)));
    this.#unknown = new FieldWarnings(reading.validate ?? 'warn');
  }

  take({ ts, applied_objs: applied, deleted_objs: deleted }: SimkubeEvent, field: string): void {
    const atMillis = (ts - this.#startTs) * 1000;
    const found = applied.flatMap((value, i) => this.#applyOf(value, `${field}.applied_objs[${i}]`, ts));
    // Objects that others refer to come first: the first event holds all that was there, in no order.
    for (const { submitted, place } of found.toSorted(
      (a, b) => creationRank(a.submitted) - creationRank(b.submitted),
    )) {
      const isThere = this.#present.has(keyOf(submitted));
      // What changes in a pod that is there is the cluster's work: its node, and what is known of its containers.
      if (isThere && submitted.resource === 'pods') continue;
      this.#present.add(keyOf(submitted));
      this.changes.push({ ...submitted, verb: 'apply', place, atMillis });
    }
    for (const [i, value] of deleted.entries()) {
      if (!isRead(value)) continue;
      const { submitted, place } = this.#named(value, `${field}.deleted_objs[${i}]`);
      // What was left out cannot be deleted.
      if (!this.#present.delete(keyOf(submitted))) continue;
      this.changes.push({ ...submitted, verb: 'delete', place, atMillis });
    }
  }

  warnings(): string[] {
    const text = this.#leftOut.text();
    return [
      ...(text === null ? [] : [text]),
      ...this.#unknown.texts(),
      ...(this.#ownedCount === 0 ? [] : [`left out ${plural(this.#ownedCount, 'object')} that controllers make again`]),
      ...(this.#finishedCount === 0
        ? []
        : [`left out ${plural(this.#finishedCount, 'object')} that had finished (pods and Jobs)`]),
    ].map((warning) => `${this.#file}: ${warning}`);
  }

  #applyOf(value: UnknownObject, field: string, ts: number): NamedObject[] {
    const kind = String(value['kind']);
    if (!isRead(value)) {
      const { isStrict = false } = this.#reading;
      const shown = `${word(kind)} of ${word(String(value['apiVersion']))}`;
      if (isStrict) throw manifestError('UnsupportedKind', `${this.#file}: ${field}: unknown kind ${shown}`);
      this.#leftOut.add(shown);
      return [];
    }
    if (this.#isMadeAgain(value)) {
      this.#ownedCount++;
      return [];
    }
    if ((kind === 'Job' && isJobFinished(value as Job)) || (kind === 'Pod' && isPodFinished(value as Pod))) {
      this.#finishedCount++;
      return [];
    }
    const named = this.#named(value, field);
    this.#unknown.check(kind, value, this.#file, field);
    const submitted = kind === 'Pod' ? withoutNode(named.submitted) : named.submitted;
    const duration = endsByItself(submitted) ? this.#trace.durations.textFor(ownKey(value), ts) : undefined;
    return [{ ...named, submitted: duration === undefined ? submitted : withDuration(submitted, duration) }];
  }

  #named(value: UnknownObject, field: string): NamedObject {
    const kind = String(value['kind']);
    const title = titleOf({ kind, value, place: field }, (name) => SUBMITTED_KINDS[name]?.isNamespaced ?? true);
    return namedObject(kind, value, `${this.#file}: ${field}: ${title}`);
  }

  /** Whether the object belongs to another one of the trace, whose controller makes it again. */
  #isMadeAgain({ metadata }: UnknownObject): boolean {
    if (this.#reading.expands === false) return false;
    const { namespace, ownerReferences } = metadata as ObjectMeta;
    if (!Array.isArray(ownerReferences)) return false;
    return (ownerReferences as readonly UnknownObject[]).some(
      ({ apiVersion, kind, name, controller }) =>
        controller === true && this.#applied.has(ownKey({ apiVersion, kind, metadata: { namespace, name } })),
    );
  }
}

/** Whether objects of this kind are played. Kinds of other groups may have the same names. */
function isRead({ apiVersion, kind }: UnknownObject): boolean {
  const info = Object.hasOwn(SUBMITTED_KINDS, String(kind)) ? SUBMITTED_KINDS[String(kind)] : undefined;
  return info !== undefined && info.apiVersion === apiVersion && kind !== 'ControllerRevision';
}

/** A word that has not been checked, in a form that fits into a line. */
function word(text: string): string {
  return /^[\w./-]{1,80}$/.test(text) ? text : quote(text);
}

/** The key of an object in a trace, such as `batch/v1.Job shop/import`. */
function ownKey({ apiVersion, kind, metadata }: UnknownObject): string {
  const { namespace, name } = metadata as ObjectMeta;
  return `${String(apiVersion)}.${String(kind)} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}

/** The pod without the node that it had there, and that it gets anew. */
function withoutNode({ resource, object }: SubmittedObject): SubmittedObject {
  const { nodeName: _, ...spec } = (object as Pod).spec ?? {};
  return { resource, object: { ...object, spec } as KubernetesObject };
}

/** Whether pods of the object end without being deleted. */
function endsByItself({ resource, object }: SubmittedObject): boolean {
  if (resource === 'pods') return ((object as Pod).spec?.restartPolicy ?? 'Always') !== 'Always';
  return resource === 'jobs' || resource === 'cronjobs';
}

function withDuration(submitted: SubmittedObject, duration: string): SubmittedObject {
  const { resource, object } = submitted;
  if (resource !== 'cronjobs') return withRunDuration(submitted, duration);
  const { spec } = object as CronJob;
  const { object: jobTemplate } = withRunDuration({ resource: 'jobs', object: { ...spec?.jobTemplate } }, duration);
  return { resource, object: { ...object, spec: { ...spec, jobTemplate } } as KubernetesObject };
}
