import type { KubernetesObject } from '../../api/meta.ts';
import type { Pod } from '../../api/pod.ts';
import { isObject } from '../../api/validation/check.ts';
import { notARecording } from '../../recording/read-lines.ts';
import { RESOURCES, type Resource } from '../../store/objects/resources.ts';
import type { ClusterTrace } from './cluster-trace.ts';
import { buildTrace } from './trace-builder.ts';
import type { FoundEvent } from './trace-order.ts';

/** A line of an audit log (audit.k8s.io/v1 Event), as far as it is read. */
interface AuditLine {
  readonly kind: string;
  readonly apiVersion: string;
  readonly level?: string;
  readonly stage?: string;
  readonly verb?: string;
  readonly objectRef?: {
    readonly resource?: string;
    readonly namespace?: string;
    readonly name?: string;
    readonly subresource?: string;
    readonly apiGroup?: string;
    readonly apiVersion?: string;
  };
  readonly responseStatus?: { readonly code?: number };
  readonly requestObject?: unknown;
  readonly responseObject?: unknown;
  readonly requestReceivedTimestamp?: string;
  readonly stageTimestamp?: string;
}

const WRITES: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);
/** Resources that no decision reads. */
const UNREAD: ReadonlySet<string> = new Set(['events', 'leases', 'controllerrevisions']);
/** Subresources whose answer is the object. */
const OWN_ANSWERS: ReadonlySet<string> = new Set(['', 'status', 'resize', 'ephemeralcontainers']);

export function isAuditLine(line: unknown): line is AuditLine {
  const { kind, apiVersion } = (isObject(line) ? line : {}) as Partial<AuditLine>;
  return kind === 'Event' && typeof apiVersion === 'string' && apiVersion.startsWith('audit.k8s.io/');
}

/**
 * What an audit log says of the objects of a cluster. Writes with their answers are read (level RequestResponse);
 * bindings, evictions and deletions also from what was asked. What was there before the log began is not in it.
 */
export class AuditTrace {
  readonly #found: FoundEvent[] = [];
  readonly #objects = new Map<string, KubernetesObject>();
  #skippedCount = 0;

  take(line: unknown): void {
    if (!isAuditLine(line) || line.stage !== 'ResponseComplete') return;
    const { verb = '', objectRef = {}, responseStatus: { code = 200 } = {} } = line;
    const resource = resourceOf(objectRef);
    if (!WRITES.has(verb) || code < 200 || code >= 300 || resource === undefined) return;
    const atMillis = Date.parse(line.stageTimestamp ?? line.requestReceivedTimestamp ?? '');
    if (Number.isNaN(atMillis) || !this.#write(line, resource, atMillis)) this.#skippedCount++;
  }

  /** @throws CodedError `NotARecording` for a log without any write that can be read */
  trace(file: string): ClusterTrace {
    const [first] = this.#found;
    if (first === undefined) {
      throw notARecording(
        file,
        `has no writes with answers (level RequestResponse); ${this.#skippedCount} are without`,
      );
    }
    const times = this.#found.map(({ atMillis }) => atMillis);
    const startMillis = times.reduce((a, b) => Math.min(a, b));
    const endMillis = times.reduce((a, b) => Math.max(a, b));
    const count = this.#skippedCount;
    const warnings = count === 0 ? [] : [`${count} writes of the log were left out: their answers are not in it`];
    return buildTrace(this.#found, { startMillis, endMillis, objects: [], warnings });
  }

  /** Returns whether the line says what was written. */
  #write({ verb, objectRef = {}, requestObject, responseObject }: AuditLine, resource: Resource, atMillis: number) {
    const { namespace, name = '', subresource = '' } = objectRef;
    const answer = isObject(responseObject) ? (responseObject as unknown as KubernetesObject) : undefined;
    const known = this.#objects.get(keyOf(resource, { metadata: { namespace, name } }));
    if (subresource === 'binding') {
      const target = isObject(requestObject) ? requestObject['target'] : undefined;
      const node = isObject(target) ? target['name'] : undefined;
      if (known === undefined || typeof node !== 'string') return false;
      this.#set(resource, { ...known, spec: { ...(known as Pod).spec, nodeName: node } } as Pod, atMillis);
      return true;
    }
    if (verb === 'deletecollection') {
      const items = answer === undefined ? undefined : (answer as { items?: readonly KubernetesObject[] }).items;
      for (const item of items ?? []) this.#delete(resource, item, atMillis);
      return items !== undefined;
    }
    const object = isOfKind(answer, resource) ? answer : undefined;
    if (verb === 'delete' || subresource === 'eviction') {
      const last = object ?? (subresource === 'eviction' ? deleting(known, atMillis) : known);
      if (last === undefined) return false;
      this.#delete(resource, last, atMillis);
      return true;
    }
    if (!OWN_ANSWERS.has(subresource)) return true;
    if (object === undefined) return false;
    if (isGone(resource, object)) this.#remove(resource, object, atMillis);
    else this.#set(resource, object, atMillis);
    return true;
  }

  #set(resource: Resource, object: KubernetesObject, atMillis: number): void {
    const key = keyOf(resource, object);
    const type = this.#objects.has(key) ? 'MODIFIED' : 'ADDED';
    this.#objects.set(key, object);
    this.#found.push({ atMillis, type, resource, object, version: '' });
  }

  #delete(resource: Resource, object: KubernetesObject, atMillis: number): void {
    const isMarked = object.metadata?.deletionTimestamp !== undefined;
    if (isMarked && !isGone(resource, object)) this.#set(resource, object, atMillis);
    else this.#remove(resource, object, atMillis);
  }

  #remove(resource: Resource, object: KubernetesObject, atMillis: number): void {
    if (!this.#objects.delete(keyOf(resource, object))) return;
    this.#found.push({ atMillis, type: 'DELETED', resource, object, version: '' });
  }
}

function resourceOf({ resource = '', apiGroup = '', apiVersion = '' }: NonNullable<AuditLine['objectRef']>) {
  if (UNREAD.has(resource) || !Object.hasOwn(RESOURCES, resource)) return undefined;
  const version = apiGroup === '' ? apiVersion : `${apiGroup}/${apiVersion}`;
  return RESOURCES[resource as Resource].apiVersion === version ? (resource as Resource) : undefined;
}

function isOfKind(object: KubernetesObject | undefined, resource: Resource): object is KubernetesObject {
  return object?.kind === RESOURCES[resource].kind && object.metadata?.name !== undefined;
}

/** Whether the API removes the object with this write: it is being deleted, and nothing keeps it. */
function isGone(resource: Resource, { metadata, ...rest }: KubernetesObject): boolean {
  if (metadata?.deletionTimestamp === undefined || (metadata.finalizers?.length ?? 0) > 0) return false;
  if (resource !== 'pods') return true;
  return metadata.deletionGracePeriodSeconds === 0 || !(rest as Pod).spec?.nodeName;
}

/** The pod as an eviction leaves it. */
function deleting(known: KubernetesObject | undefined, atMillis: number): KubernetesObject | undefined {
  if (known === undefined) return undefined;
  const deletionTimestamp = new Date(atMillis).toISOString();
  return { ...known, metadata: { ...known.metadata, deletionTimestamp, deletionGracePeriodSeconds: 30 } };
}

function keyOf(resource: Resource, { metadata }: KubernetesObject): string {
  return `${resource} ${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;
}
