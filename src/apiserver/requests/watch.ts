import type { KubernetesObject } from '../../api/meta.ts';
import { groupVersionText } from '../../kinds/object/api-resource.ts';
import type { JsonObject } from '../../kinds/object/json.ts';
import type { ServedResource } from '../../kinds/object/kind-schema.ts';
import { unclassified } from '../../kinds/object/refusals.ts';
import { StatusError, statusOf } from '../../kinds/object/status-error.ts';
import type { WatchEvent } from '../../store/objects/store-client.ts';
import type { EventSource, ResourceRequest, StreamEvent, WatchAnswer } from '../context/context.ts';
import { refusedStream } from '../context/media-types.ts';
import type { ResourceStorage } from '../storage/resource-storage.ts';
import { type Selection, selectionOf, withName } from './list.ts';
import { checkListOptions, type ListOptions, listOptions, versionIn } from './query.ts';

/** GET of a collection with `watch`, or of the old paths for watches. @throws StatusError */
export function watch(asked: ResourceRequest): WatchAnswer {
  const { modules, request, served, namespace, name } = asked;
  const options = listOptions(request.query, true);
  const selection = selectionOf(name === '' ? options : withName(options, name), served.resource, namespace);
  checkListOptions(options);
  const version = watchVersion(options.resourceVersion);
  if (asked.accepted.mediaType === 'application/yaml') throw refusedStream();
  // A watch that begins with all objects and takes bookmarks is told where those end.
  const sendInitialEvents = options.sendInitialEvents ?? (version === 0 && options.allowsBookmarks ? true : undefined);
  const how = { ...options, version, sendInitialEvents };
  const source = new StoredEvents(modules.storages.of(served), served, selection, how);
  return { type: 'watch', served, timeoutSeconds: options.timeoutSeconds, source };
}

/** @throws StatusError without a reason */
function watchVersion(text: string): number {
  const version = versionIn(text);
  if (typeof version === 'number') return version;
  throw unclassified(`resourceVersion: Invalid value: ${JSON.stringify(text)}: ${version}`);
}

interface SourceOptions extends ListOptions {
  readonly version: number;
}

/**
 * The events of a watch: first the objects that exist, if the watch begins with them, then what is written. A source
 * holds no events: a slow watcher follows the history at its own pace.
 */
class StoredEvents implements EventSource {
  readonly #storage: ResourceStorage;
  readonly #served: ServedResource;
  readonly #initial: KubernetesObject[];
  readonly #endsInitial: boolean;
  readonly #follower: ReturnType<ResourceStorage['follow']>;
  readonly #startVersion: number;
  #initialSeen = 0;
  #hasEndedInitial = false;
  #isTooOld = false;

  constructor(storage: ResourceStorage, served: ServedResource, selection: Selection, options: SourceOptions) {
    const { version, sendInitialEvents, allowsBookmarks } = options;
    const beginsWithAll = sendInitialEvents ?? version === 0;
    this.#storage = storage;
    this.#served = served;
    this.#initial = beginsWithAll ? existing(storage, selection) : [];
    this.#endsInitial = sendInitialEvents === true && allowsBookmarks;
    this.#startVersion = storage.version;
    const from = beginsWithAll || version === 0 ? storage.version : version;
    this.#follower = storage.follow(selection, from);
  }

  next(): StreamEvent | undefined {
    const { length } = this.#initial;
    if (this.#initialSeen < length) {
      const stored = this.#initial[this.#initialSeen] as KubernetesObject;
      this.#initialSeen++;
      if (this.#initialSeen === length) this.#initial.length = this.#initialSeen = 0;
      return this.#eventOf('ADDED', stored);
    }
    if (this.#endsInitial && !this.#hasEndedInitial) {
      this.#hasEndedInitial = true;
      return { type: 'BOOKMARK', object: this.#bookmark(String(this.#startVersion), true) };
    }
    if (this.#isTooOld) return undefined;
    const event = this.#follower.next();
    return event === undefined ? undefined : this.#shown(event);
  }

  onReady(wake: () => void): void {
    this.#follower.onReady(wake);
  }

  stop(): void {
    this.#follower.stop();
  }

  #shown(event: WatchEvent<KubernetesObject>): StreamEvent {
    if (event.type === 'ERROR') return this.#expired(event.error.message);
    if (event.type === 'BOOKMARK') return { type: 'BOOKMARK', object: this.#bookmark(event.resourceVersion, false) };
    return this.#eventOf(event.type, event.object);
  }

  #eventOf(type: StreamEvent['type'], stored: KubernetesObject): StreamEvent {
    const storage = this.#storage;
    return {
      ...{ type, stored: { key: stored, text: () => storage.textOf(stored) } },
      get object() {
        return storage.completed(stored);
      },
    };
  }

  #expired(message: string): StreamEvent {
    this.#isTooOld = true;
    return { type: 'ERROR', object: statusOf(new StatusError(410, 'Expired', message)) };
  }

  #bookmark(resourceVersion: string, endsInitial: boolean): JsonObject {
    const { resource, schema } = this.#served;
    const annotations = endsInitial ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {};
    const head = { kind: resource.kind, apiVersion: groupVersionText(resource) };
    return { ...head, metadata: { resourceVersion, ...annotations }, ...schema.empty };
  }
}

/** The objects with which a watch begins, as they are stored. */
function existing(storage: ResourceStorage, selection: Selection): KubernetesObject[] {
  const onNode = storage.storedOn(selection.nodeName);
  const objects = onNode ?? [...storage.storedFrom(selection.namespace, undefined, selection.name)];
  return objects.filter((one) => selection.matches(selection.readsDefaults ? storage.completed(one) : one));
}
