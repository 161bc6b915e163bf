import type { KubernetesObject } from '../../api/meta.ts';
import { type InformerClient, storeSource } from '../../client/informer/informers.ts';
import { type ChangeType, Reflector, type ReflectorModules } from '../../client/informer/reflector.ts';
import type { Clock } from '../../lib/clock.ts';
import { type KnownObject, type KnownObjects, type KnownResource, keyOf } from '../../recording/known-objects.ts';
import type { ChangeLine, RecordedLine } from '../../recording/recording-lines.ts';
import { RESOURCES, type Resource } from '../../store/objects/resources.ts';

/** The parts that a recorder uses. */
export interface ClusterRecorderModules extends ReflectorModules {
  readonly client: InformerClient;
  /** The time that is recorded. */
  readonly clock: Clock;
  readonly write: (line: RecordedLine) => void;
}

const TYPES = { Added: 'ADDED', Updated: 'MODIFIED', Deleted: 'DELETED' } as const;
/** Versions of quiet resources are noted so often, so that a recorder that begins again finds them in the history. */
const BOOKMARK_MILLIS = 10_000;
const DECIMAL = /^\d+$/;

/**
 * Writes down what happens to objects of a cluster. A watch that was interrupted goes on where it was, and events that
 * come twice are written once. When the server does not know that version any more, everything is listed, and what has
 * changed meanwhile is written as found by a list.
 */
export class ClusterRecorder {
  readonly #modules: ClusterRecorderModules;
  readonly #followers: Follower[];
  #isRunning = false;
  /** How many changes were written. */
  changeCount = 0;

  /** `known`: what the recording has already, so that it goes on from there. */
  constructor(modules: ClusterRecorderModules, resources: readonly Resource[], known: KnownObjects) {
    this.#modules = modules;
    const write = (line: RecordedLine): void => {
      if (line.type !== 'BOOKMARK') this.changeCount++;
      known.take(line);
      modules.write(line);
    };
    this.#followers = resources.map((resource) => new Follower({ ...modules, write }, resource, known.of(resource)));
  }

  /** Whether the first lists of all resources are recorded. */
  get hasSynced(): boolean {
    return this.#followers.every(({ known }) => known.version !== '');
  }

  start(): void {
    this.#isRunning = true;
    for (const follower of this.#followers) follower.reflector.start();
    this.#bookmarkLater();
  }

  stop(): void {
    this.#isRunning = false;
    for (const { reflector } of this.#followers) reflector.stop();
    this.#bookmark();
  }

  #bookmark(): void {
    for (const follower of this.#followers) follower.bookmark();
  }

  #bookmarkLater(): void {
    this.#modules.loop.after(BOOKMARK_MILLIS, () => {
      if (!this.#isRunning) return;
      this.#bookmark();
      this.#bookmarkLater();
    });
  }
}

/** Follows one resource. */
class Follower {
  readonly reflector: Reflector<KubernetesObject>;
  readonly known: KnownResource;
  readonly #modules: ClusterRecorderModules;
  readonly #resource: Resource;

  constructor(modules: ClusterRecorderModules, resource: Resource, known: KnownResource) {
    this.#modules = modules;
    this.#resource = resource;
    this.known = known;
    const target = {
      change: (type: ChangeType, object: KubernetesObject) => this.#change(type, object),
      replace: (objects: readonly KubernetesObject[]) => this.#replace(objects),
    };
    const source = storeSource(modules.client, resource);
    this.reflector = new Reflector(source, target, modules, { resourceVersion: known.version });
  }

  /** Notes the version up to which nothing more has happened, if that is news. */
  bookmark(): void {
    const { lastSyncResourceVersion: resourceVersion } = this.reflector;
    if (this.known.version === '' || this.known.version === resourceVersion) return;
    this.#modules.write({ time: this.#time(), type: 'BOOKMARK', resource: this.#resource, resourceVersion });
  }

  #change(type: ChangeType, object: KubernetesObject): void {
    const before = this.known.objects.get(keyOf(object));
    if (before === undefined ? type === 'Deleted' : isOld(object, before)) return;
    this.#modules.write(this.#line(TYPES[type], object));
  }

  /** Writes how the objects differ from those that were known: all of them, when none were. */
  #replace(objects: readonly KubernetesObject[]): void {
    const listed = new Set<string>();
    for (const object of objects) {
      const key = keyOf(object);
      listed.add(key);
      const before = this.known.objects.get(key);
      if (before !== undefined && before.uid !== object.metadata?.uid) this.#vanished(before);
      else if (before !== undefined && isOld(object, before)) continue;
      const type = before?.uid === object.metadata?.uid ? 'MODIFIED' : 'ADDED';
      this.#modules.write({ ...this.#line(type, object), listed: true });
    }
    for (const [key, known] of [...this.known.objects]) if (!listed.has(key)) this.#vanished(known);
    const { lastSyncResourceVersion: resourceVersion } = this.reflector;
    const bookmark = { time: this.#time(), type: 'BOOKMARK', resource: this.#resource, resourceVersion } as const;
    this.#modules.write({ ...bookmark, listed: true });
  }

  #vanished({ namespace, name, uid, version }: KnownObject): void {
    const metadata = { name, ...(namespace !== undefined && { namespace }), uid, resourceVersion: version };
    this.#modules.write({ ...this.#line('DELETED', { metadata }), listed: true });
  }

  #line(type: ChangeLine['type'], object: KubernetesObject): ChangeLine {
    const { apiVersion, kind } = RESOURCES[this.#resource];
    const time = this.#time();
    if (type !== 'DELETED') return { time, type, object: { ...object, apiVersion, kind } };
    const { namespace, name, uid, resourceVersion } = object.metadata ?? {};
    return { time, type, object: { apiVersion, kind, metadata: { name, namespace, uid, resourceVersion } } };
  }

  #time(): string {
    return new Date(this.#modules.clock.nowMillis()).toISOString();
  }
}

/** Whether the object is no newer than what is known: a watch that goes on after an interruption may repeat events. */
function isOld({ metadata }: KubernetesObject, { version }: KnownObject): boolean {
  const given = metadata?.resourceVersion ?? '';
  if (given === version) return true;
  return DECIMAL.test(given) && DECIMAL.test(version) && BigInt(given) < BigInt(version);
}
